import type { Row } from '../../lists/definitions/model.ts';
import { createPause } from '../../base/yield.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { wayFrom } from '../../lists/rows/ways.ts';

/**
 * How many rows that this partner brings were in the list before, with the same values in all columns that it fills: as
 * where an office was installed anew or paired anew, and its rows of before were kept. Rows that are alike among
 * themselves, and rows without any value, say nothing.
 * @param columns local ones that the partner fills
 */
export async function countDoubles(
  rows: Pick<Rows, 'scan'>,
  nodeID: string,
  columns: readonly string[],
): Promise<number> {
  const theirs = createTexts(columns);
  const others = createTexts(columns);
  const pause = createPause();
  for await (const batch of rows.scan()) {
    for (const row of batch) (wayFrom(row, nodeID) ? theirs : others).add(row);
    await pause();
  }
  return [...theirs.once()].filter((text) => others.has(text)).length;
}

interface Texts {
  add(row: Row): void;
  /** Of rows of which there is one each. */
  once(): Iterable<string>;
  has(text: string): boolean;
}

function createTexts(columns: readonly string[]): Texts {
  const counts = new Map<string, number>();
  return {
    add({ values }) {
      const texts = columns.map((column) => valuesOf(values, column));
      if (texts.every((each) => each.length === 0)) return;
      const text = JSON.stringify(texts);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    },
    *once() {
      for (const [text, count] of counts) if (count === 1) yield text;
    },
    has: (text) => counts.has(text),
  };
}
