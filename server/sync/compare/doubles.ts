import type { Row } from '../../lists/definitions/model.ts';
import { sha256 } from '../../base/hashes.ts';
import { createPause } from '../../base/yield.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { wayFrom } from '../../lists/rows/ways.ts';

/**
 * How many rows that this partner brings were in the list before, with the same values in all columns that it fills: as
 * where an office was installed anew or paired anew, and its rows of before were kept. Rows that are alike among
 * themselves, and rows without any value, say nothing.
 * @param partner one that was installed anew and paired again is the same partner: what its installation of before
 * brought was in the list before
 * @param columns local ones that the partner fills
 */
export async function countDoubles(
  rows: Pick<Rows, 'scan'>,
  partner: { readonly nodeID: string; readonly installation: string | undefined },
  columns: readonly string[],
): Promise<number> {
  const pause = createPause();
  async function each(body: (name: string) => void, ofTheirs: boolean): Promise<void> {
    for await (const batch of rows.scan()) {
      for (const row of batch) {
        const name = isBroughtBy(row, partner) === ofTheirs ? nameOf(row, columns) : undefined;
        if (name !== undefined) body(name);
        await pause();
      }
    }
  }

  // Of the partner's rows nothing is kept: how many it sends, and how large, is for the partner to say.
  const times = new Map<string, number>();
  await each((name) => times.set(name, 0), false);
  if (times.size === 0) return 0;
  await each((name) => {
    const known = times.get(name);
    if (known !== undefined) times.set(name, known + 1);
  }, true);
  return [...times.values()].filter((count) => count === 1).length;
}

function isBroughtBy(
  row: Row,
  { nodeID, installation }: { readonly nodeID: string; readonly installation: string | undefined },
): boolean {
  const way = wayFrom(row, nodeID);
  return way !== undefined && (installation === undefined || way.via.at(-1) === installation);
}

/** The same for rows with the same values; undefined for one without any. */
export function nameOf({ values }: Pick<Row, 'values'>, columns: readonly string[]): string | undefined {
  const texts = columns.map((column) => valuesOf(values, column));
  return texts.every((each) => each.length === 0) ? undefined : sha256(JSON.stringify(texts));
}
