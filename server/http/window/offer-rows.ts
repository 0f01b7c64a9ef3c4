import { Router } from 'express';
import { fileNameOf } from '../../base/file-names.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Sync } from '../../sync/sync.ts';
import { waitingRows } from '../../app/waiting-rows.ts';
import { streamResponse } from '../listeners/stream-response.ts';
import { handleCall, handleFileCall } from './handle-call.ts';
import { quarantinedCsv } from './held-file.ts';

/**
 * Returns the router of an offer's rows, under `/app/partners/{n}/offers`: comparing, pulling again,
 * quarantined rows.
 */
export function offerRowsRouter(deps: {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly sync: Sync;
}): Router {
  const { federation, sync } = deps;
  const router = Router();

  handleCall(router, 'POST /app/partners/:n/offers/:s/compare', async ({ params }) => {
    const { nodeID } = await federation.nodes.get(params.n);
    return sync.compare(nodeID, params.s);
  });
  handleCall(router, 'POST /app/partners/:n/offers/:s/repull', async ({ params, body }) => {
    const { nodeID } = await federation.nodes.get(params.n);
    const found = await sync.repull(nodeID, params.s, body.recordIDs);
    const { created, updated, deleted, unchanged, failed } = found;
    return { created, updated, deleted, unchanged, failed };
  });
  handleCall(router, 'GET /app/partners/:n/offers/:s/waiting', ({ params, query }) =>
    waitingRows(deps, params.n, params.s, query.limit),
  );
  handleFileCall(router, 'GET /app/partners/:n/offers/:s/waiting.csv', async ({ params: { n, s } }, res) => {
    const { name } = await federation.shared.get(n, s);
    res.attachment(`${fileNameOf(name)}.csv`).type('text/csv');
    await streamResponse(res, quarantinedCsv(deps, n, s));
  });
  handleCall(router, 'POST /app/partners/:n/offers/:s/brake', async ({ params, body }) => {
    await sync.decisions.decide(params.n, params.s, body.go ? { apply: { mark: body.mark } } : 'keep');
  });
  handleCall(router, 'POST /app/partners/:n/offers/:s/settle', async ({ params }) => {
    await sync.decisions.settleKept(params.n, params.s);
  });
  return router;
}
