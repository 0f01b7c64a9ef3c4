import type { Row } from '../../lists/definitions/model.ts';
import { sha256 } from '../../base/hashes.ts';
import { createYielder } from '../../base/yield.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';

export interface DuplicateSource {
  readonly nodeID: string;
  /** Rows of an earlier connection with another installation are ours. */
  readonly installation?: string | undefined;
}

/** Equal rows of one list: earlier ones, and a partner's. */
export interface Duplicate {
  readonly before: readonly string[];
  readonly came: string;
}

type Scanned = Pick<Rows, 'scan'>;

/** More keys of partner rows need a second pass. */
const MAX_KEPT = 50_000;

/** Returns how many of this partner's rows equal, in these columns, rows that it didn't bring. */
export async function countDuplicates(
  rows: Scanned,
  partner: DuplicateSource,
  columns: readonly string[],
): Promise<number> {
  return (await findDuplicates(rows, partner, columns)).length;
}

/**
 * Deduplication: returns this partner's rows that equal, in these columns, rows that it didn't bring; not rows without
 * values, nor the partner's rows that equal each other. Reads the list twice above `maxInMemory` keys.
 */
export async function findDuplicates(
  rows: Scanned,
  partner: DuplicateSource,
  columns: readonly string[],
  maxInMemory = MAX_KEPT,
): Promise<Duplicate[]> {
  /** Nearly every key has one row, without an array. */
  const ours = new Map<string, string | string[]>();
  let theirs = new PartnerRowKeys(maxInMemory);
  await forEachWithKey(rows, columns, (name, row) => {
    if (isBroughtBy(row, partner)) theirs.addRow(name, row.recordID);
    else {
      const known = ours.get(name);
      if (known === undefined) ours.set(name, row.recordID);
      else if (typeof known === 'string') ours.set(name, [known, row.recordID]);
      else known.push(row.recordID);
    }
  });
  if (theirs.areTooMany && ours.size > 0) {
    // Only our keys count, as the partner decides how many rows it sends.
    theirs = new PartnerRowKeys(Infinity);
    await forEachWithKey(
      rows,
      columns,
      (name, row) => {
        if (ours.has(name)) theirs.addRow(name, row.recordID);
      },
      (row) => isBroughtBy(row, partner),
    );
  }
  return [...ours].flatMap(([name, before]) => {
    const came = theirs.uniqueRowID(name);
    return came === undefined ? [] : [{ before: [before].flat(), came }];
  });
}

class PartnerRowKeys {
  areTooMany = false;
  readonly #most: number;
  /** Undefined: several rows have the key. */
  readonly #ids = new Map<string, string | undefined>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Adds a row of the partner; a key that several rows have finds none. Above the limit, discards all and sets
   * `areTooMany`.
   */
  addRow(name: string, recordID: string): void {
    if (this.areTooMany) return;
    this.#ids.set(name, this.#ids.has(name) ? undefined : recordID);
    if (this.#ids.size <= this.#most) return;
    this.areTooMany = true;
    this.#ids.clear();
  }

  /** Returns the only row with this key; undefined if there is none or several. */
  uniqueRowID(name: string): string | undefined {
    return this.#ids.get(name);
  }
}

/** Calls `body` for each wanted row with its {@link duplicateKey}; skips rows that are empty in all these columns. */
async function forEachWithKey(
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

/** Returns whether the partner is a source of the row and, if known, sent it as this installation. */
function isBroughtBy(row: Row, { nodeID, installation }: DuplicateSource): boolean {
  const source = sourceFrom(row, nodeID);
  return source !== undefined && (installation === undefined || source.via.at(-1) === installation);
}

/** Returns the key of rows with equal values in these columns; undefined for a row without any. */
export function duplicateKey(
  { values }: Pick<Row, 'values'>,
  columns: readonly string[],
): string | undefined {
  // Only a yes/no column has empty texts: “no”, which pages by column send as no value.
  const texts = columns.map((column) => valuesOf(values, column).filter((text) => text !== ''));
  return texts.every((each) => each.length === 0) ? undefined : sha256(JSON.stringify(texts));
}
