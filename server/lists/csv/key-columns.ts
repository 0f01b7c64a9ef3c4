import type { FieldKind } from '../../base/vocabulary.ts';
import { createDistinctFinder } from './distinct.ts';
import type { TableFile } from './read.ts';
import type { TableColumn } from './scan-lines.ts';

/** A column of a file that may be a key, or part of one. */
export interface KeyColumn {
  readonly column: TableColumn;
  /** The kind of its target column. */
  readonly kind: FieldKind;
}

/** Limits of columns in combined keys: in order lines joined with their orders, the product is far to the right. */
const MAX_OF_PAIRS = 30;
const MAX_OF_TRIPLES = 12;

/**
 * Returns whether a column alone may identify rows: all values differ, and they are names or whole numbers. Dates
 * and amounts are distinct only by chance.
 */
function couldBeKey({ column, kind }: KeyColumn): boolean {
  return column.isDistinct && isName({ column, kind });
}

/** Returns whether a column holds names or numbers of things: text, emails, or whole numbers in its samples. */
function isName({ column: { guess }, kind }: KeyColumn): boolean {
  if (kind === 'Number') return guess.samples.every((cell) => /^\s*\d+\s*$/.test(cell));
  return kind === 'String' || kind === 'Email';
}

/**
 * Returns whether a column may be part of a key: filled in every line, with names, references or dates, as in a
 * list of bookings.
 */
const couldBePart = (column: KeyColumn): boolean =>
  column.column.isFilled && (isName(column) || column.kind === 'Record' || column.kind === 'DateTime');

/**
 * Returns the sets of columns that identify a file's lines, left ones first: single columns, otherwise pairs,
 * otherwise triples. Empty if none does. For pairs and triples it reads the whole file.
 */
export async function findKeys<C extends KeyColumn>(
  file: Pick<TableFile, 'read' | 'source'>,
  columns: readonly C[],
): Promise<readonly (readonly C[])[]> {
  const alone = columns.filter(couldBeKey).map((column) => [column]);
  if (alone.length > 0) return alone;
  const parts = columns.filter(couldBePart);
  const pairs = await distinctSets(file, setsOf(parts.slice(0, MAX_OF_PAIRS), 2));
  return pairs.length > 0 ? pairs : distinctSets(file, setsOf(parts.slice(0, MAX_OF_TRIPLES), 3));
}

/** Returns all combinations of `count` elements, in the order of `all`. */
function setsOf<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return all.flatMap((first, at) => setsOf(all.slice(at + 1), count - 1).map((others) => [first, ...others]));
}

/**
 * Reads the file and returns the combinations whose values differ in all lines, of at least two. Invalid lines are
 * ignored; combinations beyond the limit of remembered cells are excluded, the last one first.
 */
async function distinctSets<C extends KeyColumn>(
  { read, source }: Pick<TableFile, 'read' | 'source'>,
  sets: readonly (readonly C[])[],
): Promise<readonly (readonly C[])[]> {
  const distinct = createDistinctFinder();
  let lines = 0;
  let left = sets.map((columns, at) => ({ columns, at }));
  if (left.length === 0) return [];
  for await (const { records } of read())
    for (const record of records) {
      if (!('fields' in record)) continue;
      lines++;
      for (const { columns, at } of left) {
        const texts = columns.map(({ column }) => source.text(record.fields[column.index] ?? '').trim());
        distinct.see(at, JSON.stringify(texts));
      }
      if (left.some(({ at }) => !distinct.maySee(at))) left = left.filter(({ at }) => distinct.maySee(at));
      if (left.length === 0) return [];
    }
  return left.filter(({ at }) => distinct.isDistinct(at, lines)).map(({ columns }) => columns);
}
