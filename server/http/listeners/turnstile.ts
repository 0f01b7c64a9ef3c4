import type { RequestHandler } from 'express';
import type { Unread } from '../../federation/sharing/unread.ts';
import { TooManyAttempts } from '../auth/auth.ts';
import { knownCaller } from '../auth/caller.ts';
import { PATIENCE, watchSending, type Patience } from './watch-sending.ts';

/** More requests than this that wait for their turn come from no partner in good faith. */
const MOST_WAITING = 16;
const RETRY_SECONDS = 5;

interface Line {
  /** Those behind the one that is being answered, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

/**
 * Answers each partner one request after the other, and the next only when the one before has been taken in or
 * given up. A page may be a whole list, so that a partner which asks for many at once and reads none of them would
 * otherwise fill the memory and keep the node from everybody else. Whoever stops taking in its answer is cut off:
 * behind a line that broke the same partner may be waiting. Users pass.
 */
export function createTurnstile({
  unread,
  mostWaiting = MOST_WAITING,
  patience = PATIENCE,
}: {
  /** Told who does not read what it asked for. */
  readonly unread: Pick<Unread, 'stands' | 'moves'>;
  readonly mostWaiting?: number;
  readonly patience?: Patience;
}): RequestHandler {
  const lines = new Map<string, Line>();

  return (req, res, next) => {
    const who = knownCaller(req);
    if (who?.kind !== 'node') {
      next();
      return;
    }
    // It left while it was found out who it is: its end has been told, and nobody would take its place.
    if (res.closed) return;
    const { nodeID } = who.node;
    const line = lines.get(nodeID);
    if (line && line.waiting.size >= mostWaiting)
      throw new TooManyAttempts(RETRY_SECONDS, 'requests at once');

    const enter = (): void => {
      res.off('close', leaveLine);
      res.once('close', () => nextIn(nodeID));
      const [question = ''] = req.originalUrl.split('?');
      watchSending(res, patience, {
        stands: () => unread.stands(nodeID, question),
        moves: () => unread.moves(nodeID, question),
      });
      next();
    };
    const leaveLine = (): void => void line?.waiting.delete(enter);
    if (line) {
      line.waiting.add(enter);
      res.once('close', leaveLine);
    } else {
      lines.set(nodeID, { waiting: new Set() });
      enter();
    }
  };

  function nextIn(nodeID: string): void {
    const waiting = lines.get(nodeID)?.waiting;
    const [first] = waiting ?? [];
    if (waiting && first) {
      waiting.delete(first);
      first();
    } else {
      lines.delete(nodeID);
    }
  }
}
