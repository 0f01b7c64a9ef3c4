import express, { Router } from 'express';
import { stillLetIn } from '../auth/caller.ts';
import { jsonOnly } from '../listeners/errors.ts';
import { filesRouter, type FilesDeps } from './files.ts';
import { guard } from './guard.ts';
import { homeRouter, type HomeDeps } from './home.ts';
import { importRouter, type ImportDeps } from './import.ts';
import { invitesRouter } from './invites.ts';
import { wholeLedgerRouter } from './ledger.ts';
import { listsRouter } from './lists.ts';
import { partnersRouter, type PartnersDeps } from './partners.ts';
import { sessionsRouter, type SessionsDeps } from './sessions.ts';
import { settingsRouter, type SettingsDeps } from './settings.ts';

export type AppDeps = Omit<
  PartnersDeps & HomeDeps & ImportDeps & FilesDeps & SettingsDeps & SessionsDeps,
  'guard'
>;

const BODY = '1mb';

/** The app's own API under `/app` (contract/app.ts). Every route has its guard. */
export function appRouter(parts: AppDeps): Router {
  const deps = { ...parts, guard };
  const router = Router();
  router.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  // Files come as they are, before anything reads the body as JSON.
  router.use(importRouter(deps));
  router.use(filesRouter(deps));
  router.use(jsonOnly, express.json({ limit: BODY }), stillLetIn);
  router.use(homeRouter(deps));
  router.use(wholeLedgerRouter(deps));
  router.use('/settings', settingsRouter(deps));
  router.use('/sessions', sessionsRouter(deps));
  router.use('/invites', invitesRouter(deps));
  router.use('/partners', partnersRouter(deps));
  router.use('/lists', listsRouter(deps));
  return router;
}
