import { Router } from 'express';
import type { EventStream } from '../listeners/event-stream.ts';
import type { Sessions } from '../auth/session.ts';
import { answering } from './answering.ts';

export interface SessionsDeps {
  readonly sessions: Pick<Sessions, 'list' | 'link' | 'end'>;
  readonly events: Pick<EventStream, 'cut'>;
}

/** `/app/sessions`: the windows that are let in, a link for one more, and their end. */
export function sessionsRouter({ sessions, events }: SessionsDeps): Router {
  const router = Router();

  answering(router, 'GET /app/sessions', ({ req }) => sessions.list(req.headers.cookie));
  // The guard of the window lets in requests to its own address alone.
  answering(router, 'POST /app/sessions/link', ({ req }) =>
    Promise.resolve({ link: sessions.link(`http://${req.get('host') ?? ''}`) }),
  );
  answering(router, 'POST /app/sessions/end', async ({ body }) => {
    await sessions.end(body.sessionIDs);
    // What is open already is not asked again who it is.
    events.cut();
  });
  return router;
}
