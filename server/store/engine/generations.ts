import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { listIfExists } from '../files/disk-steps.ts';

/** A folder's files by ascending number. Journal `n` continues snapshot `n`, else journal `n - 1`. */
export interface Generations {
  readonly snapshots: readonly number[];
  readonly journals: readonly number[];
  readonly leftovers: readonly string[];
  readonly aside: readonly string[];
  /** Not closed properly: the journal may end mid-transaction. */
  readonly open: boolean;
}

/** Present while the partition may be written to. */
export const OPEN_MARK = 'open';
/** Ending of a file that doesn't count until renamed. */
export const UNFINISHED = '.tmp';

export const snapshotName = (number: number): string => `snapshot-${String(number).padStart(6, '0')}.jsonl`;
export const journalName = (number: number): string => `journal-${String(number).padStart(6, '0')}.jsonl`;

/**
 * Lists a partition's snapshots and journals by number, ascending, and its leftovers; none if the folder doesn't exist.
 */
export async function listGenerations(disk: Disk, folder: string): Promise<Generations> {
  const names = await listIfExists(disk, folder);
  /** Returns the ascending numbers of files of this kind. */
  const fileNumbers = (kind: string): number[] =>
    names
      .map((name) => new RegExp(`^${kind}-(\\d{6,})\\.jsonl$`).exec(name)?.[1])
      .flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
      .sort((a, b) => a - b);
  return {
    snapshots: fileNumbers('snapshot'),
    journals: fileNumbers('journal'),
    leftovers: names.filter((name) => name.endsWith(UNFINISHED)),
    aside: names.filter((name) => name.includes('.damaged-')),
    open: names.includes(OPEN_MARK),
  };
}

/** Returns the paths of snapshots and journals numbered below `keep`. */
export function outdatedPaths(folder: string, found: Generations, keep: number): string[] {
  const old = (number: number): boolean => number < keep;
  return [
    ...found.snapshots.filter(old).map(snapshotName),
    ...found.journals.filter(old).map(journalName),
  ].map((name) => join(folder, name));
}
