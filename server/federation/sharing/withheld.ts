import type { Rows } from '../../lists/rows/rows.ts';
import type { Row } from '../../lists/definitions/model.ts';
import { createPause } from '../../base/yield.ts';

/** The rows of a list that a partner is told nothing of, of those that changed behind some number. */
export interface Withheld {
  /** Known of what changed behind this number … */
  readonly from: number;
  /** … up to this one. */
  readonly upTo: number;
  /** Numbers of their last changes, rising. */
  readonly seqs: readonly number[];
  /** The same by the row. */
  readonly seqOf: ReadonlyMap<string, number>;
}

const PAGE = 1000;

/** Nothing is known yet but what changes behind this number from now on. */
export const nothingKnown = (from: number): Withheld => ({ from, upTo: from, seqs: [], seqOf: new Map() });

/** With what changed since, at the cost of that. */
export async function broughtUpToDate(
  known: Withheld,
  rows: Pick<Rows, 'changesSince'>,
  isTold: (row: Row) => boolean,
): Promise<Withheld> {
  const { found, last } = await look(rows, known.upTo, Infinity, isTold);
  if (last === known.upTo) return known;
  const seqOf = new Map(known.seqOf);
  for (const [recordID, seq] of found)
    if (seq === undefined) seqOf.delete(recordID);
    else seqOf.set(recordID, seq);
  const left = known.seqs.length === 0 ? [] : known.seqs.filter(isLeft(known, found));
  const fresh = [...found.values()].filter((seq) => seq !== undefined);
  return { from: known.from, upTo: last, seqs: [...left, ...fresh], seqOf };
}

/** Which of the numbers are still those of their rows. */
function isLeft(known: Withheld, changed: Found): (seq: number) => boolean {
  const gone = new Set<number>();
  for (const recordID of changed.keys()) {
    const seq = known.seqOf.get(recordID);
    if (seq !== undefined) gone.add(seq);
  }
  return (seq) => !gone.has(seq);
}

/** With what changed before that, back to this number. */
export async function knownFrom(
  after: number,
  known: Withheld,
  rows: Pick<Rows, 'changesSince'>,
  isTold: (row: Row) => boolean,
): Promise<Withheld> {
  if (after >= known.from) return known;
  const { found } = await look(rows, after, known.from, isTold);
  const earlier = [...found].flatMap(([recordID, seq]) =>
    seq === undefined ? [] : [[recordID, seq] as const],
  );
  const seqs = [...earlier.map(([, seq]) => seq), ...known.seqs];
  return { ...known, from: after, seqs, seqOf: new Map([...earlier, ...known.seqOf]) };
}

/** By the row, in the order of their changes: the number of one that is withheld; undefined for one that is not. */
type Found = ReadonlyMap<string, number | undefined>;

async function look(
  rows: Pick<Rows, 'changesSince'>,
  after: number,
  until: number,
  isTold: (row: Row) => boolean,
): Promise<{ found: Found; last: number }> {
  const found = new Map<string, number | undefined>();
  const pause = createPause();
  for (let last = after; ;) {
    const page = await rows.changesSince({ afterSeq: last }, PAGE);
    for (const { key, seq, value } of page) {
      if (seq > until) return { found, last };
      // A row that changes while they are looked through comes once more, in its new place.
      found.delete(key);
      found.set(key, isTold(value) ? undefined : seq);
      last = seq;
      await pause();
    }
    if (page.length < PAGE) return { found, last };
  }
}

/** How many of them changed behind this number. */
export function countBehind({ seqs }: Withheld, after: number): number {
  return seqs.length - placeBehind(seqs, after);
}

/** The place of the first number that is greater. */
export function placeBehind(seqs: readonly number[], after: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
