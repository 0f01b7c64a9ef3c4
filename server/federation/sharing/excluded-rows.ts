import type { Rows } from '../../lists/rows/rows.ts';
import type { Row } from '../../lists/definitions/model.ts';
import { createYielder } from '../../base/yield.ts';

/** Rows to hide from a partner, as of one moment. */
export interface ExcludedRows {
  /** Covers changes up to this sequence number. */
  readonly upTo: number;
  /** Sequence numbers of their last changes, ascending; meaningless beyond `upTo`. */
  readonly seqs: readonly number[];
}

/** Calls read only changes since the last. */
export interface ExcludedRowsTracker {
  /** Returns excluded rows that changed since, perhaps more. Calls must not overlap. */
  readSince(after: number): Promise<ExcludedRows>;
  size(): number;
}

const PAGE = 1000;

/** Creates a tracker of rows for which `isAnnounced` is false, by change numbers above `first`. */
export function trackExcludedRows(
  rows: Pick<Rows, 'changesSince'>,
  isAnnounced: (row: Row) => boolean,
  first: number,
): ExcludedRowsTracker {
  /** Known: after `from`, up to `upTo`. */
  let [from, upTo] = [first, first];
  let seqs: number[] = [];
  const seqOf = new Map<string, number>();

  /**
   * Calls `body` for changes above `after`, up to `until`, in order, with whether the row is announced. Returns the
   * last number, or `after`.
   */
  async function eachChange(
    after: number,
    until: number,
    body: (recordID: string, seq: number, announced: boolean) => void,
  ): Promise<number> {
    const pause = createYielder();
    for (let last = after; ;) {
      const page = await rows.changesSince({ afterSeq: last }, PAGE);
      for (const { key, seq, value } of page) {
        if (seq > until) return last;
        body(key, seq, isAnnounced(value));
        last = seq;
        await pause();
      }
      if (page.length < PAGE) return last;
    }
  }

  /** Adds excluded rows last changed between `after` and the known range. */
  async function extendBackTo(after: number): Promise<void> {
    if (after >= from) return;
    const earlier: number[] = [];
    await eachChange(after, from, (recordID, seq, announced) => {
      if (announced) return;
      earlier.push(seq);
      seqOf.set(recordID, seq);
    });
    seqs = earlier.concat(seqs);
    from = after;
  }

  /** Reads changes since the last call: adds rows excluded now, and drops former entries of changed rows. */
  async function readNewChanges(): Promise<void> {
    const gone = new Set<number>();
    upTo = await eachChange(upTo, Infinity, (recordID, seq, announced) => {
      const before = seqOf.get(recordID);
      if (before !== undefined) gone.add(before);
      if (announced) seqOf.delete(recordID);
      else {
        seqOf.set(recordID, seq);
        seqs.push(seq);
      }
    });
    if (gone.size > 0) seqs = seqs.filter((seq) => !gone.has(seq));
  }

  return {
    /**
     * Returns the ascending numbers (`seqs`) of rows excluded after this number, perhaps more, up to the latest change
     * (`upTo`). Calls mustn't overlap.
     */
    async readSince(after) {
      await extendBackTo(after);
      await readNewChanges();
      return { upTo, seqs };
    },
    size: () => seqOf.size,
  };
}

/** Counts excluded rows last changed after this number, which must be covered. */
export function countSince({ seqs }: ExcludedRows, after: number): number {
  return seqs.length - indexAfter(seqs, after);
}

/** Returns the index of the first of these ascending numbers above `after`, else their length. */
export function indexAfter(seqs: readonly number[], after: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
