import type { Noted, LogPosition } from './log-position.ts';

export interface FileFound {
  /** `early`: of a version that named no logs. */
  readonly state: 'none' | 'early' | 'sound' | 'damaged';
  readonly reach: LogPosition;
  /** Everything ever revoked, not only since a restart of the log. */
  readonly isAll: boolean;
  /** The previous log's position at this one's start, if known. */
  readonly from?: LogPosition | undefined;
}

export interface Evidence {
  readonly file: FileFound;
  /** As noted in the data; absent in older data. */
  readonly system: LogPosition | undefined;
  /** Position of both as noted beside the partitions, if ever. */
  readonly noted: Noted | undefined;
  /** The store found that the data may have gone back. */
  readonly wentBack: boolean;
}

/**
 * Trusted source of revocations.
 * - `file`: the log has every revocation, whatever the data has.
 * - `system`: the log isn't intact, but the data never went back and has every revocation.
 * - `nothing`: the data went back; later revocations may be in neither.
 */
export type TrustedSource = 'file' | 'system' | 'nothing';

/**
 * Returns what to trust after a start, by the revocation log's positions in file, data and marks, as an older copy has
 * an older one: the file if it covers the data and is as new as the marks, else the data if that is, else nothing.
 */
export function findTrustedSource({ file, system, noted, wentBack }: Evidence): TrustedSource {
  const isAsNew = (reach: LogPosition): boolean => noted !== undefined && isAsNewAs(reach, noted, file);
  const isRestored = noted?.restored === true;
  if (!system && !noted && (file.state === 'none' || file.state === 'early'))
    return wentBack ? 'nothing' : 'file';
  // A backup file's position is a mere claim: a forger omits it.
  const coversAll = system ? isAtLeast(file.reach, system) : file.isAll && !isRestored;
  const covers = file.state === 'sound' && coversAll;
  if (covers && (isAsNew(file.reach) || (!noted && !wentBack))) return 'file';
  return system && !wentBack && !isRestored && isAsNew(system) ? 'system' : 'nothing';
}

const isAtLeast = (one: LogPosition, other: LogPosition): boolean =>
  one.book === other.book && one.no >= other.no;

/** Returns whether the position is as new as the noted one; a new log counts as the one before. */
function isAsNewAs(reach: LogPosition, noted: LogPosition, { from, reach: { book } }: FileFound): boolean {
  return isAtLeast(reach, noted) || (reach.book === book && !!from && isAtLeast(from, noted));
}
