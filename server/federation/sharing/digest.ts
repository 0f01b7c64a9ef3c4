import { createHash } from 'node:crypto';
import type { Values } from '../../lists/definitions/model.ts';

/** Compares rows by blocks of ids, with sums of row digests. A change needs a new version of the address. */

/** 128 bits as 32 hex digits. */
export type RowDigest = string;

export interface BlockDigest {
  readonly count: number;
  /** Sum of row digests modulo 2^128, as 32 hex digits. */
  readonly digest: string;
}

/** More are neither requested nor answered. */
export const MAX_BLOCKS = 4096;
const ROWS_PER_BLOCK = 128;

/** Returns how many blocks to use, of about 128 rows each; from 1 to 4,096. */
export function blocksFor(rows: number): number {
  return Math.min(Math.max(Math.ceil(rows / ROWS_PER_BLOCK), 1), MAX_BLOCKS);
}

/**
 * Returns a digest of a row's id and its values in these columns (the columns' order doesn't matter, empty ones don't
 * count).
 */
export function rowDigest(recordID: string, values: Values, fields: readonly string[]): RowDigest {
  const filled = [...fields]
    .sort()
    .flatMap((name) =>
      Object.hasOwn(values, name) && values[name]?.length ? [[name, ...values[name]]] : [],
    );
  return createHash('sha256')
    .update(JSON.stringify([recordID, filled]))
    .digest('hex')
    .slice(0, 32);
}

/** Returns the row's block, from 0, by a hash of its id. */
export function blockOf(recordID: string, blocks: number): number {
  return createHash('sha256').update(recordID).digest().readUInt32BE() % blocks;
}

export interface BlockSums {
  /** Adds a row to its block's count and sum. */
  add(recordID: string, digest: RowDigest): void;
  /** Returns all blocks in order, even empty ones. */
  result(): BlockDigest[];
}

/**
 * Creates the sums of a list's row digests, by block; the order of rows doesn't matter. `result` has an entry for each
 * block, empty ones too.
 */
export function createBlockSums(blocks: number): BlockSums {
  const counts = new Array<number>(blocks).fill(0);
  const sums = new Array<bigint>(blocks).fill(0n);
  return {
    /** Counts the row in its block and adds its digest (hexadecimal) modulo 2^128. */
    add(recordID, digest) {
      const block = blockOf(recordID, blocks);
      counts[block] = (counts[block] ?? 0) + 1;
      sums[block] = BigInt.asUintN(128, (sums[block] ?? 0n) + BigInt(`0x${digest}`));
    },
    result: () =>
      counts.map((count, block) => ({ count, digest: (sums[block] ?? 0n).toString(16).padStart(32, '0') })),
  };
}

/** Returns the numbers of blocks with another count or digest, also those that one side lacks; ascending. */
export function differingBlocks(ours: readonly BlockDigest[], theirs: readonly BlockDigest[]): number[] {
  const blocks = Array.from({ length: Math.max(ours.length, theirs.length) }, (_, block) => block);
  return blocks.filter(
    (block) => ours[block]?.count !== theirs[block]?.count || ours[block]?.digest !== theirs[block]?.digest,
  );
}

export interface RowDifference {
  /** At the origin. */
  readonly recordID: string;
  readonly difference: 'missing-here' | 'missing-there' | 'values';
}

/** Returns how two sides' rows of one block differ, in order of id; not equal ones. */
export function differingRows(
  ours: ReadonlyMap<string, RowDigest>,
  theirs: ReadonlyMap<string, RowDigest>,
): RowDifference[] {
  const differences: RowDifference[] = [];
  for (const [recordID, digest] of theirs) {
    const own = ours.get(recordID);
    if (own === undefined) differences.push({ recordID, difference: 'missing-here' });
    else if (own !== digest) differences.push({ recordID, difference: 'values' });
  }
  for (const recordID of ours.keys())
    if (!theirs.has(recordID)) differences.push({ recordID, difference: 'missing-there' });
  return differences.sort((one, other) => compareIDs(one.recordID, other.recordID));
}

/** Compares decimal ids as numbers. */
export function compareIDs(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}
