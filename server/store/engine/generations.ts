import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { listIfExists } from '../files/disk-steps.ts';

/** Files by number. Journal `n` continues snapshot `n`, else journal `n - 1`; the first starts empty. */
export interface Generations {
  /** Ascending. */
  readonly snapshots: readonly number[];
  readonly journals: readonly number[];
  /** Names of files that were being written when the program stopped. */
  readonly leftovers: readonly string[];
  /** Names of files that were set aside as damaged. */
  readonly aside: readonly string[];
  /** It wasn't closed properly: its journal may end within a transaction. */
  readonly open: boolean;
}

/** Exists in the folder while the partition may be written to; see {@link Generations.open}. */
export const OPEN_MARK = 'open';
/** Ending of a file that doesn't count until it is renamed. */
export const UNFINISHED = '.tmp';

export const snapshotName = (number: number): string => `snapshot-${String(number).padStart(6, '0')}.jsonl`;
export const journalName = (number: number): string => `journal-${String(number).padStart(6, '0')}.jsonl`;

/** Returns the snapshots, journals and other files of a partition's folder; none if the folder doesn't exist. */
export async function listGenerations(disk: Disk, folder: string): Promise<Generations> {
  const names = await listIfExists(disk, folder);
  /** Returns the numbers of this kind's files, in order. */
  const numbers = (kind: string): number[] =>
    names
      .map((name) => new RegExp(`^${kind}-(\\d{6,})\\.jsonl$`).exec(name)?.[1])
      .flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
      .sort((a, b) => a - b);
  return {
    snapshots: numbers('snapshot'),
    journals: numbers('journal'),
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
