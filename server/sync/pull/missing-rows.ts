import { createIDSet, type IDSet } from '../../base/id-set.ts';
import { omit } from '../../base/omit.ts';
import { createYielder } from '../../base/yield.ts';
import type { IncomingRow, Row, Way } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import type { RecordsPiece } from '../../peer/remote.ts';
import type { PulledPage } from './pages.ts';

/** What a reading by time showed, where it was of all rows and was not cut off. */
export interface FullScan {
  /** It begins; `whole`: with the first of all rows. What was noted of one before does not count. */
  begins(whole: boolean): void;
  rows(piece: RecordsPiece): void;
  /** Undefined: not all rows were read in one go. */
  readonly seen: IDSet | undefined;
}

export function createFullScan(): FullScan {
  let seen: IDSet | undefined;
  return {
    begins(whole) {
      seen = whole ? createIDSet() : undefined;
    },
    rows({ records, bad }) {
      for (const { recordID } of [...records, ...bad]) seen?.add(recordID);
    },
    get seen() {
      return seen;
    },
  };
}

/** Rows told as gone in one page. */
const PIECE = 500;

interface Here {
  readonly nodeID: string;
  readonly rows: Pick<Rows, 'scan' | 'findReceived'>;
  /** Ids, at the partner, of rows that could not be taken in and wait for that. */
  readonly failed: () => Iterable<string>;
  /** Our user kept the row although it is gone there. */
  readonly isKept: (recordID: string) => boolean;
}

/**
 * The pages of a pull by time, and behind them the rows of ours that the partner does not have any more: one that drops
 * rows without a word tells it by their absence alone. Rows that a whole reading did not show are looked for by a second
 * one before they are told, as page numbers shift when rows change meanwhile. Until that is over, the checkpoint stays
 * where it was: a pull that ends before begins anew. One that could never be taken in is waited for no longer.
 * @param read the pages of a pull; `again`: from the beginning
 * @throws PartnerError
 */
export async function* detectMissingRows(
  read: (reading: FullScan, again: boolean) => AsyncGenerator<PulledPage>,
  unread: Pick<PulledPage, 'checkpoint'>,
  here: Here,
): AsyncGenerator<PulledPage> {
  const first = createFullScan();
  for await (const page of read(first, false)) {
    const doubted = page.last && first.seen ? await missingFrom(first.seen, here) : [];
    if (doubted.length === 0) {
      yield page;
      continue;
    }
    yield { ...page, ...unread, last: false };
    const second = createFullScan();
    for await (const once of read(second, true)) yield { ...omit(once, 'checkpoint'), last: false };
    const gone = doubted.filter((recordID) => second.seen?.has(recordID) === false);
    for (let at = 0; at < gone.length; at += PIECE) {
      const piece = gone.slice(at, at + PIECE);
      const records = await deletions(here, piece);
      yield { records, bad: [], last: false, overrule: true, vanished: true, forgotten: piece };
    }
    yield { ...page, records: [], bad: [] };
  }
}

/** Ids, at the partner, of rows that we have from it, or could not take in, and that are not among these. */
async function missingFrom(seen: IDSet, { nodeID, rows, failed, isKept }: Here): Promise<string[]> {
  const pause = createYielder();
  const missing = new Set([...failed()].filter((recordID) => !seen.has(recordID)));
  for await (const batch of rows.scan({ deleted: 1 })) {
    for (const row of batch) {
      const way = broughtBy(row, nodeID);
      if (way && !seen.has(way.recordID) && !isKept(way.recordID)) missing.add(way.recordID);
    }
    await pause();
  }
  return [...missing];
}

function broughtBy(row: Row, nodeID: string): Way | undefined {
  const way = wayFrom(row, nodeID);
  return way?.deletedAt !== undefined || row.purged ? undefined : way;
}

/** These rows, as of the versions that we have, as if the partner had deleted them. */
export async function deletions(
  { nodeID, rows }: Pick<Here, 'nodeID'> & { readonly rows: Pick<Rows, 'findReceived'> },
  recordIDs: readonly string[],
): Promise<IncomingRow[]> {
  const known = await rows.findReceived(nodeID, recordIDs);
  return known.flatMap((row): IncomingRow[] => {
    const way = row && wayFrom(row, nodeID);
    if (!way) return [];
    const { recordID, createdAt, updatedAt } = way;
    return [{ recordID, createdAt, updatedAt, deletedAt: updatedAt, values: {} }];
  });
}
