import { createHash } from 'node:crypto';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { LineMarks } from '../csv/fill.ts';
import { valuesOf } from '../values/value-sets.ts';

/**
 * In the partition of the list, so that it is written with the rows and as old as they are: what each line of the watched
 * file said when it was taken in last, by the hash of its key. A text of {@link CELL} characters for each of its cells,
 * whichever column it is of: enough to tell which of them say something else by now.
 */
const LINES: Table<string> = { name: 'watched-line' };
/** Beside them: how many rows went with lines of the file since its user was asked last. */
const GONE: Table<number> = { name: 'watched-gone' };
const GONE_KEY = 'rows';
const PAGE = 5000;
/** Of a SHA-256, so that no two texts come together and a million lines stay small. */
const HASH_BYTES = 16;
/** Characters of what a cell is noted by; only those of one line are held against each other. */
const CELL = 8;

/** One reading of a watched file against what it said before. */
export interface Reading extends LineMarks {
  /** How many lines of before there are. */
  readonly before: number;
  /** Rows that went since the user was asked last, so that many small steps come to the same as one large one. */
  readonly goneBefore: number;
  /**
   * By {@link hashOf} the keys of lines of before that the file does not have any more; undefined where that cannot be
   * told, as there are lines in it whose key cannot be read. To be asked once all of it was read.
   */
  gone(): ReadonlySet<string> | undefined;
}

/** What a key is noted by. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES).toString('base64url');
}

type Values = Parameters<LineMarks['markOf']>[1];
type Fields = Parameters<LineMarks['markOf']>[0]['fields'];

/** By names what the cells of a line are noted by, in the order of the list's columns. */
function cellsOf(fields: Fields, values: Values): readonly (readonly [name: string, cell: string])[] {
  return fields
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ fieldID, name }) => [
      name,
      hashOf(JSON.stringify([fieldID, valuesOf(values, name)])).slice(0, CELL),
    ]);
}

/** Begins a reading. */
export async function openReading(partition: Partition): Promise<Reading> {
  const before = await marksOf(partition);
  const seen = new Set<string>();
  let isUnsure = false;
  return {
    before: before.size,
    goneBefore: (await partition.get(GONE, GONE_KEY)) ?? 0,
    markOf: ({ fields }, values) =>
      cellsOf(fields, values)
        .map(([, cell]) => cell)
        .join(''),
    news({ fields }, key, values) {
      const mark = before.get(hashOf(key)) ?? '';
      const known = new Set(Array.from({ length: mark.length / CELL }, (_, at) => cellAt(mark, at)));
      const told = cellsOf(fields, values).filter(([, cell]) => !known.has(cell));
      return Object.fromEntries(told.map(([name]) => [name, values[name] ?? []]));
    },
    isAsBefore(key, mark) {
      const hash = hashOf(key);
      seen.add(hash);
      return before.get(hash) === mark;
    },
    unfit(key) {
      if (key === undefined) isUnsure = true;
      else seen.add(hashOf(key));
    },
    note: (tx, key, mark) => tx.put(LINES, hashOf(key), mark),
    gone: () => (isUnsure ? undefined : new Set([...before.keys()].filter((hash) => !seen.has(hash)))),
  };
}

const cellAt = (mark: string, at: number): string => mark.slice(at * CELL, (at + 1) * CELL);

async function marksOf(partition: Partition): Promise<ReadonlyMap<string, string>> {
  const marks = new Map<string, string>();
  let page = await partition.page(LINES, { limit: PAGE });
  while (page.length > 0) {
    for (const { key, value } of page) marks.set(key, value);
    page = await partition.page(LINES, { limit: PAGE, after: page.at(-1)?.key ?? '' });
  }
  return marks;
}

/** Forgets lines, by the hashes of their keys: they are the file's no more. Notes how many rows went with them. */
export async function forgetLines(
  partition: Partition,
  hashes: Iterable<string>,
  rows: number,
): Promise<void> {
  const all = [...hashes];
  if (rows > 0)
    await partition.transaction(async (tx) =>
      tx.put(GONE, GONE_KEY, ((await tx.get(GONE, GONE_KEY)) ?? 0) + rows),
    );
  for (let at = 0; at < all.length; at += PAGE) {
    const forget = (tx: Tx): void => all.slice(at, at + PAGE).forEach((hash) => tx.delete(LINES, hash));
    await partition.transaction(forget);
  }
}

/** The user was asked: what goes is counted from here on. */
export async function forgetGone(partition: Partition): Promise<void> {
  await partition.transaction((tx) => tx.delete(GONE, GONE_KEY));
}

/** Forgets all of them: the next reading is a first one. */
export async function forgetAllLines(partition: Partition): Promise<void> {
  await forgetLines(partition, (await marksOf(partition)).keys(), 0);
  await forgetGone(partition);
}
