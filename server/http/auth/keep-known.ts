import type { RequestHandler } from 'express';
import { knownCaller } from './caller.ts';
import type { Places } from '../listeners/places.ts';

/** Keeps connections with a valid credential; put it after whatever checks credentials. */
export function keepKnown(places: Pick<Places, 'keep'>): RequestHandler {
  return (req, _res, next) => {
    const who = knownCaller(req);
    if (who?.kind === 'node') places.keep(req.socket, `node ${who.node.nodeID}`);
    if (who?.kind === 'user') places.keep(req.socket, `user ${who.userID}`);
    next();
  };
}
