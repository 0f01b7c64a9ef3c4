import type { Partition, Table, Tx } from '../../store/store.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import { isFilled } from '../../lists/values/value-sets.ts';
import type { Loss } from './threshold.ts';
import type { ElapsedMark, ElapsedTimer } from '../../base/elapsed-timer.ts';

/** A partner's removals within half an hour. */
interface Spent {
  /** Milliseconds from the start of that half hour to the quota's mark. */
  readonly ago: number;
  readonly removes: number;
  readonly empties: number;
  /** Maximum number of the partner's rows during it. */
  readonly of: number;
  /** Number of rows at its start plus those gone within a day; absent in older versions. */
  readonly before?: number;
}

/** Rows that lost a column's value since a row with one arrived; or the user's decision about such rows. */
type ColumnRun = number | 'approved' | 'kept';

interface StoredBudget {
  readonly at: ElapsedMark;
  /** Newest first. */
  readonly spent: readonly Spent[];
  /** By our id of the shared module and our column's name; absent in older versions. */
  readonly runs?: Readonly<Record<string, Readonly<Record<string, ColumnRun>>>>;
}

/** Key: our id of the partner. In the receiving list's partition. */
const BUDGETS: Table<StoredBudget> = { name: 'sync-losses' };

const PIECE = 30 * 60_000;
const DAY = 24 * 3_600_000;

/** What one partner removed from a list within a day, by many small pulls (docs/architecture.md: The pull engine). */
export interface LossQuota {
  /** Returns the last day's losses, and the maximum number of the partner's rows. */
  spent(): Loss;
  /** Returns the number of rows to compare losses with: rows that arrived today don't count. */
  measure(): number;
  /** Counts rows that are removed or emptied in this transaction. */
  spend(tx: Tx, loss: Omit<Loss, 'of'>): void;
  /** Stores elapsed time and row count now and then. */
  keep(tx: Tx): void;
  /**
   * Returns in how many rows this column lost its value since a row with one arrived: 0 after the user's approval,
   * Infinity after a rejection.
   */
  run(column: string): number;
  /** Counts arrived rows for {@link run}. @param emptied columns that rows among them lose, once for each row */
  countColumns(tx: Tx, rows: readonly IncomingRow[], emptied: readonly string[]): void;
}

/** A shared module, and the columns that it fills here. */
interface FilledColumns {
  readonly sharedModuleID: string;
  readonly columns: readonly string[];
}

/**
 * Opens the count of rows that a partner removed or emptied in one list of ours within a day. `spend` and `keep`
 * store it. @param received the partner's number of rows in the list; 0 until it was once read completely @param
 * filled the columns whose losses are counted each
 */
export async function openLossQuota(
  partition: Partition,
  nodeID: string,
  received: number,
  time: ElapsedTimer,
  { sharedModuleID, columns }: FilledColumns,
): Promise<LossQuota> {
  const stored = await partition.get(BUDGETS, nodeID);
  let noted = stored?.at ?? time.mark();
  let pieces = stored?.spent ?? [];
  const runs = new Map(Object.entries(stored?.runs?.[sharedModuleID] ?? {}));
  for (const column of runs.keys()) if (!columns.includes(column)) runs.delete(column);
  /** Columns of which a value arrived since the quota was opened. */
  const arrived = new Set<string>();

  /** Stores the whole count in this transaction. */
  const store = (tx: Tx): void =>
    tx.put(BUDGETS, nodeID, {
      at: noted,
      spent: pieces,
      runs: { ...stored?.runs, [sharedModuleID]: Object.fromEntries(runs) },
    });

  const lastDay = (): readonly Spent[] => {
    const passed = time.since(noted);
    return pieces.filter(({ ago }) => ago + passed < DAY);
  };
  /** Returns the sums of the last day, and the greatest number of the partner's rows within it. */
  const spent = (): Loss => ({
    removes: lastDay().reduce((sum, { removes }) => sum + removes, 0),
    empties: lastDay().reduce((sum, { empties }) => sum + empties, 0),
    of: Math.max(received, ...lastDay().map(({ of }) => of)),
  });
  const before = received + spent().removes;

  /** Moves the time mark to now and drops entries older than a day. */
  function dropExpired(): void {
    const passed = time.since(noted);
    noted = time.mark();
    pieces = pieces.map((piece) => ({ ...piece, ago: piece.ago + passed })).filter(({ ago }) => ago < DAY);
  }

  /** Adds losses to the entry of the current half hour, or begins one, and stores the count. */
  function addToCurrent(tx: Tx, { removes, empties }: Omit<Loss, 'of'>): void {
    dropExpired();
    const [newest, ...older] = pieces;
    pieces =
      newest && newest.ago < PIECE
        ? [
            {
              ...newest,
              removes: newest.removes + removes,
              empties: newest.empties + empties,
              of: Math.max(newest.of, received),
            },
            ...older,
          ]
        : [{ ago: 0, removes, empties, of: received, before }, ...pieces];
    store(tx);
  }

  return {
    spent,
    /** Returns the rows to compare losses with: the fewest of the day, with removed ones; 0 during a first read. */
    measure() {
      const known = [before, ...lastDay().map((piece) => piece.before ?? 0)];
      // 0: during the first full read, or not recorded.
      return Math.min(spent().of, ...known.filter((rows) => rows > 0));
    },
    spend(tx, loss) {
      if (loss.removes + loss.empties > 0) addToCurrent(tx, loss);
    },
    /** Stores elapsed time and row count with another write, at most every half hour. */
    keep(tx) {
      const isLong = time.since(noted) >= PIECE;
      const isFirst = pieces.length === 0 && before > 0;
      if (isFirst || (isLong && pieces.length > 0)) addToCurrent(tx, { removes: 0, empties: 0 });
    },
    run(column) {
      const run = runs.get(column) ?? 0;
      if (typeof run === 'number') return run;
      return run === 'kept' ? Infinity : 0;
    },
    /**
     * Counts, for each column, rows that lost their value since a row last came with one. A value that arrives ends
     * the count of its column.
     */
    countColumns(tx, rows, emptied) {
      const isFilledIn = (column: string) => (row: IncomingRow) =>
        row.deletedAt === undefined && isFilled(row.values, column);
      for (const column of columns)
        if (!arrived.has(column) && rows.some(isFilledIn(column))) arrived.add(column);
      const ended = [...runs.keys()].filter((column) => arrived.has(column));
      for (const column of ended) runs.delete(column);
      const counted = emptied.filter(
        (column) => !arrived.has(column) && typeof (runs.get(column) ?? 0) === 'number',
      );
      for (const column of counted) runs.set(column, Number(runs.get(column) ?? 0) + 1);
      if (ended.length + counted.length > 0) store(tx);
    },
  };
}

/**
 * Stores the effect of a user's decision on the quota: after an approval it counts the approved kinds of loss from 0,
 * and it ends the counts of these columns (`LossQuota.run`). @param agreed the approved losses; undefined: the user
 * keeps the rows
 */
export async function decideQuota(
  tx: Tx,
  nodeID: string,
  { sharedModuleID, columns }: FilledColumns,
  agreed: Omit<Loss, 'of'> | undefined,
): Promise<void> {
  const stored = await tx.get(BUDGETS, nodeID);
  if (!stored) return;
  const cleared = {
    ...(agreed && agreed.removes > 0 ? { removes: 0 } : {}),
    ...(agreed && agreed.empties > 0 ? { empties: 0 } : {}),
  };
  const spent = agreed ? stored.spent.map((piece) => ({ ...piece, ...cleared, of: 0 })) : stored.spent;
  const runs = Object.entries(stored.runs?.[sharedModuleID] ?? {}).map(
    ([column, run]): [string, ColumnRun] => [
      column,
      columns.includes(column) ? (agreed ? 'approved' : 'kept') : run,
    ],
  );
  tx.put(BUDGETS, nodeID, {
    ...stored,
    spent,
    runs: { ...stored.runs, [sharedModuleID]: Object.fromEntries(runs) },
  });
}
