import type { FieldKind } from '../../base/vocabulary.ts';
import { createDistinct } from './distinct.ts';
import type { TableColumn, TableFile } from './read.ts';

/** A column of a file that may be a key, or part of one. */
export interface KeyColumn {
  readonly column: TableColumn;
  /** The kind of its target column. */
  readonly kind: FieldKind;
}

/** Limits of columns in combined keys: in order lines joined with their orders, the product is far to the right. */
const MAX_OF_PAIRS = 30;
const MAX_OF_TRIPLES = 12;

/** Returns whether people would identify rows by this column: dates and amounts are distinct only by chance. */
function couldBeKey({ column, kind }: KeyColumn): boolean {
  return column.isDistinct && isName({ column, kind });
}

/** Returns whether the column may hold names or numbers of things: text, emails or whole numbers. */
function isName({ column: { guess }, kind }: KeyColumn): boolean {
  if (kind === 'Number') return guess.samples.every((cell) => /^\s*\d+\s*$/.test(cell));
  return kind === 'String' || kind === 'Email';
}

/** Returns whether it may be part of a key; references and dates can be, as in a list of bookings. */
const couldBePart = (column: KeyColumn): boolean =>
  column.column.isFilled && (isName(column) || column.kind === 'Record' || column.kind === 'DateTime');

/**
 * Returns the columns that identify a file's lines: each that does alone, otherwise pairs, otherwise triples.
 * Left ones first.
 */
export async function keysOf<C extends KeyColumn>(
  file: Pick<TableFile, 'read' | 'source'>,
  columns: readonly C[],
): Promise<readonly (readonly C[])[]> {
  const alone = columns.filter(couldBeKey).map((column) => [column]);
  if (alone.length > 0) return alone;
  const parts = columns.filter(couldBePart);
  const pairs = await distinctSets(file, setsOf(parts.slice(0, MAX_OF_PAIRS), 2));
  return pairs.length > 0 ? pairs : distinctSets(file, setsOf(parts.slice(0, MAX_OF_TRIPLES), 3));
}

/** Returns all combinations of a size, in order. */
function setsOf<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return all.flatMap((first, at) => setsOf(all.slice(at + 1), count - 1).map((others) => [first, ...others]));
}

/** Returns the combinations whose values are distinct in all lines. */
async function distinctSets<C extends KeyColumn>(
  { read, source }: Pick<TableFile, 'read' | 'source'>,
  sets: readonly (readonly C[])[],
): Promise<readonly (readonly C[])[]> {
  const distinct = createDistinct();
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
