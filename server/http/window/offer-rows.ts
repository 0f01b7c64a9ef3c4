import { Router } from 'express';
import { z } from 'zod';
import { brakeRequest, repullRequest } from '../../contract/app/pages.ts';
import type { Comparison } from '../../contract/app/sharing.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Sync } from '../../sync/sync.ts';
import { waitingRows } from '../../app/waiting-rows.ts';
import { pathID } from '../listeners/path-id.ts';
import { sendPieces } from '../listeners/send-pieces.ts';
import type { Guard } from './guard.ts';
import { heldCsv } from './held-file.ts';

const waitingQuery = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(5) });

/** The rows of one offer, under `/app/partners/{n}/offers/{s}`: compared, fetched again, or waiting for a yes. */
export function offerRowsRouter(deps: {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly sync: Sync;
  readonly guard: Guard;
}): Router {
  const { federation, sync, guard } = deps;
  const router = Router({ mergeParams: true });

  router.post('/compare', guard.write, async (req, res) => {
    const { nodeID } = await federation.nodes.get(pathID(req, 'n'));
    const { differing, ...found } = await sync.compare(nodeID, pathID(req, 's'));
    const response = { ...found, differing: differing.map((row) => ({ ...row, columns: [...row.columns] })) };
    res.json({ response } satisfies { response: Comparison });
  });

  router.post('/repull', guard.write, async (req, res) => {
    const { recordIDs } = repullRequest.parse(req.body);
    const { nodeID } = await federation.nodes.get(pathID(req, 'n'));
    const { created, updated, deleted, unchanged, failed } = await sync.repull(
      nodeID,
      pathID(req, 's'),
      recordIDs,
    );
    res.json({ response: { created, updated, deleted, unchanged, failed } });
  });

  router.get('/waiting', guard.read, async (req, res) => {
    const { limit } = waitingQuery.parse(req.query);
    res.json({ response: await waitingRows(deps, pathID(req, 'n'), pathID(req, 's'), limit) });
  });

  router.get('/waiting.csv', guard.read, async (req, res) => {
    const [n, s] = [pathID(req, 'n'), pathID(req, 's')];
    const { name } = await federation.shared.get(n, s);
    res.attachment(`${name.replace(/[^\p{L}\p{N} _-]+/gu, '')}.csv`).type('text/csv');
    await sendPieces(res, heldCsv(deps, n, s));
  });

  router.post('/brake', guard.write, async (req, res) => {
    const { go } = brakeRequest.parse(req.body);
    await sync.decideHeld(pathID(req, 'n'), pathID(req, 's'), go ? 'apply' : 'keep');
    res.json({});
  });

  return router;
}
