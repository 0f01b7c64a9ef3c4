import type { Partition, Table, Tx } from '../../store/store.ts';
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

interface StoredBudget {
  readonly at: ElapsedMark;
  /** Newest first. */
  readonly spent: readonly Spent[];
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
}

/**
 * Opens the count of what a partner removed or emptied in this list within a day; `spend` and `keep` store it.
 * @param received its rows in the list now; 0 until a first read was complete
 */
export async function openLossQuota(
  partition: Partition,
  nodeID: string,
  received: number,
  time: ElapsedTimer,
): Promise<LossQuota> {
  const stored = await partition.get(BUDGETS, nodeID);
  let noted = stored?.at ?? time.mark();
  let pieces = stored?.spent ?? [];

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

  /** Adds losses to the entry of the current half hour, or starts one, and stores the count. */
  function add(tx: Tx, { removes, empties }: Omit<Loss, 'of'>): void {
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
    tx.put(BUDGETS, nodeID, { at: noted, spent: pieces });
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
      if (loss.removes + loss.empties > 0) add(tx, loss);
    },
    /** Stores elapsed time and row count with another write, at most every half hour. */
    keep(tx) {
      const isLong = time.since(noted) >= PIECE;
      const isFirst = pieces.length === 0 && before > 0;
      if (isFirst || (isLong && pieces.length > 0)) add(tx, { removes: 0, empties: 0 });
    },
  };
}

/** Restarts counting the kinds of loss that the user has approved. */
export async function resetQuota(tx: Tx, nodeID: string, agreed: Omit<Loss, 'of'>): Promise<void> {
  const stored = await tx.get(BUDGETS, nodeID);
  if (!stored) return;
  const cleared = {
    ...(agreed.removes > 0 ? { removes: 0 } : {}),
    ...(agreed.empties > 0 ? { empties: 0 } : {}),
  };
  const spent = stored.spent.map((piece) => ({ ...piece, ...cleared, of: 0 }));
  tx.put(BUDGETS, nodeID, { ...stored, spent });
}
