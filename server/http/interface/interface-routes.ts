import { Router, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Federation } from '../../federation/federation.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Sync } from '../../sync/sync.ts';
import { guard } from '../window/guard.ts';
import type { FailedLoginLimiter } from '../auth/failed-login-limiter.ts';
import { requireThisComputer } from '../auth/auth.ts';
import { onFirstRequest } from '../listeners/on-first-request.ts';
import { federationRouter, type FederationRouterDeps } from './federation.ts';

export interface InterfaceDeps extends Pick<FederationRouterDeps, 'called'> {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly sync: Sync;
  readonly attempts: FailedLoginLimiter;
  readonly log: Logger;
  /** Manageable from other computers too. */
  readonly remoteManagement: boolean;
  /** For the OpenAPI document. */
  readonly version: string;
}

/** Serves the interface and the local data. Management needs this computer unless `remoteManagement`. */
export function interfaceRoutes(deps: InterfaceDeps): Router {
  const { federation, lists, sync, attempts, log } = deps;
  const management: RequestHandler = deps.remoteManagement
    ? (_req, _res, next) => next()
    : requireThisComputer;
  const router = Router();
  router.use(
    federationRouter({
      federation,
      attempts,
      called: deps.called,
      management,
      sync: {
        syncNow: (nodeID) => sync.syncNow(nodeID),
        settled: (nodeID) => sync.whenIdle(nodeID),
        status: async (nodeID) => ({
          ...(await sync.status(nodeID)),
          history: await sync.history.list({ nodeID, limit: 100 }),
        }),
      },
      onSyncFailed: (nodeID, error) => log.warn({ nodeID, err: error }, 'a pull that was asked for failed'),
    }),
  );
  router.use(openApiRouter(deps.version));
  const compose = onFirstRequest(async () => (await import('./compose.ts')).composeRouter({ lists, guard }));
  router.use('/compose', management, compose);
  return router;
}

/** Serves `/openapi.json`, which is made at the first request; all answers share its bytes, also those not read. */
function openApiRouter(version: string): Router {
  const router = Router();
  let document: Promise<Buffer> | undefined;
  /** Loads the description and returns it as JSON. */
  const write = async (): Promise<Buffer> => {
    const { openApiDocument } = await import('../../contract/openapi/document.ts');
    const { OPERATIONS } = await import('../../contract/openapi/operations.ts');
    return Buffer.from(JSON.stringify(openApiDocument(OPERATIONS, version)));
  };
  router.get('/openapi.json', async (_req, res) => {
    res.type('json').send(await (document ??= write()));
  });
  return router;
}
