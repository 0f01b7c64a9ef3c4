import type { HighWaterMark } from '../recovery/high-water-mark.ts';
import type { PartitionState } from './partition-state.ts';
import type { LoadLocation } from '../files/store-location.ts';
import { said } from '../../words/said.ts';

/** After a loss the numbers jump by at least this much (`seqAfterLoss`). */
const JUMP = 2 ** 20;

/** Returns whether a partly read state can be used: it has entries, or nothing is known to be missing. */
export function isRecoverable(state: PartitionState, mark: HighWaterMark | undefined): boolean {
  return state.entries() > 0 || state.lastSeq() === mark?.last;
}

/** Returns how many changes that were noted as saved are missing in a state; undefined if unknown. */
export function missingChanges(state: PartitionState, mark: HighWaterMark | undefined): number | undefined {
  return missingChangesAfter(state.lastSeq(), mark);
}

/** Returns how many changes after `last` were noted as saved; undefined if unknown. */
export function missingChangesAfter(last: number, mark: HighWaterMark | undefined): number | undefined {
  const missing = mark && Math.max(0, mark.last - last);
  return missing !== undefined && missing < JUMP ? missing : undefined;
}

/**
 * Adds a notice for the user that changes were lost. @param aside the damaged file, which was put aside @param
 * missing how many changes; undefined: unknown @param fromBackup whether a backup replaced the file
 */
export function reportLoss(
  place: LoadLocation,
  aside: string,
  { missing, fromBackup }: { missing: number | undefined; fromBackup: boolean },
): void {
  if (fromBackup) reportBackup(place, aside, missing);
  else reportFiles(place, aside, missing);
}

/** Reports that a backup took a file's place, and how many changes are missing; undefined: unknown. */
function reportBackup({ notice }: LoadLocation, file: string, missing: number | undefined): void {
  if (missing === undefined) {
    notice('restored-from-backup', file, said('store.backup-changes-missing'));
  } else if (missing === 0) {
    notice('restored-from-backup', file, said('store.backup-nothing-missing'));
  } else {
    notice('restored-from-backup', file, said('store.backup-missing', { n: missing }));
  }
}

/** Reports that damaged files were put aside, and how many changes are missing; undefined: unknown. */
function reportFiles({ notice }: LoadLocation, file: string, missing: number | undefined): void {
  if (missing === undefined) {
    notice('damaged-put-aside', file, said('store.aside-cut'));
  } else if (missing === 0) {
    notice('damaged-put-aside', file, said('store.aside-nothing-missing'));
  } else {
    notice('damaged-put-aside', file, said('store.aside-missing', { n: missing }));
  }
}
