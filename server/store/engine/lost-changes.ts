import type { HighWaterMark } from '../recovery/high-water-mark.ts';
import type { PartitionState } from './partition-state.ts';
import type { LoadLocation } from '../files/store-location.ts';
import { said } from '../../words/said.ts';

/** Least jump of change numbers after a loss (`seqAfterLoss`). */
const MIN_SEQ_JUMP = 2 ** 20;

/** Returns whether a partly read state is usable: it has entries, or lacks none that `mark` counts. */
export function isRecoverable(state: PartitionState, mark: HighWaterMark | undefined): boolean {
  return state.entries() > 0 || state.lastSeq() === mark?.last;
}

/** Returns how many changes that `mark` counts as saved a state lacks; undefined if unknown. */
export function missingChanges(state: PartitionState, mark: HighWaterMark | undefined): number | undefined {
  return missingChangesAfter(state.lastSeq(), mark);
}

/**
 * Returns how many changes after `last` the mark counts as saved, at least 0. Undefined without a mark, or if the gap
 * includes the jump of sequence numbers after an earlier loss.
 */
export function missingChangesAfter(last: number, mark: HighWaterMark | undefined): number | undefined {
  const missing = mark && Math.max(0, mark.last - last);
  return missing !== undefined && missing < MIN_SEQ_JUMP ? missing : undefined;
}

/**
 * Adds a notice that `missing` changes (undefined: unknown; may be 0) were lost. `aside` is the damaged file put aside;
 * with `fromBackup`, a backup replaced it.
 */
export function reportLoss(
  place: LoadLocation,
  aside: string,
  { missing, fromBackup }: { missing: number | undefined; fromBackup: boolean },
): void {
  if (fromBackup) reportBackup(place, aside, missing);
  else reportFilePutAside(place, aside, missing);
}

/** Adds the notice of {@link reportLoss} for a backup that replaced the files. */
function reportBackup({ notice }: LoadLocation, file: string, missing: number | undefined): void {
  if (missing === undefined) {
    notice('restored-from-backup', file, said('store.backup-changes-missing'));
  } else if (missing === 0) {
    notice('restored-from-backup', file, said('store.backup-nothing-missing'));
  } else {
    notice('restored-from-backup', file, said('store.backup-missing', { n: missing }));
  }
}

/** Adds the notice of {@link reportLoss} for a damaged file put aside. */
function reportFilePutAside({ notice }: LoadLocation, file: string, missing: number | undefined): void {
  if (missing === undefined) {
    notice('damaged-put-aside', file, said('store.aside-cut'));
  } else if (missing === 0) {
    notice('damaged-put-aside', file, said('store.aside-nothing-missing'));
  } else {
    notice('damaged-put-aside', file, said('store.aside-missing', { n: missing }));
  }
}
