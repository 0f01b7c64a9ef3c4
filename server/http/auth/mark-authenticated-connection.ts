import type { RequestHandler } from 'express';
import { authenticatedCaller } from './caller.ts';
import type { ConnectionSlots } from '../listeners/connection-slots.ts';

/**
 * Returns middleware that marks an authenticated caller's connection as known, so that it isn't evicted when
 * slots are short. Put it after authentication.
 */
export function markAuthenticatedConnection(places: Pick<ConnectionSlots, 'markKnown'>): RequestHandler {
  return (req, _res, next) => {
    const who = authenticatedCaller(req);
    if (who?.kind === 'node') places.markKnown(req.socket, `node ${who.node.nodeID}`);
    if (who?.kind === 'user') places.markKnown(req.socket, `user ${who.userID}`);
    next();
  };
}
