import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Loss } from './threshold.ts';
import type { ElapsedMark, ElapsedTimer } from '../../base/elapsed-timer.ts';

/** What a partner took away from a list within half an hour. */
interface Spent {
  /** Milliseconds from the beginning of that half hour to the mark of the budget. */
  readonly ago: number;
  readonly removes: number;
  readonly empties: number;
  /** The most rows of the partner that were in the list then. */
  readonly of: number;
  /** How many there were when it began, with those that had gone within a day; absent: versions before noted it not. */
  readonly before?: number;
}

interface StoredBudget {
  readonly at: ElapsedMark;
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
export interface LossQuota {
  /** What went in the last day, and the most rows of the partner that were in the list meanwhile. */
  spent(): Loss;
  /**
   * Of how many rows that is a part: as many as there were at any time of that day, with those that have gone. Rows that
   * came since are no measure, as a partner may send any number. 0 while the first reading goes on: it is read to its end
   * before what it brought is a measure.
   */
  measure(): number;
  /** Counts rows that are removed or emptied in this transaction. */
  spend(tx: Tx, loss: Omit<Loss, 'of'>): void;
  /**
   * Now and then notes with other writes that time has passed, as little of it is believed after a restart, and how many
   * rows there were.
   */
  keep(tx: Tx): void;
}

/** @param received rows of the partner in the list now */
export async function openLossQuota(
  partition: Partition,
  nodeID: string,
  received: number,
  time: ElapsedTimer,
): Promise<LossQuota> {
  const stored = await partition.get(BUDGETS, nodeID);
  let noted = stored?.at ?? time.mark();
  let pieces = stored?.spent ?? [];

  const counted = (): readonly Spent[] => {
    const passed = time.since(noted);
    return pieces.filter(({ ago }) => ago + passed < DAY);
  };
  const spent = (): Loss => ({
    removes: counted().reduce((sum, { removes }) => sum + removes, 0),
    empties: counted().reduce((sum, { empties }) => sum + empties, 0),
    of: Math.max(received, ...counted().map(({ of }) => of)),
  });
  const before = received + spent().removes;

  /** Moves the mark to this moment, and leaves out what is older than a day. */
  function moveOn(): void {
    const passed = time.since(noted);
    noted = time.mark();
    pieces = pieces.map((piece) => ({ ...piece, ago: piece.ago + passed })).filter(({ ago }) => ago < DAY);
  }

  /** The half hour that these fall into, which begins now where the last one is over. */
  function add(tx: Tx, { removes, empties }: Omit<Loss, 'of'>): void {
    moveOn();
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
    measure() {
      const known = [before, ...counted().map((piece) => piece.before ?? 0)];
      // 0: that was in the first reading, or it was not noted.
      return Math.min(spent().of, ...known.filter((rows) => rows > 0));
    },
    spend(tx, loss) {
      if (loss.removes + loss.empties > 0) add(tx, loss);
    },
    keep(tx) {
      const isLong = time.since(noted) >= PIECE;
      const isFirst = pieces.length === 0 && before > 0;
      if (isFirst || (isLong && pieces.length > 0)) add(tx, { removes: 0, empties: 0 });
    },
  };
}

/**
 * The user has said yes to rows that go, and was told how many went before them, or the same of values: counting of that
 * begins anew, of the rows that there are now. Of those that came since a day ago none is a measure still: the yes was to
 * what went.
 */
export async function resetQuota(tx: Tx, nodeID: string, agreed: Omit<Loss, 'of'>): Promise<void> {
  const stored = await tx.get(BUDGETS, nodeID);
  if (!stored) return;
  const told = {
    ...(agreed.removes > 0 ? { removes: 0 } : {}),
    ...(agreed.empties > 0 ? { empties: 0 } : {}),
  };
  const spent = stored.spent.map((piece) => ({ ...piece, ...told, of: 0 }));
  tx.put(BUDGETS, nodeID, { ...stored, spent });
}
