import type { SharedModule } from '../../federation/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { RemoteRecord } from '../../peer/remote.ts';
import type { PulledPage } from './pages.ts';

/** Rows asked for at a time; the partner takes 500 at most. */
const PIECE = 200;

/**
 * Named rows as the partner has them now, as pages of a pull. A row that the partner does not show any more
 * counts as deleted by it, as of the version that we have, and meets the brake like any other deletion.
 */
export async function* againPages(
  source: {
    readonly calls: CompareCalls;
    readonly shared: Pick<SharedModule, 'nodeID' | 'externalFederationModuleID'>;
    readonly rows: Pick<Rows, 'findReceived'>;
    readonly signal: AbortSignal;
  },
  recordIDs: readonly string[],
): AsyncGenerator<PulledPage> {
  const { calls, shared, rows, signal } = source;
  for (let at = 0; at < recordIDs.length; at += PIECE) {
    const piece = recordIDs.slice(at, at + PIECE);
    const answered = new Set<string>();
    for await (const { records, bad } of await calls.rows(shared.externalFederationModuleID, piece, signal)) {
      for (const { recordID } of [...records, ...bad]) answered.add(recordID);
      yield { records, bad, last: false, overrule: true };
    }
    const gone = await deletions(
      shared.nodeID,
      rows,
      piece.filter((recordID) => !answered.has(recordID)),
    );
    if (gone.length > 0) yield { records: gone, bad: [], last: false, overrule: true };
  }
}

async function deletions(
  nodeID: string,
  rows: Pick<Rows, 'findReceived'>,
  recordIDs: readonly string[],
): Promise<RemoteRecord[]> {
  const known = await rows.findReceived(nodeID, recordIDs);
  return known.flatMap((row): RemoteRecord[] => {
    const way = row && wayFrom(row, nodeID);
    if (!way) return [];
    const { recordID, createdAt, updatedAt } = way;
    return [{ recordID, createdAt, updatedAt, deletedAt: updatedAt, values: new Map() }];
  });
}
