import { Router } from 'express';
import type { EventStream } from '../listeners/event-stream.ts';
import type { Sessions } from '../auth/session.ts';
import { answering } from './answering.ts';

export interface SessionsDeps {
  readonly sessions: Pick<Sessions, 'list' | 'link' | 'end'>;
  readonly events: Pick<EventStream, 'cut'>;
}

/**
 * Returns the router of `/app/sessions`: lists signed-in windows, creates links for further ones, and ends
 * sessions.
 */
export function sessionsRouter({ sessions, events }: SessionsDeps): Router {
  const router = Router();

  answering(router, 'GET /app/sessions', ({ req }) => sessions.list(req.headers.cookie));
  // The window's guard only admits requests to its own address.
  answering(router, 'POST /app/sessions/link', ({ req }) =>
    Promise.resolve({ link: sessions.link(`http://${req.get('host') ?? ''}`) }),
  );
  answering(router, 'POST /app/sessions/end', async ({ body }) => {
    await sessions.end(body.sessionIDs);
    // An open stream isn't authenticated again.
    events.cut();
  });
  return router;
}
