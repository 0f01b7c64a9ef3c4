import type { Partition, Table, Tx } from '../../store/store.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import { isFilled } from '../../lists/values/value-sets.ts';
import type { Loss } from './threshold.ts';
import type { ElapsedMark, ElapsedTimer } from '../../base/elapsed-timer.ts';

/** A partner's removals in half an hour. */
interface Spent {
  /** Milliseconds from its start to the stored `at`. */
  readonly ago: number;
  readonly removes: number;
  readonly empties: number;
  /** The partner's most rows meanwhile. */
  readonly of: number;
  /** Rows at its start plus those gone within a day; absent from older programs. */
  readonly before?: number;
}

/** Rows that lost a column's value since one arrived; or the user's decision. */
type ColumnRun = number | 'approved' | 'kept';

interface StoredBudget {
  readonly at: ElapsedMark;
  /** Newest first. */
  readonly spent: readonly Spent[];
  /** By local offer id and column name; absent from older programs. */
  readonly runs?: Readonly<Record<string, Readonly<Record<string, ColumnRun>>>>;
}

/** By local id of the partner, in the receiving list's partition. */
const BUDGETS: Table<StoredBudget> = { name: 'sync-losses' };

const PIECE = 30 * 60_000;
const DAY = 24 * 3_600_000;

/**
 * A partner's losses in a list within a day, over many small pulls (docs/architecture.md: The pull engine).
 */
export interface LossQuota {
  /** Returns the last day's losses, and the partner's most rows. */
  lossOfDay(): Loss;
  /** Returns the day's fewest rows, including removed ones, as a measure of losses; 0 during a first read. */
  baselineRows(): number;
  /** Counts rows removed or emptied by this transaction. */
  countLoss(tx: Tx, loss: Omit<Loss, 'of'>): void;
  /** Stores elapsed time and row count with another write, at most half-hourly. */
  storeAtIntervals(tx: Tx): void;
  /**
   * Returns how many rows lost the column's value since one came; 0 once approved, Infinity once rejected.
   */
  emptiedRun(column: string): number;
  /** Counts rows that lose a column's value (`emptied`, once each). Values in `rows` reset their columns. */
  countColumns(tx: Tx, rows: readonly IncomingRow[], emptied: readonly string[]): void;
}

/** An offer and the local columns it fills. */
interface FilledColumns {
  readonly sharedModuleID: string;
  readonly columns: readonly string[];
}

/**
 * Opens the count of what a partner removed or emptied in a list. `received`: the partner's rows there; 0 until the
 * first complete read. Counts run over the last 24 hours and are stored in the caller's transactions.
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
  /** Since opening, columns with an arrived value. */
  const arrived = new Set<string>();

  /** Writes the losses and the columns' runs within this transaction. */
  const storeCount = (tx: Tx): void =>
    tx.put(BUDGETS, nodeID, {
      at: noted,
      spent: pieces,
      runs: { ...stored?.runs, [sharedModuleID]: Object.fromEntries(runs) },
    });

  /** Returns the pieces that are younger than a day by now. */
  const lossesOfLastDay = (): readonly Spent[] => {
    const passed = time.elapsedSince(noted);
    return pieces.filter(({ ago }) => ago + passed < DAY);
  };
  /** Returns the losses of the last 24 hours, with the most rows counted then (`of`). */
  const lossOfDay = (): Loss => ({
    removes: lossesOfLastDay().reduce((sum, { removes }) => sum + removes, 0),
    empties: lossesOfLastDay().reduce((sum, { empties }) => sum + empties, 0),
    of: Math.max(received, ...lossesOfLastDay().map(({ of }) => of)),
  });
  const before = received + lossOfDay().removes;

  /** Adds elapsed time to each piece's age, and drops pieces of a day or more. */
  function dropExpired(): void {
    const passed = time.elapsedSince(noted);
    noted = time.mark();
    pieces = pieces.map((piece) => ({ ...piece, ago: piece.ago + passed })).filter(({ ago }) => ago < DAY);
  }

  /** Adds losses to the current piece, or to a new one every half hour, and stores all. */
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
    storeCount(tx);
  }

  return {
    lossOfDay,
    /** Returns the fewest rows known of the last 24 hours, at most their losses' `of`; zeros don't count. */
    baselineRows() {
      const known = [before, ...lossesOfLastDay().map((piece) => piece.before ?? 0)];
      // 0: piece of the first full read; none: older program.
      return Math.min(lossOfDay().of, ...known.filter((rows) => rows > 0));
    },
    /** Adds the loss to the present half hour; an empty one changes nothing. */
    countLoss(tx, loss) {
      if (loss.removes + loss.empties > 0) addToCurrent(tx, loss);
    },
    /** Begins a piece without losses: the first, and one every half hour while there are pieces. */
    storeAtIntervals(tx) {
      const isLong = time.elapsedSince(noted) >= PIECE;
      const isFirst = pieces.length === 0 && before > 0;
      if (isFirst || (isLong && pieces.length > 0)) addToCurrent(tx, { removes: 0, empties: 0 });
    },
    /** Returns how many rows the column lost since a value came: 0 once approved, Infinity once kept. */
    emptiedRun(column) {
      const run = runs.get(column) ?? 0;
      if (typeof run === 'number') return run;
      return run === 'kept' ? Infinity : 0;
    },
    /**
     * Ends the runs of columns of which a value arrived, and counts an emptied row in the others' runs, unless decided;
     * stores only a change.
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
      if (ended.length + counted.length > 0) storeCount(tx);
    },
  };
}

/**
 * Restarts the approved kinds of loss from 0, and stores the decision about these columns. Undefined `agreed`: the user
 * kept the rows. A no-op without a stored quota.
 */
export async function recordDecisionInQuota(
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
