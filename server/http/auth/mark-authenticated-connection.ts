import type { RequestHandler } from 'express';
import { authenticatedCaller } from './caller.ts';
import type { ConnectionSlots } from '../listeners/connection-slots.ts';

/**
 * Returns middleware that marks the connection of an authenticated caller as known, which keeps it open when slots
 * are short. Put it after the middleware that checks credentials.
 */
export function markAuthenticatedConnection(places: Pick<ConnectionSlots, 'markKnown'>): RequestHandler {
  return (req, _res, next) => {
    const who = authenticatedCaller(req);
    if (who?.kind === 'node') places.markKnown(req.socket, `node ${who.node.nodeID}`);
    if (who?.kind === 'user') places.markKnown(req.socket, `user ${who.userID}`);
    next();
  };
}
