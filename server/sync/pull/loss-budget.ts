import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Loss } from './brake.ts';
import type { SlowMark, SlowTime } from '../../base/slow-time.ts';

/** What a partner took away from a list within half an hour. */
interface Spent {
  /** Milliseconds from the beginning of that half hour to the mark of the budget. */
  readonly ago: number;
  readonly removes: number;
  readonly empties: number;
  /** The most rows of the partner that were in the list then. */
  readonly of: number;
}

interface StoredBudget {
  readonly at: SlowMark;
  /** Newest first. */
  readonly spent: readonly Spent[];
}

/** Key: our id of the partner. In the partition of the list that receives. */
const BUDGETS: Table<StoredBudget> = { name: 'sync-losses' };

const PIECE = 30 * 60_000;
const DAY = 24 * 3_600_000;

/**
 * What one partner took away from one list of ours in the last day without a yes: the brake counts on from here,
 * so that many small pulls come to the same as one large one (docs/architecture.md: The pull engine).
 */
export interface LossBudget {
  /** What went in the last day, and the most rows of the partner that were in the list meanwhile. */
  spent(): Loss;
  /** Counts rows that are removed or emptied in this transaction. */
  spend(tx: Tx, loss: Omit<Loss, 'of'>): void;
  /** Now and then notes with other writes that time has passed, as little of it is believed after a restart. */
  keep(tx: Tx): void;
}

/** @param received rows of the partner in the list now */
export async function openLossBudget(
  partition: Partition,
  nodeID: string,
  received: number,
  time: SlowTime,
): Promise<LossBudget> {
  const stored = await partition.get(BUDGETS, nodeID);
  let noted = stored?.at ?? time.mark();
  let spent = stored?.spent ?? [];

  /** Moves the mark to this moment, and leaves out what is older than a day. */
  function moveOn(): void {
    const passed = time.since(noted);
    noted = time.mark();
    spent = spent.map((piece) => ({ ...piece, ago: piece.ago + passed })).filter(({ ago }) => ago < DAY);
  }

  function write(tx: Tx): void {
    tx.put(BUDGETS, nodeID, { at: noted, spent });
  }

  return {
    spent() {
      const passed = time.since(noted);
      const counted = spent.filter(({ ago }) => ago + passed < DAY);
      return {
        removes: counted.reduce((sum, { removes }) => sum + removes, 0),
        empties: counted.reduce((sum, { empties }) => sum + empties, 0),
        of: Math.max(received, ...counted.map(({ of }) => of)),
      };
    },
    spend(tx, { removes, empties }) {
      if (removes + empties === 0) return;
      moveOn();
      const [newest, ...older] = spent;
      spent =
        newest && newest.ago < PIECE
          ? [
              {
                ago: newest.ago,
                removes: newest.removes + removes,
                empties: newest.empties + empties,
                of: Math.max(newest.of, received),
              },
              ...older,
            ]
          : [{ ago: 0, removes, empties, of: received }, ...spent];
      write(tx);
    },
    keep(tx) {
      if (spent.length === 0 || time.since(noted) < PIECE) return;
      moveOn();
      write(tx);
    },
  };
}

/** The user has said yes to all that went: counting begins anew. */
export function forgetLosses(tx: Tx, nodeID: string): void {
  tx.delete(BUDGETS, nodeID);
}
