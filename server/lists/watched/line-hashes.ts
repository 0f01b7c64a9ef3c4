import { createHash } from 'node:crypto';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { LineMarks } from '../csv/fill.ts';
import { valuesOf } from '../values/value-sets.ts';

/**
 * Per list, in its partition, so that it is written and restored with the rows. For each line of the watched
 * file, by the hash of its key: {@link CELL} characters of hash per cell, in column order, to find the cells
 * that changed.
 */
const LINES: Table<string> = { name: 'watched-line' };
/** Number of rows removed by the file since the user was last asked. */
const GONE: Table<number> = { name: 'watched-gone' };
const GONE_KEY = 'rows';
const PAGE = 5000;
/** Truncated SHA-256: long enough against collisions, short enough for a million lines. */
const HASH_BYTES = 16;
/** Characters of hash per cell; only cells of the same line are compared. */
const CELL = 8;

/** Compares one reading of a watched file with the reading before it. */
export interface Reading extends LineMarks {
  /** Number of lines in the reading before. */
  readonly before: number;
  /** Rows removed since the user was last asked, so that many small removals count as one large one. */
  readonly goneBefore: number;
  /**
   * Returns the hashes ({@link hashOf}) of keys that the file no longer contains; undefined if unknown
   * because some lines have unreadable keys. Valid after the whole file was read.
   */
  gone(): ReadonlySet<string> | undefined;
}

/** Returns the hash of a key or cell: truncated SHA-256 in base64url. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES).toString('base64url');
}

type Values = Parameters<LineMarks['markOf']>[1];
type Fields = Parameters<LineMarks['markOf']>[0]['fields'];

/** Returns the names of a line's columns with the hashes of their cells, in column order. */
function cellsOf(fields: Fields, values: Values): readonly (readonly [name: string, cell: string])[] {
  return fields
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ fieldID, name }) => [
      name,
      hashOf(JSON.stringify([fieldID, valuesOf(values, name)])).slice(0, CELL),
    ]);
}

/** Loads the stored hashes, and returns the comparison of one reading with them; writes nothing itself. */
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
    /** Returns the values whose hashes the key's line lacked before, by column name; all values of a new line. */
    news({ fields }, key, values) {
      const mark = before.get(hashOf(key)) ?? '';
      const known = new Set(Array.from({ length: mark.length / CELL }, (_, at) => cellAt(mark, at)));
      const changed = cellsOf(fields, values).filter(([, cell]) => !known.has(cell));
      return Object.fromEntries(changed.map(([name]) => [name, values[name] ?? []]));
    },
    /** Returns whether the key's line has the same digest as before, and records that the file contains the key. */
    isAsBefore(key, mark) {
      const hash = hashOf(key);
      seen.add(hash);
      return before.get(hash) === mark;
    },
    /** Records that the file contains the key of an invalid line; without one it is unknown which lines are gone. */
    unfit(key) {
      if (key === undefined) isUnsure = true;
      else seen.add(hashOf(key));
    },
    note: (tx, key, mark) => tx.put(LINES, hashOf(key), mark),
    gone: () => (isUnsure ? undefined : new Set([...before.keys()].filter((hash) => !seen.has(hash)))),
  };
}

/** Returns the hash of the cell with this index in a line's digest. */
const cellAt = (mark: string, at: number): string => mark.slice(at * CELL, (at + 1) * CELL);

/** Returns the stored digests of lines by the hash of their key. */
async function marksOf(partition: Partition): Promise<ReadonlyMap<string, string>> {
  const marks = new Map<string, string>();
  let page = await partition.page(LINES, { limit: PAGE });
  while (page.length > 0) {
    for (const { key, value } of page) marks.set(key, value);
    page = await partition.page(LINES, { limit: PAGE, after: page.at(-1)?.key ?? '' });
  }
  return marks;
}

/**
 * Deletes stored lines in several transactions, by the hashes of their keys, and adds `rows` to the number of
 * removed rows first.
 */
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

/** Resets the stored number of removed rows, after the user was asked. */
export async function forgetGone(partition: Partition): Promise<void> {
  await partition.transaction((tx) => tx.delete(GONE, GONE_KEY));
}

/** Deletes all stored lines and the number of removed rows: the next reading counts as the first. */
export async function forgetAllLines(partition: Partition): Promise<void> {
  await forgetLines(partition, (await marksOf(partition)).keys(), 0);
  await forgetGone(partition);
}
