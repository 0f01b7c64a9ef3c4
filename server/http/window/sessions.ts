import { Router } from 'express';
import type { EventStream } from '../listeners/event-stream.ts';
import type { Sessions } from '../auth/session.ts';
import { answering } from './answering.ts';

export interface SessionsDeps {
  readonly sessions: Pick<Sessions, 'list' | 'end'>;
  readonly events: Pick<EventStream, 'cut'>;
}

/** `/app/sessions`: the windows that are let in, and their end. */
export function sessionsRouter({ sessions, events }: SessionsDeps): Router {
  const router = Router();

  answering(router, 'GET /app/sessions', ({ req }) => sessions.list(req.headers.cookie));
  answering(router, 'POST /app/sessions/end', async ({ body }) => {
    await sessions.end(body.sessionIDs);
    // What is open already is not asked again who it is.
    events.cut();
  });
  return router;
}
