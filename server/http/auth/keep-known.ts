import type { RequestHandler } from 'express';
import { knownCaller } from './caller.ts';
import type { Places } from '../listeners/places.ts';

/** Keeps the connections of those whose credential was right; it stands behind whatever checks credentials. */
export function keepKnown(places: Pick<Places, 'keep'>): RequestHandler {
  return (req, _res, next) => {
    const who = knownCaller(req);
    if (who?.kind === 'node') places.keep(req.socket, `node ${who.node.nodeID}`);
    if (who?.kind === 'user') places.keep(req.socket, `user ${who.userID}`);
    next();
  };
}
