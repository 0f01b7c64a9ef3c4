import type { Row } from '../../lists/definitions/model.ts';
import { sha256 } from '../../base/hashes.ts';
import { createPause } from '../../base/yield.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { wayFrom } from '../../lists/rows/ways.ts';

/** Who brings the rows. */
export interface Bringer {
  readonly nodeID: string;
  /**
   * One that was installed anew and paired again is the same partner: what its installation of before brought was in
   * the list before.
   */
  readonly installation?: string | undefined;
}

/** Rows of one list with the same values: those that were there before, and the one that a partner brought. */
export interface Doubled {
  readonly before: readonly string[];
  readonly came: string;
}

type Scanned = Pick<Rows, 'scan'>;

/**
 * How many rows that this partner brings were in the list before, with the same values in all columns that it fills: as
 * where an office was installed anew or paired anew, and its rows of before were kept. Rows that are alike among
 * themselves, and rows without any value, say nothing.
 * @param columns local ones that the partner fills
 */
export async function countDoubles(
  rows: Scanned,
  partner: Bringer,
  columns: readonly string[],
): Promise<number> {
  return (await broughtOnce(rows, partner, columns)).size;
}

/** The same rows by their ids, in the order in which they were in the list before. */
export async function findDoubles(
  rows: Scanned,
  partner: Bringer,
  columns: readonly string[],
): Promise<Doubled[]> {
  const once = await broughtOnce(rows, partner, columns);
  const found = new Map([...once].map((name) => [name, { before: [] as string[], came: '' }]));
  if (once.size > 0)
    await eachNamed(rows, columns, (name, row) => {
      const doubled = found.get(name);
      if (!doubled) return;
      if (isBroughtBy(row, partner)) doubled.came = row.recordID;
      else doubled.before.push(row.recordID);
    });
  // What changed between the passes is no pair any more.
  return [...found.values()].filter(({ before, came }) => before.length > 0 && came !== '');
}

/** What rows that were there before are known by here, where the partner brings just one of the same values. */
async function broughtOnce(
  rows: Scanned,
  partner: Bringer,
  columns: readonly string[],
): Promise<ReadonlySet<string>> {
  // Of the partner's rows nothing is kept: how many it sends, and how large, is for the partner to say.
  const times = new Map<string, number>();
  const isTheirs = (row: Row): boolean => isBroughtBy(row, partner);
  await eachNamed(
    rows,
    columns,
    (name) => times.set(name, 0),
    (row) => !isTheirs(row),
  );
  if (times.size === 0) return new Set();
  await eachNamed(
    rows,
    columns,
    (name) => {
      const known = times.get(name);
      if (known !== undefined) times.set(name, known + 1);
    },
    isTheirs,
  );
  return new Set([...times].filter(([, count]) => count === 1).map(([name]) => name));
}

async function eachNamed(
  rows: Scanned,
  columns: readonly string[],
  body: (name: string, row: Row) => void,
  isWanted: (row: Row) => boolean = () => true,
): Promise<void> {
  const pause = createPause();
  for await (const batch of rows.scan()) {
    for (const row of batch) {
      const name = isWanted(row) ? nameOf(row, columns) : undefined;
      if (name !== undefined) body(name, row);
      await pause();
    }
  }
}

function isBroughtBy(row: Row, { nodeID, installation }: Bringer): boolean {
  const way = wayFrom(row, nodeID);
  return way !== undefined && (installation === undefined || way.via.at(-1) === installation);
}

/** The same for rows with the same values; undefined for one without any. */
export function nameOf({ values }: Pick<Row, 'values'>, columns: readonly string[]): string | undefined {
  const texts = columns.map((column) => valuesOf(values, column));
  return texts.every((each) => each.length === 0) ? undefined : sha256(JSON.stringify(texts));
}
