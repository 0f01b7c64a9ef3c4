import type { FieldKind } from '../../base/vocabulary.ts';
import { createDistinct } from './distinct.ts';
import type { TableColumn, TableFile } from './read.ts';

/** A column of a file that may be a key, or a part of one. */
export interface KeyColumn {
  readonly column: TableColumn;
  /** Of the list's column that takes it. */
  readonly kind: FieldKind;
}

/** Columns that may be parts of a key: of order lines that were joined with their orders, the product stands far to the right. */
const MAX_OF_PAIRS = 30;
const MAX_OF_TRIPLES = 12;

/** Whether people may tell rows apart by this column: days and amounts differ by chance. */
function couldBeKey({ column, kind }: KeyColumn): boolean {
  return column.isDistinct && isName({ column, kind });
}

function isName({ column: { guess }, kind }: KeyColumn): boolean {
  if (kind === 'Number') return guess.samples.every((cell) => /^\s*\d+\s*$/.test(cell));
  return kind === 'String' || kind === 'Email';
}

/** Rows of another list and days tell lines apart beside something else, as in a list of bookings. */
const couldBePart = (column: KeyColumn): boolean =>
  column.column.isFilled && (isName(column) || column.kind === 'Record' || column.kind === 'DateTime');

/**
 * The columns by which the lines of a file can be told apart: each that does so alone; where none does, pairs that do, or
 * else triples. First those that stand on the left.
 */
export async function keysOf<C extends KeyColumn>(
  file: Pick<TableFile, 'read' | 'source'>,
  columns: readonly C[],
): Promise<readonly (readonly C[])[]> {
  const alone = columns.filter(couldBeKey).map((column) => [column]);
  if (alone.length > 0) return alone;
  const parts = columns.filter(couldBePart);
  const pairs = await thoseApart(file, setsOf(parts.slice(0, MAX_OF_PAIRS), 2));
  return pairs.length > 0 ? pairs : thoseApart(file, setsOf(parts.slice(0, MAX_OF_TRIPLES), 3));
}

/** All choices of so many, in order. */
function setsOf<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return all.flatMap((first, at) => setsOf(all.slice(at + 1), count - 1).map((others) => [first, ...others]));
}

/** Those of which no two lines of the file say the same together. */
async function thoseApart<C extends KeyColumn>(
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
