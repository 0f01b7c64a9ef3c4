import { createHash } from 'node:crypto';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { LineMarks } from '../csv/upsert-lines.ts';
import { valuesOf } from '../values/value-sets.ts';

/** Eight characters per cell, in column order. Key: hash of the line's key. */
const LINES: Table<string> = { name: 'watched-line' };
const GONE: Table<number> = { name: 'watched-gone' };
const GONE_KEY = 'rows';
const PAGE = 5000;
/** No collisions, and small enough for a million lines. */
const HASH_BYTES = 16;
/** Compared within one line only. */
const CELL = 8;

/** Compares a watched file's readings. */
export interface Reading extends LineMarks {
  readonly before: number;
  /** Removals since the user was last asked: many small ones count as one large. */
  readonly goneBefore: number;
  /** Returns hashes after a whole reading; undefined if keys were unreadable. */
  lostKeys(): ReadonlySet<string> | undefined;
  /** Returns whether the file writes the row's key differently than before. */
  isRenamed(recordID: string): boolean;
}

/** Returns a truncated SHA-256 in base64url. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, HASH_BYTES).toString('base64url');
}

type Values = Parameters<LineMarks['markOf']>[1];
type Fields = Parameters<LineMarks['markOf']>[0]['fields'];

/** Returns names and digests of the columns that `values` names, even without texts, in column order. */
function hashCells(fields: Fields, values: Values): readonly (readonly [name: string, cell: string])[] {
  return fields
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ fieldID, name }) => [
      name,
      hashOf(JSON.stringify([fieldID, valuesOf(values, name)])).slice(0, CELL),
    ]);
}

/**
 * Loads the digests of the last reading. The result compares lines with them, and records which keys the file still
 * has.
 */
export async function openReading(partition: Partition): Promise<Reading> {
  const before = await loadDigests(partition);
  const seen = new Set<string>();
  const renamed = new Set<string>();
  let isUnsure = false;
  return {
    before: before.size,
    goneBefore: (await partition.get(GONE, GONE_KEY)) ?? 0,
    markOf: ({ fields }, values) =>
      hashCells(fields, values)
        .map(([, cell]) => cell)
        .join(''),
    /** Returns values changed since the last reading; all of a new line. */
    changedValues({ fields }, key, values) {
      const mark = before.get(hashOf(key)) ?? '';
      const known = new Set(Array.from({ length: mark.length / CELL }, (_, at) => cellAt(mark, at)));
      const changed = hashCells(fields, values).filter(([, cell]) => !known.has(cell));
      return Object.fromEntries(changed.map(([name]) => [name, values[name] ?? []]));
    },
    /**
     * Returns whether the line is unchanged since the last reading. Records that the file has the key, and a row found
     * under a new key as renamed.
     */
    isAsBefore(key, mark, recordID) {
      const hash = hashOf(key);
      seen.add(hash);
      if (recordID !== undefined && before.size > 0 && !before.has(hash)) renamed.add(recordID);
      return before.get(hash) === mark;
    },
    /** Records the key of an invalid line; undefined: it is unknown which lines are gone. */
    recordInvalid(key) {
      if (key === undefined) isUnsure = true;
      else seen.add(hashOf(key));
    },
    recordLine: (tx, key, mark) => tx.put(LINES, hashOf(key), mark),
    isRenamed: (recordID) => renamed.has(recordID),
    lostKeys: () => (isUnsure ? undefined : new Set([...before.keys()].filter((hash) => !seen.has(hash)))),
  };
}

const cellAt = (mark: string, at: number): string => mark.slice(at * CELL, (at + 1) * CELL);

/** Returns the last reading's digests of lines by the hash of their key. */
async function loadDigests(partition: Partition): Promise<ReadonlyMap<string, string>> {
  const marks = new Map<string, string>();
  let page = await partition.page(LINES, { limit: PAGE });
  while (page.length > 0) {
    for (const { key, value } of page) marks.set(key, value);
    page = await partition.page(LINES, { limit: PAGE, after: page.at(-1)?.key ?? '' });
  }
  return marks;
}

/**
 * Deletes the digests of lines by hashes of their keys, page by page; first adds `rows` to the number of removed rows.
 * Each is a transaction: repeating it after a failure adds `rows` again.
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

/** Resets the number of removed rows, as the user was asked. */
export async function forgetGone(partition: Partition): Promise<void> {
  await partition.transaction((tx) => tx.delete(GONE, GONE_KEY));
}

/** Deletes all digests and the number of removed rows: the next reading is a first one. */
export async function forgetAllLines(partition: Partition): Promise<void> {
  await forgetLines(partition, (await loadDigests(partition)).keys(), 0);
  await forgetGone(partition);
}
