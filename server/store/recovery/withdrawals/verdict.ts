import type { Noted, Reach } from './reach.ts';

/** The file of notes as it was found. */
export interface FileFound {
  /** `early`: of a version that did not name its files yet. */
  readonly state: 'none' | 'early' | 'sound' | 'damaged';
  readonly reach: Reach;
  /** It holds all that was ever taken back, and not only what was since the file was made anew. */
  readonly isAll: boolean;
  /** How far notes had come, as far as was known, when it was made anew. */
  readonly from?: Reach | undefined;
}

export interface Evidence {
  readonly file: FileFound;
  /** How far the data knows of what was taken back; undefined in data of before that was kept. */
  readonly system: Reach | undefined;
  /** How far both had come, as noted beside the parts of the store; undefined where it never was. */
  readonly noted: Noted | undefined;
  /** The store found that the data went back, or may have. */
  readonly wentBack: boolean;
}

/**
 * What can be relied on.
 * - `file`: nothing that was taken back is missing in the file of notes, whatever became of the data.
 * - `system`: the file is not what it was, but the data is as new as it ever was, and knows all that was taken back.
 * - `nothing`: the data went back, and what was taken back since may be in neither of them.
 */
export type Verdict = 'file' | 'system' | 'nothing';

export function verdictOn({ file, system, noted, wentBack }: Evidence): Verdict {
  const isAsNew = (reach: Reach): boolean => noted !== undefined && reaches(reach, noted, file);
  const isRestored = noted?.restored === true;
  if (!system && !noted && (file.state === 'none' || file.state === 'early'))
    return wentBack ? 'nothing' : 'file';
  // How far the data knows is said by a backup file itself, and left out by whoever does not want it known.
  const coversAll = system ? isBehindNothing(file.reach, system) : file.isAll && !isRestored;
  const covers = file.state === 'sound' && coversAll;
  if (covers && (isAsNew(file.reach) || (!noted && !wentBack))) return 'file';
  return system && !wentBack && !isRestored && isAsNew(system) ? 'system' : 'nothing';
}

const isBehindNothing = (one: Reach, other: Reach): boolean => one.book === other.book && one.no >= other.no;

/** A file that was just made anew stands where the one before stood, until that is noted. */
function reaches(reach: Reach, noted: Reach, { from, reach: { book } }: FileFound): boolean {
  return isBehindNothing(reach, noted) || (reach.book === book && !!from && isBehindNothing(from, noted));
}
