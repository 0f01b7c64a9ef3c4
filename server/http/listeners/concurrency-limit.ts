import type { RequestHandler } from 'express';
import { TooManyAttempts } from '../auth/auth.ts';
import { authenticatedCaller } from '../auth/caller.ts';

const RETRY_SECONDS = 5;

/**
 * Allows each partner `most` open requests; throws `TooManyAttempts` (429) for more. Users and anonymous callers pass.
 */
export function limitConcurrency(most: number): RequestHandler {
  const open = new Map<string, number>();

  return (req, res, next) => {
    const who = authenticatedCaller(req);
    if (who === undefined || who.kind === 'user' || res.closed) {
      next();
      return;
    }
    const { nodeID } = who.node;
    const before = open.get(nodeID) ?? 0;
    if (before >= most) throw new TooManyAttempts(RETRY_SECONDS, 'requests at once');
    open.set(nodeID, before + 1);
    res.once('close', () => {
      const left = (open.get(nodeID) ?? 1) - 1;
      if (left > 0) open.set(nodeID, left);
      else open.delete(nodeID);
    });
    next();
  };
}
