import { rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import { TooManyAttempts } from '../auth/auth.ts';
import { authenticatedCaller } from '../auth/caller.ts';

const WINDOW_MS = 60_000;
const PER_MINUTE = 600;
const ANNOUNCEMENTS_PER_MINUTE = 20;

/**
 * Holds back whoever shows no credential, by address: 600 requests a minute are plenty for greeting and
 * pairing. Partners and users of this office are not counted; wrong credentials are, in `attempts.ts`. An
 * address is that of the connection, or what a trusted load balancer says, whatever the request says of itself; of IPv6
 * the network counts.
 */
export function strangersLimit(perMinute = PER_MINUTE): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: false,
    legacyHeaders: false,
    skip: (req) => authenticatedCaller(req) !== undefined,
    handler: (_req, _res, next) => next(new TooManyAttempts(WINDOW_MS / 1000, 'requests')),
    // Its checks only print warnings, about headers that strangers send.
    validate: false,
  });
}

/**
 * Holds back partners that announce their routes again and again: each announcement is checked, written to disk and may
 * replace connections. A partner whose network changes every few seconds stays below the limit. Bodies that are none are
 * refused as such, at no cost.
 */
export function announcementsLimit(isAnnouncement: (body: unknown) => boolean): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: ANNOUNCEMENTS_PER_MINUTE,
    skip: ({ body }) => !isAnnouncement(body),
    standardHeaders: false,
    legacyHeaders: false,
    keyGenerator: (req) => {
      const who = authenticatedCaller(req);
      return who?.kind === 'node' ? who.node.nodeID : '';
    },
    handler: (_req, _res, next) => next(new TooManyAttempts(WINDOW_MS / 1000, 'requests')),
    validate: false,
  });
}
