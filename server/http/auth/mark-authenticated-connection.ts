import type { RequestHandler } from 'express';
import { authenticatedCaller } from './caller.ts';
import type { ConnectionSlots } from '../listeners/connection-slots.ts';

/** Creates a handler that protects an authenticated caller's connection from eviction when slots are short. */
export function markAuthenticatedConnection(slots: Pick<ConnectionSlots, 'markKnown'>): RequestHandler {
  return (req, _res, next) => {
    const who = authenticatedCaller(req);
    if (who?.kind === 'node') slots.markKnown(req.socket, `node ${who.node.nodeID}`);
    if (who?.kind === 'user') slots.markKnown(req.socket, `user ${who.userID}`);
    next();
  };
}
