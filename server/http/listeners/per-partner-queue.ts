import type { RequestHandler } from 'express';
import type { SlowReaders } from '../../federation/sharing/slow-readers.ts';
import { TooManyAttempts } from '../auth/auth.ts';
import { authenticatedCaller } from '../auth/caller.ts';
import { STALL_TIMEOUTS, watchForStall, type StallTimeouts } from './stalled-writer.ts';

/** No honest partner has more waiting requests. */
const MAX_QUEUED = 16;
const RETRY_SECONDS = 5;

interface Line {
  /** Requests after the current one, in order of arrival. */
  readonly waiting: Set<() => void>;
}

/**
 * Returns middleware that answers each partner's requests one after the other; the next once the previous answer
 * was read or its connection closed. A page may be a whole list, so a partner that requests many and reads none
 * would fill the memory. Throws `TooManyAttempts` (429) beyond `mostWaiting`, and disconnects partners that stop
 * reading. Users pass.
 */
export function createPartnerQueue({
  unread,
  mostWaiting = MAX_QUEUED,
  patience = STALL_TIMEOUTS,
}: {
  /** Called with partners that don't read their answers. */
  readonly unread: Pick<SlowReaders, 'stalled' | 'resumed'>;
  readonly mostWaiting?: number;
  readonly patience?: StallTimeouts;
}): RequestHandler {
  const lines = new Map<string, Line>();

  return (req, res, next) => {
    const who = authenticatedCaller(req);
    if (who?.kind !== 'node') {
      next();
      return;
    }
    // It left while it was being authenticated: its end has been reported, and nobody would take its place.
    if (res.closed) return;
    const { nodeID } = who.node;
    const line = lines.get(nodeID);
    if (line && line.waiting.size >= mostWaiting)
      throw new TooManyAttempts(RETRY_SECONDS, 'requests at once');

    /** Passes the request on, watches its answer for a stall, and starts the next request once it closes. */
    const enter = (): void => {
      res.off('close', leaveLine);
      res.once('close', () => nextIn(nodeID));
      const [question = ''] = req.originalUrl.split('?');
      watchForStall(res, patience, {
        stalled: () => unread.stalled(nodeID, question),
        resumed: () => unread.resumed(nodeID, question),
      });
      next();
    };
    /** Removes the request from the queue, for one that closes while it waits. */
    const leaveLine = (): void => void line?.waiting.delete(enter);
    if (line) {
      line.waiting.add(enter);
      res.once('close', leaveLine);
    } else {
      lines.set(nodeID, { waiting: new Set() });
      enter();
    }
  };

  /** Starts the partner's next waiting request; deletes the queue if there is none. */
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
