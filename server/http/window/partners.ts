import { Router } from 'express';
import { z } from 'zod';
import { disconnectRequest, type DisconnectEffect } from '../../contract/app/sharing.ts';
import { fallbackRequest, partnerChange, wordsRequest } from '../../contract/app/pages.ts';
import { pauseRequest } from '../../contract/wire/upkeep.ts';
import type { Ledger } from '../../federation/sharing/ledger.ts';
import type { PartnersEye } from '../../federation/sharing/partners-eye.ts';
import { sayerFor } from '../listeners/language.ts';
import { activityPage, activityQuery, everything } from '../../app/activity.ts';
import { chartOf } from '../../app/chart.ts';
import { failedRow } from '../../app/failed-row.ts';
import { userOf } from './guard.ts';
import { ledgerRouter } from './ledger.ts';
import { offersRouter, type OffersDeps } from './offers.ts';
import { pathID } from '../listeners/path-id.ts';
import { readPartner } from '../../app/partner-reading.ts';
import { servedEntries } from '../../app/served.ts';
import { sharesRouter } from './shares.ts';
import { partnerDetail, partnerSummary, type SummaryDeps } from '../../app/summary.ts';

export interface PartnersDeps extends SummaryDeps, OffersDeps {
  readonly ledger: Ledger;
  readonly eye: PartnersEye;
  readonly now: () => number;
}

const failedQuery = z.object({ sharedModuleID: z.string().optional() });
const chartQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });

/** `/app/partners`: each partner with what is shared, received, connected and has happened. */
export function partnersRouter(deps: PartnersDeps): Router {
  const { federation, sync, guard } = deps;
  const { nodes } = federation;
  const router = Router();

  router.get('/', guard.read, async (req, res) => {
    const all = await nodes.list();
    const say = sayerFor(req);
    const response = await Promise.all(
      all.map(async (node) => partnerSummary(deps, await readPartner(deps, node), say)),
    );
    res.json({ response });
  });
  router.get('/:n', guard.read, async (req, res) => {
    res.json({ response: await partnerDetail(deps, await nodes.get(pathID(req, 'n')), sayerFor(req)) });
  });
  router.patch('/:n', guard.admin, async (req, res) => {
    const change = partnerChange.parse(req.body);
    const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const node = await nodes.update(pathID(req, 'n'), known, userOf(req));
    sync.poke(node.nodeID);
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });

  router.post('/:n/approve', guard.admin, async (req, res) => {
    const node = await nodes.confirm(pathID(req, 'n'));
    sync.poke(node.nodeID);
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });
  router.post('/:n/decline', guard.admin, async (req, res) => {
    await nodes.decline(pathID(req, 'n'), userOf(req));
    res.json({});
  });
  router.post('/:n/words', guard.admin, async (req, res) => {
    const { words, same } = wordsRequest.parse(req.body);
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const node = await nodes.wordsCompared(nodeID, words, same, userOf(req));
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });
  router.post('/:n/pair', guard.admin, async (req, res) => {
    res.json({ response: await partnerDetail(deps, await nodes.pair(pathID(req, 'n')), sayerFor(req)) });
  });
  router.post('/:n/reinvite', guard.admin, async (req, res) => {
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const { uri, expiresAt } = await federation.invites.create(nodeID);
    res.json({ response: { nodeID, uri, expiresAt } });
  });

  router.post('/:n/sync', guard.write, async (req, res) => {
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const { created, updated, deleted, unchanged, failed } = await sync.syncNow(nodeID);
    res.json({ response: { created, updated, deleted, unchanged, failed } });
  });
  router.post('/:n/pause', guard.admin, async (req, res) => {
    await nodes.pause(pathID(req, 'n'), pauseRequest.parse(req.body ?? {}));
    res.json({});
  });
  router.post('/:n/resume', guard.admin, async (req, res) => {
    const { nodeID } = await nodes.resume(pathID(req, 'n'));
    sync.poke(nodeID);
    res.json({});
  });

  router.put('/:n/fallback', guard.admin, async (req, res) => {
    const { on } = fallbackRequest.parse(req.body);
    const node = await nodes.get(pathID(req, 'n'));
    await sync.setFallback(node.nodeID, on);
    sync.poke(node.nodeID);
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });

  router.get('/:n/disconnect', guard.read, async (req, res) => {
    res.json({ response: await disconnectEffect(deps, pathID(req, 'n')) });
  });
  router.post('/:n/disconnect', guard.admin, async (req, res) => {
    const { received, askRemoval = false } = disconnectRequest.parse(req.body);
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    await nodes.remove(nodeID, userOf(req), { removeRequest: askRemoval, received });
    await sync.settled(nodeID);
    for (const { moduleID } of await deps.lists.modules()) {
      await (await deps.lists.rows(moduleID)).releaseFrom(nodeID, received);
    }
    res.json({});
  });

  router.get('/:n/activity', guard.read, async (req, res) => {
    const node = await nodes.get(pathID(req, 'n'));
    const partner = { nodeID: node.nodeID, served: await servedEntries(deps.ledger, node) };
    res.json({ response: await activityPage(sync, activityQuery.parse(req.query), sayerFor(req), partner) });
  });
  router.get('/:n/failed', guard.read, async (req, res) => {
    const { sharedModuleID } = failedQuery.parse(req.query);
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    res.json({
      response: (await sync.failed(nodeID, sharedModuleID)).map((row) => failedRow(row, sayerFor(req))),
    });
  });
  router.post('/:n/failed/retry', guard.write, async (req, res) => {
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    await sync.retryFailed(nodeID);
    res.json({ response: { waiting: (await sync.failed(nodeID)).length } });
  });
  router.get('/:n/chart', guard.read, async (req, res) => {
    const { days } = chartQuery.parse(req.query);
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const pulls = (await everything(sync, nodeID)).map(({ at, counts }) => ({
      at,
      rows: counts ? counts.created + counts.updated + counts.deleted : 0,
    }));
    res.json({ response: chartOf(pulls, days, deps.now()) });
  });

  router.use('/:n', ledgerRouter(deps));
  router.use('/:n/shares', sharesRouter(deps));
  router.use('/:n/offers', offersRouter(deps));
  return router;
}

/** Those that others bring too stay in any case. */
async function rowsOfItsOwn({ lists }: PartnersDeps, nodeID: string): Promise<number> {
  const modules = await lists.modules();
  const counts = modules.map(async ({ moduleID }) => (await lists.rows(moduleID)).countOnlyFrom(nodeID));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function disconnectEffect(deps: PartnersDeps, n: string): Promise<DisconnectEffect> {
  const { nodeID } = await deps.federation.nodes.get(n);
  const [exposures, mappings, totals, rows] = await Promise.all([
    deps.federation.exposures.list(nodeID),
    deps.federation.mappings.list(nodeID),
    deps.ledger.totals(nodeID),
    rowsOfItsOwn(deps, nodeID),
  ]);
  return {
    receivedRows: rows,
    receivedLists: new Set(mappings.map((mapping) => mapping.composeModuleID)).size,
    sharedLists: exposures.length,
    rowsSent: [...totals.values()].reduce((sum, total) => sum + total.rows, 0),
  };
}
