import { Router } from 'express';
import { z } from 'zod';
import type { Federation } from '../../federation/federation.ts';
import type { Node } from '../../federation/model.ts';
import type { Ledger } from '../../federation/sharing/ledger.ts';
import { ledgerCSV } from '../../federation/sharing/ledger-csv.ts';
import type { Lists } from '../../lists/lists.ts';
import { columnNames } from '../../app/column-names.ts';
import { omit } from '../../base/omit.ts';
import type { Guard } from './guard.ts';
import { pathID } from '../listeners/path-id.ts';
import { sendPieces } from '../listeners/send-pieces.ts';

const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  perPage: z.coerce.number().int().min(1).max(200).default(50),
});

/** `/app/partners/{n}/ledger` and `…/ledger.csv`: what left, when, to whom. */
export function ledgerRouter(deps: {
  readonly federation: Federation;
  readonly ledger: Ledger;
  readonly lists: Pick<Lists, 'modules'>;
  readonly guard: Guard;
}): Router {
  const { federation, ledger, guard } = deps;
  const router = Router({ mergeParams: true });

  router.get('/ledger', guard.read, async (req, res) => {
    const { page, perPage } = pageQuery.parse(req.query);
    const { nodeID } = await partnerOf(federation, pathID(req, 'n'));
    const { total, lines } = await ledger.page(nodeID, { page, perPage });
    const called = await columnNames(deps, nodeID);
    const shown = lines.map((line) => ({
      ...omit(line, 'nodeID', 'moduleID'),
      columns: line.fields.map((name) => called(line.moduleID, name)),
      rows: line.recordIDs.length,
    }));
    res.json({ response: { page, perPage, total, lines: shown } });
  });

  router.get('/ledger.csv', guard.read, async (req, res) => {
    const { nodeID, name } = await partnerOf(federation, pathID(req, 'n'));
    res.attachment(`ledger ${name.replace(/[^\p{L}\p{N} _-]+/gu, '')}.csv`);
    res.type('text/csv');
    await sendPieces(res, ledgerCSV(ledger, [{ nodeID, name }]));
  });

  return router;
}

/** `/app/ledger.csv`: what left to whomever, former partners included. */
export function wholeLedgerRouter(deps: {
  readonly federation: Federation;
  readonly ledger: Ledger;
  readonly guard: Guard;
}): Router {
  const router = Router();
  router.get('/ledger.csv', deps.guard.read, async (_req, res) => {
    res.attachment('ledger.csv').type('text/csv');
    await sendPieces(res, ledgerCSV(deps.ledger, await deps.federation.nodes.list({ deleted: true })));
  });
  return router;
}

/** The partner, also one that was removed: what left to it stays known. @throws Refusal `not-found` */
async function partnerOf(federation: Federation, n: string): Promise<Node> {
  const former = (await federation.nodes.list({ deleted: true })).find(({ nodeID }) => nodeID === n);
  return former ?? federation.nodes.get(n);
}
