import type { Mark } from '../recovery/mark.ts';
import type { PartitionState } from './partition-state.ts';
import type { LoadPlace } from '../files/place.ts';
import { said } from '../../words/said.ts';

/** After an earlier loss the numbers jump by at least as much (`seqAfterLoss`); a difference then counts no changes. */
const JUMP = 2 ** 20;

/**
 * Whether a state that was read up to some damage can be gone on with. One that holds nothing may be all that is
 * left of very much, unless it is known that nothing is missing.
 */
export function isOfUse(state: PartitionState, mark: Mark | undefined): boolean {
  return state.entries() > 0 || state.lastSeq() === mark?.last;
}

/** How many of the changes that were noted as saved are not in a state; undefined when that cannot be known. */
export function missingIn(state: PartitionState, mark: Mark | undefined): number | undefined {
  return missingBehind(state.lastSeq(), mark);
}

/** Counts the changes noted as saved behind change `last`; undefined when that cannot be known. */
export function missingBehind(last: number, mark: Mark | undefined): number | undefined {
  const missing = mark && Math.max(0, mark.last - last);
  return missing !== undefined && missing < JUMP ? missing : undefined;
}

/** Tells what is missing, and what took the place of the file that was put aside. */
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
