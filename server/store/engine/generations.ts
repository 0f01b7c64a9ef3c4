import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { listIfExists } from '../files/disk-steps.ts';

/** A folder's files by number, ascending. Journal `n` continues snapshot `n`, else journal `n - 1`. */
export interface Generations {
  readonly snapshots: readonly number[];
  readonly journals: readonly number[];
  readonly leftovers: readonly string[];
  readonly aside: readonly string[];
  /** The partition wasn't closed properly: its journal may end within a transaction. */
  readonly open: boolean;
}

/** This file exists in the folder while the partition may be written to. */
export const OPEN_MARK = 'open';
/** Ending of a file that doesn't count until it is renamed. */
export const UNFINISHED = '.tmp';

export const snapshotName = (number: number): string => `snapshot-${String(number).padStart(6, '0')}.jsonl`;
export const journalName = (number: number): string => `journal-${String(number).padStart(6, '0')}.jsonl`;

/** Returns the snapshots, journals and other files of a partition's folder; none if the folder doesn't exist. */
export async function listGenerations(disk: Disk, folder: string): Promise<Generations> {
  const names = await listIfExists(disk, folder);
  const numbersOf = (kind: string): number[] =>
    names
      .map((name) => new RegExp(`^${kind}-(\\d{6,})\\.jsonl$`).exec(name)?.[1])
      .flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
      .sort((a, b) => a - b);
  return {
    snapshots: numbersOf('snapshot'),
    journals: numbersOf('journal'),
    leftovers: names.filter((name) => name.endsWith(UNFINISHED)),
    aside: names.filter((name) => name.includes('.damaged-')),
    open: names.includes(OPEN_MARK),
  };
}

/** Returns the paths of the snapshots and journals with numbers below `keep`. */
export function outdatedPaths(folder: string, found: Generations, keep: number): string[] {
  const old = (number: number): boolean => number < keep;
  return [
    ...found.snapshots.filter(old).map(snapshotName),
    ...found.journals.filter(old).map(journalName),
  ].map((name) => join(folder, name));
}
