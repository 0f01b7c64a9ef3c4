import { Router, type RequestHandler } from 'express';
import type { Federation } from '../../federation/federation.ts';
import type { FailedLoginLimiter } from '../auth/failed-login-limiter.ts';
import { feedsRouter } from './federation/feeds.ts';
import { footbridgeRouter, type FootbridgeRouterDeps } from './federation/footbridge.ts';
import { createGuards } from './federation/guards.ts';
import { liveFeedsRouter } from './federation/live-feeds.ts';
import { modulesRouter } from './federation/modules.ts';
import { nodesRouter } from './federation/nodes.ts';
import { shapeParam } from './federation/params.ts';
import { pairingRouter } from './federation/pairing.ts';
import type { SyncControl } from './federation/sync-control.ts';
import { upkeepRouter } from './federation/upkeep.ts';

export interface FederationRouterDeps extends Pick<FootbridgeRouterDeps, 'called'> {
  readonly federation: Federation;
  readonly attempts: FailedLoginLimiter;
  /** Precedes all that users do; see `requireThisComputer`. */
  readonly management: RequestHandler;
  readonly sync: SyncControl;
  /** A partner's pull requested with `?wait=0` failed. */
  readonly onSyncFailed: (nodeID: string, error: unknown) => void;
}

/** Serves `/federation/…` and `/exposed/…`. Mount it after `bearerAuth`. */
export function federationRouter(deps: FederationRouterDeps): Router {
  const { federation, attempts, called } = deps;
  const guards = createGuards(deps.management, federation.unread);
  const router = Router();
  // First: later only the answer would be refused.
  router.use('/federation', (req, _res, next) => {
    shapeParam(req);
    next();
  });
  router.use('/federation', nodesRouter({ federation, guards, sync: deps.sync }));
  router.use('/federation', pairingRouter({ federation, guards, attempts }));
  router.use('/federation', modulesRouter({ federation, guards }));
  router.use('/federation', upkeepRouter({ ...deps, guards }));
  router.use('/federation/footbridge', footbridgeRouter({ federation, guards, attempts, called }));
  router.use('/federation', liveFeedsRouter({ federation, guards }));
  router.use(feedsRouter({ federation, guards }));
  return router;
}
