import { Router } from 'express';
import { z } from 'zod';
import type { Ledger } from '../../federation/sharing/ledger.ts';
import { activityPage, activityQuery, everything } from '../../app/activity.ts';
import { chartOf } from '../../app/chart.ts';
import { failedRow } from '../../app/failed-row.ts';
import { servedEntries } from '../../app/served.ts';
import type { SummaryDeps } from '../../app/summary.ts';
import { sayerFor } from '../listeners/language.ts';
import { pathID } from '../listeners/path-id.ts';
import type { Guard } from './guard.ts';

export interface PartnerActivityDeps extends SummaryDeps {
  readonly ledger: Ledger;
  readonly guard: Guard;
  readonly now: () => number;
}

const failedQuery = z.object({ sharedModuleID: z.string().optional() });
const chartQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });

/** What has happened with a partner, and what could not be taken in, under `/app/partners/{n}`. */
export function partnerActivityRouter(deps: PartnerActivityDeps): Router {
  const { federation, sync, guard } = deps;
  const { nodes } = federation;
  const router = Router({ mergeParams: true });

  router.get('/activity', guard.read, async (req, res) => {
    const node = await nodes.get(pathID(req, 'n'));
    const partner = { nodeID: node.nodeID, served: await servedEntries(deps.ledger, node) };
    res.json({ response: await activityPage(sync, activityQuery.parse(req.query), sayerFor(req), partner) });
  });
  router.get('/failed', guard.read, async (req, res) => {
    const { sharedModuleID } = failedQuery.parse(req.query);
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    res.json({
      response: (await sync.failed(nodeID, sharedModuleID)).map((row) => failedRow(row, sayerFor(req))),
    });
  });
  router.post('/failed/retry', guard.write, async (req, res) => {
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    await sync.retryFailed(nodeID);
    res.json({ response: { waiting: (await sync.failed(nodeID)).length } });
  });
  router.get('/chart', guard.read, async (req, res) => {
    const { days } = chartQuery.parse(req.query);
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const pulls = (await everything(sync, nodeID)).map(({ at, counts }) => ({
      at,
      rows: counts ? counts.created + counts.updated + counts.deleted : 0,
    }));
    res.json({ response: chartOf(pulls, days, deps.now()) });
  });
  return router;
}
