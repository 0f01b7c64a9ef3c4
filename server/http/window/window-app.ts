import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { answerOptions, createMethodLookup, refuseOtherMethods } from '../listeners/allowed-methods.ts';
import type { Logger } from 'pino';
import { errorHandler, notFound, requireReadableQuery } from '../listeners/errors.ts';
import { markAuthenticatedConnection } from '../auth/mark-authenticated-connection.ts';
import { languageOf } from '../listeners/language.ts';
import type { LoadedHandler } from '../listeners/on-first-request.ts';
import { ignoreConditionalHeaders } from '../listeners/ignore-conditional-headers.ts';
import { refuseHostMismatch } from '../listeners/refuse-host-mismatch.ts';
import type { ConnectionSlots } from '../listeners/connection-slots.ts';
import type { Sessions } from '../auth/session.ts';
import { changesNeedCaller, windowGuard, windowSession } from '../auth/window-guard.ts';

export interface WindowDeps {
  readonly sessions: Sessions;
  /** The built window; without it only the API is served. */
  readonly windowDir: string | undefined;
  /** An SSH tunnel's port at another computer. */
  readonly tunnelPort?: number | undefined;
  readonly bearer: RequestHandler;
  readonly places: Pick<ConnectionSlots, 'markKnown'>;
  readonly api: LoadedHandler;
  readonly routes: RequestHandler;
  readonly log: Pick<Logger, 'error'>;
}

const METHODS = createMethodLookup(async () =>
  Object.keys((await import('../../contract/app/calls.ts')).CALLS),
);

/**
 * Returns the Express app of the window's listener: its files, `/app/*`, and the interface's routes, for signed-in
 * windows and user tokens.
 */
export function windowApp(deps: WindowDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(refuseHostMismatch);
  app.use(windowGuard(deps.tunnelPort));
  app.use(securityHeaders());
  app.use((req, res, next) => deps.sessions.redeemKey(req, res, next));
  // First, so the owner's connections keep their slots even for files.
  app.use(windowSession(deps.sessions));
  app.use(deps.bearer);
  app.use(markAuthenticatedConnection(deps.places));
  if (deps.windowDir !== undefined) {
    // Public files only: compressed sizes could disclose secrets.
    app.use('/assets', compression());
    // The page's first calls follow it.
    app.get('/', (_req, res, next) => {
      res.once('finish', deps.api.prepare);
      next();
    });
    app.use(windowFiles(deps.windowDir));
  }
  // After the files, which have validators.
  app.use(ignoreConditionalHeaders);
  app.use(changesNeedCaller);
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(requireReadableQuery);
  app.use(answerOptions(METHODS));
  app.use('/app', deps.api);
  app.use(deps.routes);
  app.use(refuseOtherMethods(METHODS));
  app.use(notFound);
  app.use(errorHandler(deps.log, languageOf));
  return app;
}

/** Serves the window's files; those with a content hash in their name are cached for a year. */
function windowFiles(folder: string): RequestHandler {
  return express.static(folder, {
    index: 'index.html',
    redirect: false,
    /** Lets a browser cache a file with a hash in its name for a year, others only with revalidation. */
    setHeaders(res, path) {
      const named = /-[\w-]{8,}\.\w+$/.test(path);
      res.setHeader('Cache-Control', named ? 'private, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

/** Sets security headers: own files only, no framing, no referrer. */
function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // Loopback has no TLS: this header would lock the address out.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
}
