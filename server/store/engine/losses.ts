import type { Mark } from '../recovery/mark.ts';
import type { PartitionState } from './partition-state.ts';
import type { LoadPlace } from '../files/place.ts';
import { said } from '../../words/said.ts';

/** After a loss the numbers jump by at least this much (`seqAfterLoss`); such a difference counts no changes. */
const JUMP = 2 ** 20;

/**
 * Returns whether a state that was read up to some damage can be used. An empty one may be the rest of a
 * large one, unless nothing is known to be missing.
 */
export function isOfUse(state: PartitionState, mark: Mark | undefined): boolean {
  return state.entries() > 0 || state.lastSeq() === mark?.last;
}

/** Returns how many changes that were noted as saved are missing in a state; undefined if unknown. */
export function missingIn(state: PartitionState, mark: Mark | undefined): number | undefined {
  return missingBehind(state.lastSeq(), mark);
}

/** Returns how many changes after `last` were noted as saved; undefined if unknown. */
export function missingBehind(last: number, mark: Mark | undefined): number | undefined {
  const missing = mark && Math.max(0, mark.last - last);
  return missing !== undefined && missing < JUMP ? missing : undefined;
}

/** Reports what is missing and what replaced the file that was set aside. */
export function tellOfLoss(
  place: LoadPlace,
  aside: string,
  { missing, fromBackup }: { missing: number | undefined; fromBackup: boolean },
): void {
  if (fromBackup) tellOfBackup(place, aside, missing);
  else tellOfFiles(place, aside, missing);
}

function tellOfBackup({ notice }: LoadPlace, file: string, missing: number | undefined): void {
  if (missing === undefined) {
    notice('restored-from-backup', file, said('store.backup-changes-missing'));
  } else if (missing === 0) {
    notice('restored-from-backup', file, said('store.backup-nothing-missing'));
  } else {
    notice('restored-from-backup', file, said('store.backup-missing', { n: missing }));
  }
}

function tellOfFiles({ notice }: LoadPlace, file: string, missing: number | undefined): void {
  if (missing === undefined) {
    notice('damaged-put-aside', file, said('store.aside-cut'));
  } else if (missing === 0) {
    notice('damaged-put-aside', file, said('store.aside-nothing-missing'));
  } else {
    notice('damaged-put-aside', file, said('store.aside-missing', { n: missing }));
  }
}
