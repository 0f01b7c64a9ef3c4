import { compareKeys } from '../../base/sorted-list.ts';
import type { RecordRef } from '../engine/record-ref.ts';
import { valueJSON } from '../engine/stored-blocks.ts';

/** A partition without writers. */
export interface PartitionContent {
  readonly last: number;
  readonly tables: ReadonlyMap<string, number>;
  /** Yields entries in blocks, in key order, from the `skipped`-th. */
  entries(table: string, skipped?: number): AsyncIterable<readonly RecordRef[]>;
}

export const EMPTY: PartitionContent = { last: 0, tables: new Map(), entries: noEntries };

// eslint-disable-next-line @typescript-eslint/require-await -- it stands for those that wait
async function* noEntries(): AsyncGenerator<readonly RecordRef[]> {
  yield* [];
}

export interface Compared {
  /** Equal, change numbers included. */
  readonly same: number;
  /** In one only, or different. */
  readonly different: number;
}

/**
 * Counts two partitions' equal entries and others, also those in one only. Different last change numbers count as one
 * difference.
 */
export async function compareContents(one: PartitionContent, other: PartitionContent): Promise<Compared> {
  let same = 0;
  let different = one.last === other.last ? 0 : 1;
  for (const table of new Set([...one.tables.keys(), ...other.tables.keys()])) {
    const [here, there] = [cursorOver(one.entries(table)), cursorOver(other.entries(table))];
    let [a, b] = [await nextEntry(here), await nextEntry(there)];
    while (a ?? b) {
      const order = a && b ? compareKeys(a.key, b.key) : a ? -1 : 1;
      if (order === 0 && a && b && isSame(a, b)) same++;
      else different++;
      [a, b] = [order <= 0 ? await nextEntry(here) : a, order >= 0 ? await nextEntry(there) : b];
    }
  }
  return { same, different };
}

const isSame = (one: RecordRef, other: RecordRef): boolean =>
  one.seq === other.seq && valueJSON(one) === valueJSON(other);

interface Entries {
  readonly from: AsyncIterator<readonly RecordRef[]>;
  some: readonly RecordRef[];
  at: number;
}

/** Returns a cursor before the first entry. */
const cursorOver = (batches: AsyncIterable<readonly RecordRef[]>): Entries => ({
  from: batches[Symbol.asyncIterator](),
  some: [],
  at: 0,
});

/** Returns the next entry; undefined at the end. */
async function nextEntry(entries: Entries): Promise<RecordRef | undefined> {
  while (entries.at === entries.some.length) {
    const come = await entries.from.next();
    if (come.done === true) return undefined;
    entries.some = come.value;
    entries.at = 0;
  }
  return entries.some[entries.at++];
}
