import { batchByCount } from '../../base/batches.ts';
import { createIDSet, type IDSet } from '../../base/id-set.ts';
import { omit } from '../../base/omit.ts';
import { createYielder } from '../../base/yield.ts';
import type { IncomingRow, Row, RowSource } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import type { RecordsPiece } from '../../peer/remote.ts';
import type { PulledPage } from './pages.ts';

/** Row ids of a full, uninterrupted read by time. */
export interface FullScan {
  /** Starts a read, from the first row if `whole`; discards the previous. */
  beginScan(whole: boolean): void;
  /** Records a page's ids, of unreadable rows too; ignored unless the read began at the first row. */
  addRows(piece: RecordsPiece): void;
  /** Undefined unless begun at the first row. */
  readonly seen: IDSet | undefined;
}

/**
 * Creates a record of all ids seen in one read, failed ones too, which shows the missing ones. `seen` is undefined
 * unless the read was whole.
 */
export function createFullScan(): FullScan {
  let seen: IDSet | undefined;
  return {
    /** Starts a read, which counts only from the first row (`whole`); discards the previous one. */
    beginScan(whole) {
      seen = whole ? createIDSet() : undefined;
    },
    /** Records the ids of a page's rows, unreadable ones' too; nothing unless the read began at the first row. */
    addRows({ records, bad }) {
      for (const { recordID } of [...records, ...bad]) seen?.add(recordID);
    },
    get seen() {
      return seen;
    },
  };
}

const PIECE = 500;

interface LocalState {
  readonly nodeID: string;
  readonly rows: Pick<Rows, 'scan' | 'findReceived'>;
  readonly failed: () => Iterable<string>;
  readonly isKept: (recordID: string) => boolean;
}

/**
 * Yields the pages of a pull by time; if it began at the first row and rows are missing, then the pages of a second full
 * read, and deletions of rows that both missed (page numbers shift when rows change). The checkpoint, `unread` until
 * then, moves only at the end. `read` records its rows in `reading`, `again` from the beginning. Throws PartnerError.
 */
export async function* detectMissingRows(
  read: (reading: FullScan, again: boolean) => AsyncGenerator<PulledPage>,
  unread: Pick<PulledPage, 'checkpoint'>,
  here: LocalState,
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
    for (const piece of batchByCount(gone, PIECE)) {
      const records = await toDeletions(here, piece);
      yield { records, bad: [], last: false, overrule: true, vanished: true, forgotten: piece };
    }
    yield { ...page, records: [], bad: [] };
  }
}

/**
 * Returns ids, at the partner, of failed rows and of live rows (neither deleted there nor purged here) that a read
 * didn't see; of live ones none that our user keeps.
 */
async function missingFrom(seen: IDSet, { nodeID, rows, failed, isKept }: LocalState): Promise<string[]> {
  const pause = createYielder();
  const missing = new Set([...failed()].filter((recordID) => !seen.has(recordID)));
  for await (const batch of rows.scan({ deleted: 1 })) {
    for (const row of batch) {
      const source = liveSourceFrom(row, nodeID);
      if (source && !seen.has(source.recordID) && !isKept(source.recordID)) missing.add(source.recordID);
    }
    await pause();
  }
  return [...missing];
}

/** Returns the row's source from this partner; undefined without one, or if deleted there or purged here. */
export function liveSourceFrom(row: Row, nodeID: string): RowSource | undefined {
  const source = sourceFrom(row, nodeID);
  return source?.deletedAt !== undefined || row.purged ? undefined : source;
}

/** Returns these rows as deletions by the partner, dated as our versions; not rows that aren't here. */
export async function toDeletions(
  { nodeID, rows }: Pick<LocalState, 'nodeID'> & { readonly rows: Pick<Rows, 'findReceived'> },
  recordIDs: readonly string[],
): Promise<IncomingRow[]> {
  const known = await rows.findReceived(nodeID, recordIDs);
  return known.flatMap((row): IncomingRow[] => {
    const source = row && sourceFrom(row, nodeID);
    if (!source) return [];
    const { recordID, createdAt, updatedAt } = source;
    return [{ recordID, createdAt, updatedAt, deletedAt: updatedAt, values: {} }];
  });
}
