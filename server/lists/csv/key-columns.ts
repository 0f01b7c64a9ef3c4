import type { FieldKind } from '../../base/vocabulary.ts';
import { createDistinctFinder } from './distinct.ts';
import type { TableFile } from './read.ts';
import type { TableColumn } from './scan-lines.ts';

/** A file's column that may be in a key, with its target's kind. */
export interface KeyColumn {
  readonly column: TableColumn;
  readonly kind: FieldKind;
}

/** More would join order lines with their orders. */
const MAX_OF_PAIRS = 30;
const MAX_OF_TRIPLES = 12;

/** Returns whether the column could identify rows alone. Distinct dates and amounts do only by chance. */
function couldBeKey({ column, kind }: KeyColumn): boolean {
  return column.isDistinct && isName({ column, kind });
}

/** Returns whether the column has text, emails, or whole numbers in the samples. */
function isName({ column: { guess }, kind }: KeyColumn): boolean {
  if (kind === 'Number') return guess.samples.every((cell) => /^\s*\d+\s*$/.test(cell));
  return kind === 'String' || kind === 'Email';
}

/** Returns whether the column can be part of a key: filled in every line, with names, references or dates. */
const couldBePart = (column: KeyColumn): boolean =>
  column.column.isFilled && (isName(column) || column.kind === 'Record' || column.kind === 'DateTime');

/**
 * Returns sets of columns that identify lines, left ones first: single columns, otherwise pairs of the first 30,
 * otherwise triples of the first 12, for which it reads the whole file.
 */
export async function findKeys<C extends KeyColumn>(
  file: Pick<TableFile, 'read' | 'source'>,
  columns: readonly C[],
): Promise<readonly (readonly C[])[]> {
  const alone = columns.filter(couldBeKey).map((column) => [column]);
  if (alone.length > 0) return alone;
  const parts = columns.filter(couldBePart);
  const pairs = await findDistinctSets(file, combinationsOf(parts.slice(0, MAX_OF_PAIRS), 2));
  return pairs.length > 0 ? pairs : findDistinctSets(file, combinationsOf(parts.slice(0, MAX_OF_TRIPLES), 3));
}

/** Returns all combinations of `count` elements, in the order of `all`. */
function combinationsOf<T>(all: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return all.flatMap((first, at) =>
    combinationsOf(all.slice(at + 1), count - 1).map((others) => [first, ...others]),
  );
}

/**
 * Returns sets whose values differ in all lines; none for a file of one line. Invalid lines are ignored; beyond a
 * million values the last combinations are excluded.
 */
async function findDistinctSets<C extends KeyColumn>(
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
        distinct.recordCell(at, JSON.stringify(texts));
      }
      if (left.some(({ at }) => !distinct.isPossible(at)))
        left = left.filter(({ at }) => distinct.isPossible(at));
      if (left.length === 0) return [];
    }
  return left.filter(({ at }) => distinct.isDistinct(at, lines)).map(({ columns }) => columns);
}
