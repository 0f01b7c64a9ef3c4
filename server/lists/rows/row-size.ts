import type { Row, Values } from '../definitions/model.ts';

/** Per answer, except for its first row: a row may have 4 MiB. */
export const MAX_PAGE_CHARS = 4 * 1024 * 1024;

/** Counts the characters of values, received and previous ones. */
export function countRowChars({ values, received }: Pick<Row, 'values' | 'received'>): number {
  return countValueChars(values) + countValueChars(received?.values) + countValueChars(received?.previous);
}

/** Returns the characters of all values together. */
export function countValueChars(values: Values = {}): number {
  let letters = 0;
  for (const name in values) for (const text of values[name] ?? []) letters += text.length;
  return letters;
}

/** Returns the first items, at least one, that fit into `limit` and 4 Mi characters, and whether others follow. */
export async function takeWhileFitting<E>(
  all: Iterable<E> | AsyncIterable<E>,
  lettersOf: (each: E) => number,
  limit = Infinity,
): Promise<{ readonly first: E[]; readonly more: boolean }> {
  const first: E[] = [];
  let letters = 0;
  for await (const each of all) {
    letters += lettersOf(each);
    if (first.length === limit || (first.length > 0 && letters > MAX_PAGE_CHARS))
      return { first, more: true };
    first.push(each);
  }
  return { first, more: false };
}
