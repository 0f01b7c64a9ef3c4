import type { IncomingRow } from '../../lists/definitions/model.ts';
import { Router } from 'express';
import type { Federation } from '../../federation/federation.ts';
import type { SharedModule } from '../../federation/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Sync } from '../../sync/sync.ts';
import { matchList, unmatchList } from '../../app/match-lists.ts';
import { createListFromOffer, listOffers } from '../../app/offers.ts';
import { handleCall, handleFileCall } from './handle-call.ts';
import { suggestMappings } from '../../app/suggestions.ts';
import { pairComparableColumns, countReceivedDuplicates } from '../../app/duplicate-pairs.ts';
import { fileNameOf } from '../../base/file-names.ts';
import { listWaitingRows } from '../../app/waiting-rows.ts';
import { streamResponse } from '../listeners/stream-response.ts';
import { quarantinedCsv } from './held-file.ts';

/** Rows examined on each side before a pull: one page of the partner's. */
const LOOKED_AT = 500;

export interface OffersDeps {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly sync: Sync;
  /** Returns an offered list's first rows; default: a few. */
  readonly samples: (offered: SharedModule, most?: number) => Promise<readonly IncomingRow[]>;
}

/**
 * Serves a partner's offers: suggested matches, duplicates to expect, the mapping to one of our lists or a new one, its
 * end, dismissal, and comparison, refetching and approval of rows.
 */
export function offersRouter(deps: OffersDeps): Router {
  const { federation, lists, sync } = deps;
  const router = Router();

  handleCall(router, 'GET /app/partners/:n/offers', ({ params, say }) => listOffers(deps, params.n, say));
  handleCall(router, 'GET /app/partners/:n/offers/:s/suggest', async ({ params, query, say }) => {
    const offered = await federation.shared.get(params.n, params.s);
    const module = await lists.module(query.moduleID);
    const samples = await deps.samples(offered);
    const { rows } = await (await lists.rows(module.moduleID)).list({ limit: LOOKED_AT });
    return suggestMappings(offered.fields, module.fields, samples, say, rows);
  });
  handleCall(router, 'POST /app/partners/:n/offers/:s/twice', async ({ params, body }) => {
    const offered = await federation.shared.get(params.n, params.s);
    const module = await lists.module(body.moduleID);
    const theirs = await deps.samples(offered, LOOKED_AT);
    return countReceivedDuplicates(
      await lists.rows(module.moduleID),
      pairComparableColumns(offered, module, body.matches),
      theirs,
      offered.nodeID,
    );
  });
  handleCall(router, 'PUT /app/partners/:n/offers/:s/matching', ({ params: { n, s }, body, by }) =>
    matchList(deps, n, s, { ...body, by }),
  );
  handleCall(
    router,
    'DELETE /app/partners/:n/offers/:s/matching',
    ({ params: { n, s }, query: { rows }, by }) => unmatchList(deps, n, s, { rows, by }),
  );
  handleCall(router, 'POST /app/partners/:n/offers/:s/list', async ({ params: { n, s }, body }) => {
    const { moduleID, namespaceID } = await createListFromOffer(deps, n, s, body.name);
    sync.poke(n);
    return { moduleID, namespaceID };
  });
  handleCall(router, 'POST /app/partners/:n/offers/:s/dismiss', async ({ params }) => {
    await federation.shared.dismiss(params.n, params.s, true);
  });
  handleCall(router, 'POST /app/partners/:n/offers/:s/recall', async ({ params }) => {
    await federation.shared.dismiss(params.n, params.s, false);
  });

  router.use(offerRowsRouter(deps));
  return router;
}

/** Serves the comparison and refetching of an offer's rows, and its quarantined ones with the decision about them. */
function offerRowsRouter(deps: {
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
    listWaitingRows(deps, params.n, params.s, query.limit),
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
    await sync.decisions.markKeptAsSettled(params.n, params.s);
  });
  return router;
}
