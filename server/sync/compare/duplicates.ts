import type { Row } from '../../lists/definitions/model.ts';
import { sha256 } from '../../base/hashes.ts';
import { createYielder } from '../../base/yield.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';

/** The partner that brings the rows. */
export interface DuplicateSource {
  readonly nodeID: string;
  /**
   * A partner that was reinstalled and paired again is the same: what its previous installation brought was
   * in the list before.
   */
  readonly installation?: string | undefined;
}

/** Rows of one list with the same values: the earlier ones, and the one that a partner brought. */
export interface Duplicate {
  readonly before: readonly string[];
  readonly came: string;
}

type Scanned = Pick<Rows, 'scan'>;

/** Up to this many of the partner's rows are kept in memory; beyond that a second pass is needed. */
const MAX_KEPT = 50_000;

/**
 * Returns the number of this partner's rows that were in the list before with the same values in all columns that
 * it fills, as after a new pairing whose previous rows were kept. Rows without values, and equal rows within one
 * side, don't count. @param columns local ones that the partner fills
 */
export async function countDuplicates(
  rows: Scanned,
  partner: DuplicateSource,
  columns: readonly string[],
): Promise<number> {
  return (await findDuplicates(rows, partner, columns)).length;
}

/**
 * Returns the rows that {@link countDuplicates} counts, each with the earlier ones, in the list's earlier order.
 * Scans the list, twice if the partner has very many rows. @param most see {@link MAX_KEPT}
 */
export async function findDuplicates(
  rows: Scanned,
  partner: DuplicateSource,
  columns: readonly string[],
  most = MAX_KEPT,
): Promise<Duplicate[]> {
  /** Nearly every key has a single row, which needs no array. */
  const ours = new Map<string, string | string[]>();
  let theirs = new Brought(most);
  await eachNamed(rows, columns, (name, row) => {
    if (isBroughtBy(row, partner)) theirs.add(name, row.recordID);
    else {
      const known = ours.get(name);
      if (known === undefined) ours.set(name, row.recordID);
      else if (typeof known === 'string') ours.set(name, [known, row.recordID]);
      else known.push(row.recordID);
    }
  });
  if (theirs.areTooMany && ours.size > 0) {
    // The partner decides how many it sends: only keys that we have too are kept.
    theirs = new Brought(Infinity);
    await eachNamed(
      rows,
      columns,
      (name, row) => {
        if (ours.has(name)) theirs.add(name, row.recordID);
      },
      (row) => isBroughtBy(row, partner),
    );
  }
  return [...ours].flatMap(([name, before]) => {
    const came = theirs.once(name);
    return came === undefined ? [] : [{ before: [before].flat(), came }];
  });
}

/** The partner's rows by key. */
class Brought {
  areTooMany = false;
  readonly #most: number;
  /** Undefined: several have it. */
  readonly #ids = new Map<string, string | undefined>();

  /** @param most beyond this, nothing is known any more */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Adds a row under its key; a key with several rows counts for none of them. Discards all once there are more
   * keys than the limit.
   */
  add(name: string, recordID: string): void {
    if (this.areTooMany) return;
    this.#ids.set(name, this.#ids.has(name) ? undefined : recordID);
    if (this.#ids.size <= this.#most) return;
    this.areTooMany = true;
    this.#ids.clear();
  }

  /** Returns the only one with this key. */
  once(name: string): string | undefined {
    return this.#ids.get(name);
  }
}

/** Calls `body` with the key and row of each wanted row that has a value in these columns. */
async function eachNamed(
  rows: Scanned,
  columns: readonly string[],
  body: (name: string, row: Row) => void,
  isWanted: (row: Row) => boolean = () => true,
): Promise<void> {
  const pause = createYielder();
  for await (const batch of rows.scan()) {
    for (const row of batch) {
      const name = isWanted(row) ? duplicateKey(row, columns) : undefined;
      if (name !== undefined) body(name, row);
      await pause();
    }
  }
}

/** Returns whether this partner, in its present installation if known, is a source of the row. */
function isBroughtBy(row: Row, { nodeID, installation }: DuplicateSource): boolean {
  const way = sourceFrom(row, nodeID);
  return way !== undefined && (installation === undefined || way.via.at(-1) === installation);
}

/** Returns an equal key for rows with equal values; undefined for a row without any. */
export function duplicateKey(
  { values }: Pick<Row, 'values'>,
  columns: readonly string[],
): string | undefined {
  const texts = columns.map((column) => valuesOf(values, column));
  return texts.every((each) => each.length === 0) ? undefined : sha256(JSON.stringify(texts));
}
