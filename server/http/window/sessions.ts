import { Router } from 'express';
import type { EventStream } from '../listeners/event-stream.ts';
import type { Sessions } from '../auth/session.ts';
import { handleCall } from './handle-call.ts';

export interface SessionsDeps {
  readonly sessions: Pick<Sessions, 'list' | 'link' | 'end'>;
  readonly events: Pick<EventStream, 'disconnectAll'>;
}

/**
 * Returns the router of `/app/sessions`: lists signed-in windows, creates links for further ones, and ends
 * sessions.
 */
export function sessionsRouter({ sessions, events }: SessionsDeps): Router {
  const router = Router();

  handleCall(router, 'GET /app/sessions', ({ req }) => sessions.list(req.headers.cookie));
  // The window's guard only admits requests to its own address.
  handleCall(router, 'POST /app/sessions/link', ({ req }) =>
    Promise.resolve({ link: sessions.link(`http://${req.get('host') ?? ''}`) }),
  );
  handleCall(router, 'POST /app/sessions/end', async ({ body }) => {
    await sessions.end(body.sessionIDs);
    // The ended windows' streams end now, and not only at their next event.
    events.disconnectAll();
  });
  return router;
}
