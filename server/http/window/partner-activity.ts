import { Router } from 'express';
import type { Ledger } from '../../federation/sharing/ledger.ts';
import { activityPage, allActivity } from '../../app/activity.ts';
import { chartOf } from '../../app/chart.ts';
import { failedRow } from '../../app/failed-row.ts';
import { servedEntries } from '../../app/served-entries.ts';
import type { SummaryDeps } from '../../app/summary.ts';
import { handleCall } from './handle-call.ts';

export interface PartnerActivityDeps extends SummaryDeps {
  readonly ledger: Ledger;
  readonly now: () => number;
}

/** Returns the router of a partner's activity, chart and failed rows, under `/app/partners/{n}`. */
export function partnerActivityRouter(deps: PartnerActivityDeps): Router {
  const { federation, sync } = deps;
  const { nodes } = federation;
  const router = Router();

  handleCall(router, 'GET /app/partners/:n/activity', async ({ params, query, say }) => {
    const node = await nodes.get(params.n);
    const partner = { nodeID: node.nodeID, served: await servedEntries(deps.ledger, node) };
    return activityPage(sync, query, say, partner);
  });
  handleCall(router, 'GET /app/partners/:n/failed', async ({ params, query, say }) => {
    const { nodeID } = await nodes.get(params.n);
    return (await sync.failedRows.list(nodeID, query.sharedModuleID)).map((row) => failedRow(row, say));
  });
  handleCall(router, 'POST /app/partners/:n/failed/retry', async ({ params }) => {
    const { nodeID } = await nodes.get(params.n);
    await sync.failedRows.retry(nodeID);
    return { waiting: await sync.failedRows.count(nodeID) };
  });
  handleCall(router, 'GET /app/partners/:n/chart', async ({ params, query }) => {
    const { nodeID } = await nodes.get(params.n);
    const pulls = (await allActivity(sync, nodeID)).map(({ at, counts }) => ({
      at,
      rows: counts ? counts.created + counts.updated + counts.deleted : 0,
    }));
    return chartOf(pulls, query.days, deps.now());
  });
  return router;
}
