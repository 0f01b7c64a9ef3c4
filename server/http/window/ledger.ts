import { Router } from 'express';
import { fileNameOf } from '../../base/file-names.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Node } from '../../federation/model.ts';
import type { ConditionAnswer } from '../../contract/condition.ts';
import { conditionAnswer } from '../../app/condition-answer.ts';
import type { Ledger, LedgerLine } from '../../federation/sharing/ledger.ts';
import type { Lists } from '../../lists/lists.ts';
import { createColumnNamer, listFormerPartners } from '../../app/sharing-log.ts';
import { omit } from '../../base/omit.ts';
import { handleCall, handleFileCall } from './handle-call.ts';
import { streamResponse } from '../listeners/stream-response.ts';

interface LedgerDeps {
  readonly federation: Federation;
  readonly ledger: Ledger;
  readonly lists: Pick<Lists, 'modules'>;
}

/** A line may have a million ids; the file has all. */
const MAX_IDS = 100;

/** Serves a partner's sharing log, by pages and as CSV. */
export function ledgerRouter(deps: LedgerDeps): Router {
  const { federation, ledger } = deps;
  const router = Router();

  handleCall(router, 'GET /app/partners/:n/ledger', async ({ params, query: { page, perPage } }) => {
    const { nodeID } = await partnerOf(federation, params.n);
    const { total, lines } = await ledger.page(nodeID, { page, perPage });
    const called = await createColumnNamer(deps, nodeID);
    const shown = lines.map((line) => ({
      ...omit(line, 'nodeID', 'moduleID', 'condition'),
      ...conditionOf(line),
      columns: line.fields.map((name) => called(line.moduleID, name)),
      rows: line.recordIDs.length,
      recordIDs: line.recordIDs.slice(0, MAX_IDS),
    }));
    return { page, perPage, total, lines: shown };
  });
  handleFileCall(router, 'GET /app/partners/:n/ledger.csv', async ({ params }, res) => {
    const { nodeID, name } = await partnerOf(federation, params.n);
    res.attachment(`${fileNameOf(`ledger ${name}`)}.csv`);
    res.type('text/csv');
    const { ledgerCSV } = await import('../../federation/sharing/ledger-csv.ts');
    await streamResponse(res, ledgerCSV(ledger, [{ nodeID, name }]));
  });
  return router;
}

/** Returns the line's condition as the window shows it; {} without one. */
function conditionOf(line: Pick<LedgerLine, 'condition'>): { condition?: ConditionAnswer } {
  const condition = conditionAnswer(line.condition);
  return condition ? { condition } : {};
}

/** Serves former partners, and all partners' sharing log as CSV. */
export function wholeLedgerRouter({ federation, ledger }: Omit<LedgerDeps, 'lists'>): Router {
  const router = Router();
  handleCall(router, 'GET /app/former-partners', () => listFormerPartners(federation, ledger));
  handleFileCall(router, 'GET /app/ledger.csv', async (_, res) => {
    res.attachment('ledger.csv').type('text/csv');
    const { ledgerCSV } = await import('../../federation/sharing/ledger-csv.ts');
    await streamResponse(res, ledgerCSV(ledger, await federation.nodes.list({ deleted: true })));
  });
  return router;
}

/** Finds a partner by id, even a removed one by our id. Throws `node.unknown` (404). */
async function partnerOf(federation: Federation, n: string): Promise<Node> {
  const former = (await federation.nodes.list({ deleted: true })).find(({ nodeID }) => nodeID === n);
  return former ?? federation.nodes.get(n);
}
