import { rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import { TooManyAttempts } from '../auth/auth.ts';
import { authenticatedCaller } from '../auth/caller.ts';

const WINDOW_MS = 60_000;
const PER_MINUTE = 600;
const ANNOUNCEMENTS_PER_MINUTE = 20;

/**
 * Allows `perMinute` requests without credential from one address (of IPv6, one network); throws `TooManyAttempts`
 * (429) for more.
 */
export function limitStrangers(perMinute = PER_MINUTE): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: false,
    legacyHeaders: false,
    skip: (req) => authenticatedCaller(req) !== undefined,
    handler: (_req, _res, next) => next(new TooManyAttempts(WINDOW_MS / 1000, 'requests')),
    validate: false,
  });
}

/** Allows each partner 20 announcements of routes a minute; further ones get 429. Other bodies pass uncounted. */
export function limitAnnouncements(isAnnouncement: (body: unknown) => boolean): RequestHandler {
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
