import type { Rows } from '../../lists/rows/rows.ts';
import type { Row } from '../../lists/definitions/model.ts';
import { createYielder } from '../../base/yield.ts';

/** The rows that a partner must not learn about, as of one moment. */
export interface ExcludedRows {
  /** It covers changes up to this sequence number. */
  readonly upTo: number;
  /** Sequence numbers of their last changes, ascending; meaningless beyond `upTo`. */
  readonly seqs: readonly number[];
}

/** Tracks excluded rows incrementally: each call reads only what changed since. */
export interface ExcludedRowsTracker {
  /** Returns those up to now, at least those that changed after this sequence number. Calls must not overlap. */
  readSince(after: number): Promise<ExcludedRows>;
  size(): number;
}

const PAGE = 1000;

/** Creates a tracker, by change numbers above `first`, of the rows for which `isAnnounced` is false. */
export function trackExcludedRows(
  rows: Pick<Rows, 'changesSince'>,
  isAnnounced: (row: Row) => boolean,
  first: number,
): ExcludedRowsTracker {
  /** The known range is after `from`, up to `upTo`. */
  let [from, upTo] = [first, first];
  let seqs: number[] = [];
  const seqOf = new Map<string, number>();

  /** Calls `body` for the changes above `after` and up to `until`, in order. Returns the last number, or `after`. */
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

  /** Adds the excluded rows that last changed between `after` and the beginning of the known range. */
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

  /** Adds the excluded rows that changed since the last call, and drops those that are announced now. */
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
    async readSince(after) {
      await extendBackTo(after);
      await readNewChanges();
      return { upTo, seqs };
    },
    size: () => seqOf.size,
  };
}

/** Returns how many excluded rows last changed after this number, which the tracker must have covered. */
export function countSince({ seqs }: ExcludedRows, after: number): number {
  return seqs.length - indexAfter(seqs, after);
}

/** Returns the index of the first number greater than `after` in ascending numbers; else their length. */
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
