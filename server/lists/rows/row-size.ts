import type { Row, Values } from '../definitions/model.ts';

/** Letters of one answer, unless its first row alone has more: rows may be of 4 MiB each. */
export const MAX_PAGE_CHARS = 4 * 1024 * 1024;

/** How long a row is, where all that is kept with it is given. */
export function rowChars({ values, received }: Pick<Row, 'values' | 'received'>): number {
  return valueChars(values) + valueChars(received?.values) + valueChars(received?.previous);
}

export function valueChars(values: Values = {}): number {
  let letters = 0;
  for (const name in values) for (const text of values[name] ?? []) letters += text.length;
  return letters;
}

/** The first of these that go into one answer together, and whether others follow. */
export async function takeUpToSize<E>(
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
