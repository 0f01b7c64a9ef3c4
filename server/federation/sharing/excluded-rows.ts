import type { Rows } from '../../lists/rows/rows.ts';
import type { Row } from '../../lists/definitions/model.ts';
import { createYielder } from '../../base/yield.ts';

/** Rows that a partner must not learn about, as of one moment. */
export interface ExcludedRows {
  /** Covers changes up to this sequence number. */
  readonly upTo: number;
  /** Sequence numbers of their last changes, ascending; meaningless beyond `upTo`. */
  readonly seqs: readonly number[];
}

/** Tracks excluded rows incrementally: each call reads only what changed since. */
export interface ExcludedRowsTracker {
  /** Returns those that changed after this sequence number, as of now. Calls must not overlap. */
  since(after: number): Promise<ExcludedRows>;
  size(): number;
}

const PAGE = 1000;

/** Tracks rows that aren't announced. @param first the sequence number to begin after */
export function trackExcludedRows(
  rows: Pick<Rows, 'changesSince'>,
  isAnnounced: (row: Row) => boolean,
  first: number,
): ExcludedRowsTracker {
  /** Known range of sequence numbers: after the first, up to the second. */
  let [from, upTo] = [first, first];
  let seqs: number[] = [];
  const seqOf = new Map<string, number>();

  /** Visits changes after `after`; returns the last visited sequence number. */
  async function each(
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

  /** Reads changes from before the known range, back to this number. */
  async function extendBackTo(after: number): Promise<void> {
    if (after >= from) return;
    const earlier: number[] = [];
    await each(after, from, (recordID, seq, announced) => {
      if (announced) return;
      earlier.push(seq);
      seqOf.set(recordID, seq);
    });
    seqs = earlier.concat(seqs);
    from = after;
  }

  /** Reads changes from after the known range, and drops rows that are announced now. */
  async function readNewChanges(): Promise<void> {
    const gone = new Set<number>();
    upTo = await each(upTo, Infinity, (recordID, seq, announced) => {
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
    async since(after) {
      await extendBackTo(after);
      await readNewChanges();
      return { upTo, seqs };
    },
    size: () => seqOf.size,
  };
}

/** Returns how many of them changed after this sequence number. */
export function countSince({ seqs }: ExcludedRows, after: number): number {
  return seqs.length - indexAfter(seqs, after);
}

/** Returns the index of the first greater number. */
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
