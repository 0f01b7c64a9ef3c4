import type { RequestHandler } from 'express';
import { knownCaller } from './caller.ts';
import type { Places } from './places.ts';

/** Keeps the connections of those whose credential was right; it stands behind whatever checks credentials. */
export function keepKnown(places: Pick<Places, 'keep'>): RequestHandler {
  return (req, _res, next) => {
    const who = knownCaller(req);
    if (who) places.keep(req.socket, who.kind === 'node' ? `node ${who.node.nodeID}` : `user ${who.userID}`);
    next();
  };
}
