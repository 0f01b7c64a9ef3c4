import type { Rows } from '../../lists/rows/rows.ts';
import type { Row } from '../../lists/definitions/model.ts';
import { createYielder } from '../../base/yield.ts';

/** The rows that a partner is told nothing of, as they were at one moment. */
export interface ExcludedRows {
  /** Known of what changed up to this number. */
  readonly upTo: number;
  /** Numbers of their last changes, rising; behind `upTo` they say nothing. */
  readonly seqs: readonly number[];
}

/** Follows which rows of a list a partner is told nothing of, at the cost of a look at what changed. */
export interface ExcludedRowsTracker {
  /** Those that changed behind this number, as of now. To be asked one question after the other. */
  since(after: number): Promise<ExcludedRows>;
  size(): number;
}

const PAGE = 1000;

export function trackExcludedRows(
  rows: Pick<Rows, 'changesSince'>,
  isTold: (row: Row) => boolean,
  first: number,
): ExcludedRowsTracker {
  /** What is known of: what changed behind the one number, up to the other. */
  let [from, upTo] = [first, first];
  let seqs: number[] = [];
  const seqOf = new Map<string, number>();

  /** Those that changed behind `after`; answers the number that it came to. */
  async function each(
    after: number,
    until: number,
    body: (recordID: string, seq: number, told: boolean) => void,
  ): Promise<number> {
    const pause = createYielder();
    for (let last = after; ;) {
      const page = await rows.changesSince({ afterSeq: last }, PAGE);
      for (const { key, seq, value } of page) {
        if (seq > until) return last;
        body(key, seq, isTold(value));
        last = seq;
        await pause();
      }
      if (page.length < PAGE) return last;
    }
  }

  async function reachBackTo(after: number): Promise<void> {
    if (after >= from) return;
    const earlier: number[] = [];
    await each(after, from, (recordID, seq, told) => {
      if (told) return;
      earlier.push(seq);
      seqOf.set(recordID, seq);
    });
    seqs = earlier.concat(seqs);
    from = after;
  }

  async function comeUpToDate(): Promise<void> {
    const gone = new Set<number>();
    upTo = await each(upTo, Infinity, (recordID, seq, told) => {
      const before = seqOf.get(recordID);
      if (before !== undefined) gone.add(before);
      if (told) seqOf.delete(recordID);
      else {
        seqOf.set(recordID, seq);
        seqs.push(seq);
      }
    });
    if (gone.size > 0) seqs = seqs.filter((seq) => !gone.has(seq));
  }

  return {
    async since(after) {
      await reachBackTo(after);
      await comeUpToDate();
      return { upTo, seqs };
    },
    size: () => seqOf.size,
  };
}

/** How many of them changed behind this number. */
export function countSince({ seqs }: ExcludedRows, after: number): number {
  return seqs.length - indexAfter(seqs, after);
}

/** The place of the first number that is greater. */
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
