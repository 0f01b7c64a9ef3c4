import { Router } from 'express';
import { requireValidCaller } from '../auth/caller.ts';
import { requireJSON } from '../listeners/errors.ts';
import { receiveJSON } from '../listeners/json-body.ts';
import { onFirstRequest } from '../listeners/on-first-request.ts';
import { filesRouter, type FilesDeps } from './files.ts';
import { homeRouter, type HomeDeps } from './home.ts';
import type { ImportDeps } from './import.ts';
import { wholeLedgerRouter } from './ledger.ts';
import { listFilesRouter, type ListFilesDeps } from './list-files.ts';
import { listsRouter } from './lists.ts';
import { partnersRouter, type PartnersDeps, invitesRouter } from './partners.ts';
import { sessionsRouter, type SessionsDeps } from './settings.ts';
import { settingsRouter, type SettingsDeps } from './settings.ts';
import { viewsRouter, type ViewsDeps } from './lists.ts';

export type AppDeps = PartnersDeps &
  HomeDeps &
  ImportDeps &
  FilesDeps &
  ListFilesDeps &
  SettingsDeps &
  ViewsDeps &
  SessionsDeps;

const BODY = '1mb';

/** Serves the window's API under `/app`, as in its table of calls (contract/app/calls.ts). */
export function appRouter(deps: AppDeps): Router {
  const router = Router();
  // Before any JSON parsing. What reads and writes files of tables is loaded by the first call for one.
  router.all(
    ['/import{/*rest}', '/samples', '/lists/:m/export.csv', '/lists/:m/export.xlsx'],
    onFirstRequest(async () => (await import('./import.ts')).importRouter(deps)),
  );
  router.all(
    '/lists/:m/cells',
    onFirstRequest(async () => (await import('./cells.ts')).cellsRouter(deps)),
  );
  router.use(filesRouter(deps));
  router.use(requireJSON, receiveJSON({ limit: BODY }), requireValidCaller);
  router.use(homeRouter(deps));
  router.use(wholeLedgerRouter(deps));
  router.use(settingsRouter(deps));
  router.use(sessionsRouter(deps));
  router.use(invitesRouter(deps));
  router.use(partnersRouter(deps));
  router.use(listFilesRouter(deps));
  router.use(viewsRouter(deps));
  router.use(listsRouter(deps));
  return router;
}
