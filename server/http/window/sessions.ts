import { Router } from 'express';
import { endSessions, type ListedSession } from '../../contract/app/settings.ts';
import type { EventStream } from '../listeners/event-stream.ts';
import type { Sessions } from '../auth/session.ts';
import type { Guard } from './guard.ts';

export interface SessionsDeps {
  readonly sessions: Pick<Sessions, 'list' | 'end'>;
  readonly events: Pick<EventStream, 'cut'>;
  readonly guard: Guard;
}

/** `/app/sessions`: the windows that are let in, and their end. */
export function sessionsRouter({ sessions, events, guard }: SessionsDeps): Router {
  const router = Router();

  router.get('/', guard.admin, async (req, res) => {
    const response: ListedSession[] = await sessions.list(req.headers.cookie);
    res.json({ response });
  });

  router.post('/end', guard.admin, async (req, res) => {
    const { sessionIDs } = endSessions.parse(req.body);
    await sessions.end(sessionIDs);
    // What is open already is not asked again who it is.
    events.cut();
    res.json({});
  });

  return router;
}
