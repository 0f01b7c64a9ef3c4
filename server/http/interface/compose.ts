import { Router, type ErrorRequestHandler } from 'express';
import { StoreError } from '../../store/store.ts';
import { pathID } from '../listeners/path-id.ts';
import { composeFilesRouter } from './compose/files.ts';
import { composeModulesRouter } from './compose/modules.ts';
import { composeNamespacesRouter } from './compose/namespaces.ts';
import { composeRecordsRouter } from './compose/records.ts';
import type { ComposeDeps } from './compose/request.ts';

/** Serves Corteza's Compose API. Mount it at `/compose`, after authentication. */
export function composeRouter(deps: ComposeDeps): Router {
  const router = Router();
  router.use('/namespace', composeNamespacesRouter(deps));
  router.use('/namespace/:ns/module', composeModulesRouter(deps));
  router.use('/namespace/:ns/module/:m/record', composeRecordsRouter(deps));
  router.use('/namespace/:ns/module/:m', composeFilesRouter(deps));
  router.use('/namespace/:ns/module/:m', reportDeletedList(deps));
  return router;
}

/**
 * Creates an error handler that turns the store's `closed` into 404 if the list was deleted meanwhile; passes all
 * other errors on.
 */
function reportDeletedList({ lists }: ComposeDeps): ErrorRequestHandler {
  return async (error, req, _res, next) => {
    if (error instanceof StoreError && error.code === 'closed') await lists.module(pathID(req, 'm'));
    next(error);
  };
}
