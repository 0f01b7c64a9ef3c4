import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { Health } from '../../contract/openapi/node.ts';
import { answerOptions, createMethodLookup, refuseOtherMethods } from '../listeners/allowed-methods.ts';
import { errorHandler, notFound, requireReadableQuery } from '../listeners/errors.ts';
import { markAuthenticatedConnection } from '../auth/mark-authenticated-connection.ts';
import { ignoreConditionalHeaders } from '../listeners/ignore-conditional-headers.ts';
import { refuseHostMismatch } from '../listeners/refuse-host-mismatch.ts';
import type { ConnectionSlots } from '../listeners/connection-slots.ts';
import type { IsTrustedProxy } from '../listeners/trusted-proxies.ts';
import { limitStrangers } from '../listeners/rate-limits.ts';
import type { ErrorBody } from '../../contract/common.ts';
import { isOwnComputer } from '../listeners/is-own-computer.ts';
import { networkAddresses } from '../listeners/own-address.ts';

export interface FederationAppDeps {
  readonly bearer: RequestHandler;
  readonly isProxy: IsTrustedProxy;
  readonly places: Pick<ConnectionSlots, 'markKnown'>;
  /** Refuses unencrypted network requests. */
  readonly plain: RequestHandler;
  /** `/federation`, `/exposed`, `/compose`, `/openapi.json`, with their own guards. */
  readonly routes: Router;
  readonly health: () => Health['status'];
  /** Logs refusals before the answer. */
  readonly turnedAway: ErrorRequestHandler;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Compresses answers over 2 kB to other computers and through proxies. Level 6 would make a page 7 % smaller for two
 * and a half times the work.
 */
export const compressAnswers = (): RequestHandler =>
  compression({
    ...{ threshold: 2048, level: 1, chunkSize: 128 * 1024 },
    filter: (req, res) =>
      (!isLoopback(req.ip) || req.headers['x-forwarded-for'] !== undefined) && compression.filter(req, res),
  });

/** Sets `Date` from our clock, by which partners notice a difference. */
const ownTime =
  (clock: Pick<Clock, 'now'>): RequestHandler =>
  (_req, res, next) => {
    res.setHeader('date', new Date(clock.now()).toUTCString());
    next();
  };

const METHODS = createMethodLookup();

/** Returns the Express app for partners and scripts: all routes and guards in order. Answers aren't cached. */
export function federationApp(deps: FederationAppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', deps.isProxy);
  app.use(refuseHostMismatch);
  app.use(ignoreConditionalHeaders);
  app.use(ownTime(deps.clock));
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { 'default-src': ["'none'"] } },
      strictTransportSecurity: { includeSubDomains: false },
    }),
  );
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(deps.plain);
  app.use(compressAnswers());
  app.use(deps.bearer);
  app.use(markAuthenticatedConnection(deps.places));
  // Not limited: strangers at a load balancer's address could make the node look gone.
  app.get(['/healthz', '/api/healthz'], (_req, res) => {
    const status = deps.health();
    res.status(status === 'ok' ? 200 : 503).json({ status } satisfies Health);
  });
  app.use(limitStrangers());
  app.use(requireReadableQuery);
  app.use(answerOptions(METHODS));
  app.use('/api', deps.routes);
  app.use(deps.routes);
  app.use(refuseOtherMethods(METHODS));
  app.use(notFound);
  app.use(deps.turnedAway);
  app.use(errorHandler(deps.log));
  return app;
}

/**
 * Answers 426 to unencrypted requests over a network, and reports their address. Requests of this computer pass, and
 * all while `plainAllowed`.
 */
export function requireTLS(
  plainAllowed: () => boolean,
  onRefused: (address: string | undefined) => void,
): RequestHandler {
  return (req, res, next) => {
    if (req.secure || isOwnComputer(req, isThisComputer) || plainAllowed()) {
      next();
      return;
    }
    onRefused(req.ip);
    res.status(426).set({ Upgrade: 'TLS/1.2, HTTP/1.1', Connection: 'close' });
    res.json({
      error: {
        code: 'transport.plain',
        message: 'Use https:// here: Footbridge takes nothing unencrypted from the network.',
      },
    } satisfies ErrorBody);
  };
}

/** Returns whether an address is loopback or one of this computer's. */
function isThisComputer(address: string | undefined): boolean {
  if (address === undefined || isLoopback(address)) return address !== undefined;
  const plain = address.replace(/^::ffff:/, '');
  return networkAddresses().some((own) => own.replace(/^\[|\]$/g, '') === plain);
}
