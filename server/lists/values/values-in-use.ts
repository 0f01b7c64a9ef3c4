import type { Rows } from '../rows/rows.ts';
import { valuesOf } from './value-sets.ts';

const MAX_VALUE_CHARS = 1000;

/**
 * Returns the first `most` different values of rows outside the bin, without empty ones and those over 1,000
 * characters.
 */
export async function findValuesInUse(rows: Rows, column: string, most: number): Promise<string[]> {
  const found = new Set<string>();
  for await (const page of rows.scan()) {
    for (const { values } of page)
      for (const text of valuesOf(values, column)) if (text.length <= MAX_VALUE_CHARS) found.add(text);
    if (found.size >= most) break;
  }
  found.delete('');
  return [...found].slice(0, most);
}
