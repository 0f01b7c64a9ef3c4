import type { SharedModule } from '../../federation/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { OtherOffers } from './other-offers.ts';
import type { PulledPage } from './pages.ts';
import { deletions } from './missing-rows.ts';

/** Rows per request; the partner accepts 500 at most. */
const PIECE = 200;

/**
 * Yields named rows in their present state, as pages of a pull. A row that the partner no longer shows counts
 * as deleted, as of the version that we have, and passes the deletion guard; unless another of the partner's
 * lists that come into the same one shows it. If it may belong to a former list, its removal needs approval
 * in any number.
 */
export async function* refetchPages(
  source: {
    readonly calls: CompareCalls;
    readonly shared: Pick<SharedModule, 'nodeID' | 'externalFederationModuleID'>;
    readonly rows: Pick<Rows, 'findReceived'>;
    readonly otherOffers: OtherOffers;
    readonly signal: AbortSignal;
  },
  recordIDs: readonly string[],
): AsyncGenerator<PulledPage> {
  const { calls, shared, rows, otherOffers, signal } = source;
  for (let at = 0; at < recordIDs.length; at += PIECE) {
    const piece = recordIDs.slice(at, at + PIECE);
    const answered = new Set<string>();
    for await (const { records, bad } of calls.rows(shared.externalFederationModuleID, piece, signal)) {
      for (const { recordID } of [...records, ...bad]) answered.add(recordID);
      yield { records, bad, last: false, overrule: true };
    }
    for (const moduleID of otherOffers.offers) {
      const asked = piece.filter((recordID) => !answered.has(recordID));
      if (asked.length === 0) break;
      for await (const { records, bad } of calls.rows(moduleID, asked, signal))
        for (const { recordID } of [...records, ...bad]) answered.add(recordID);
    }
    const missing = piece.filter((recordID) => !answered.has(recordID));
    const gone = await deletions({ nodeID: shared.nodeID, rows }, missing);
    const flags = otherOffers.isUntold ? ({ vanished: true } as const) : {};
    if (gone.length > 0) yield { records: gone, bad: [], last: false, overrule: true, ...flags };
  }
}
