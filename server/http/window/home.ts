import { Router } from 'express';
import { z } from 'zod';
import type { Counts } from '../../contract/app/overview.ts';
import { pauseRequest } from '../../contract/wire/upkeep.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Clock } from '../../base/clock.ts';
import type { Sync } from '../../sync/sync.ts';
import type { EventStream } from '../listeners/event-stream.ts';
import { languageOf, regionOf, sayerFor } from '../listeners/language.ts';
import { activityPage, activityQuery } from '../../app/activity.ts';
import type { Dismissals } from '../../app/dismissals.ts';
import type { Guard } from './guard.ts';
import type { OverviewSource } from '../../app/overview.ts';
import { checkReachability } from '../../app/reachability.ts';

export interface HomeDeps {
  readonly federation: Federation;
  readonly sync: Sync;
  readonly overview: OverviewSource;
  readonly dismissals: Dismissals;
  readonly events: EventStream;
  readonly clock: Clock;
  readonly guard: Guard;
}

/** `/app/overview`, `/app/events`, the inbox, and what concerns all partners at once. */
export function homeRouter(deps: HomeDeps): Router {
  const { federation, sync, guard, events } = deps;
  const router = Router();

  router.get('/overview', guard.read, async (req, res) => {
    res.json({ response: await deps.overview.overview(languageOf(req), regionOf(req)) });
  });
  router.get('/events', guard.read, events.handler);

  router.get('/activity', guard.read, async (req, res) => {
    res.json({ response: await activityPage(sync, activityQuery.parse(req.query), sayerFor(req)) });
  });
  router.post('/inbox/:itemID/dismiss', guard.write, async (req, res) => {
    const itemID = z.string().min(1).max(300).parse(req.params.itemID);
    await deps.dismissals.add(itemID, new Date(deps.clock.now()).toISOString());
    events.send({ type: 'overview' });
    res.json({});
  });

  router.post('/sync', guard.write, async (_req, res) => {
    res.json({ response: await syncAll(deps) });
  });
  router.post('/pause', guard.admin, async (req, res) => {
    const wish = pauseRequest.parse(req.body ?? {});
    for (const { nodeID } of await federation.nodes.list()) await federation.nodes.pause(nodeID, wish);
    res.json({});
  });
  router.post('/resume', guard.admin, async (_req, res) => {
    for (const { nodeID } of await federation.nodes.list()) await federation.nodes.resume(nodeID);
    res.json({});
  });

  router.get('/reachability', guard.read, async (req, res) => {
    const { addresses, reachable } = await deps.overview.overview(languageOf(req));
    res.json({
      response: await checkReachability(
        { addresses, open: reachable, pin: federation.invites.ownPin() },
        sayerFor(req),
      ),
    });
  });

  return router;
}

/** Syncs with every connected partner at once; one that fails shows it in its own state. */
export async function syncAll({ federation, sync }: Pick<HomeDeps, 'federation' | 'sync'>): Promise<Counts> {
  const nodes = (await federation.nodes.list()).filter(({ status }) => status === 'paired');
  const results = await Promise.allSettled(nodes.map(({ nodeID }) => sync.syncNow(nodeID)));
  const total: Counts = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 };
  for (const result of results) {
    if (result.status === 'rejected') continue;
    for (const name of ['created', 'updated', 'deleted', 'unchanged', 'failed'] as const) {
      total[name] += result.value[name];
    }
  }
  return total;
}
