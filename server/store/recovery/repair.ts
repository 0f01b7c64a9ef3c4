import { dirname, join } from 'node:path';
import { loadChain } from './chain.ts';
import { findConflictedCopies, ConflictedCopyError } from './conflicted-copies.ts';
import { errorCode, renameDurably } from '../files/disk-steps.ts';
import { listGenerations } from '../engine/generations.ts';
import { createJournal, type Journal } from '../engine/journal.ts';
import { isRecoverable, missingChanges, reportLoss } from '../engine/lost-changes.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import type { LoadLocation } from '../files/store-location.ts';
import { writeSnapshot } from '../engine/snapshot.ts';
import { takeConsistentView } from '../engine/store-writer.ts';
import { StoreError } from '../store.ts';
import { said } from '../../words/said.ts';

export interface Rewritten {
  readonly state: PartitionState;
  readonly base: number;
  readonly highest: number;
  readonly snapshotBytes: number;
  readonly journalBytes: number;
  readonly journal: Journal;
}

/** Unreachable by any computer. */
const CHANGES_A_SECOND = 2 ** 20;

/** Returns a change number at least 2^20 after `lastSeq`, and by `now` (ms): lost ones may have been sent. */
export function seqAfterLoss(lastSeq: number, now: number): number {
  return Math.max(lastSeq + CHANGES_A_SECOND, Math.floor(now / 1000) * CHANGES_A_SECOND);
}

/**
 * Writes the newest usable state, from the files or a newer backup, as generation `number`; puts damaged files aside,
 * with a notice. Throws StoreError `damaged` without a state, or if a renamed file has a newer one.
 */
export async function replaceDamaged(
  place: LoadLocation,
  fromFiles: PartitionState | undefined,
  damaged: readonly string[],
  number: number,
): Promise<Rewritten> {
  const backup = await place.fromBackups();
  const files = fromFiles && isRecoverable(fromFiles, place.mark) ? fromFiles : undefined;
  const useBackup = backup !== undefined && backup.lastSeq() > (files?.lastSeq() ?? -1);
  const state = useBackup ? backup : files;
  const { disk, folder, partition } = place;
  const [renamed] = await findConflictedCopies(disk, dirname(folder), partition, state?.lastSeq() ?? -1);
  if (renamed) throw new ConflictedCopyError(partition, renamed);
  if (!state) {
    throw new StoreError(
      'damaged',
      `The part "${partition}" of the data folder is damaged, and there is no good copy of it in this folder. ` +
        'Nothing was changed. Put back a good copy of the folder, or a backup from elsewhere with "footbridge restore".',
    );
  }
  const missing = missingChanges(state, place.mark);
  state.skipTo(seqAfterLoss(Math.max(state.lastSeq(), place.mark?.last ?? 0), place.clock.now()));
  await disk.makeFolder(folder);
  const rewritten = await writeGeneration(place, state, number);
  const [aside = folder] = await moveAside(place, damaged);
  reportLoss(place, aside, { missing, fromBackup: useBackup });
  return rewritten;
}

/**
 * Writes an older format's state as generation `number`, with a notice. Throws StoreError `io` if entry count or last
 * change read back differently.
 */
export async function writeMigrated(
  place: LoadLocation,
  state: PartitionState,
  number: number,
): Promise<Rewritten> {
  const rewritten = await writeGeneration(place, state, number);
  const again = await loadChain(
    { ...place, mark: undefined },
    await listGenerations(place.disk, place.folder),
    number,
  );
  if (again?.state.entries() !== state.entries() || again.state.lastSeq() !== state.lastSeq()) {
    throw new StoreError(
      'io',
      'The data could not be brought to the new version. The old files are as they were.',
    );
  }
  place.notice('migrated', place.folder, said('store.taken-over'));
  return rewritten;
}

/** Writes the state as a snapshot and its journal, both with this number, and advances the mark. */
async function writeGeneration(
  place: LoadLocation,
  state: PartitionState,
  number: number,
): Promise<Rewritten> {
  const journal = await createJournal(place, number, state.lastSeq());
  const snapshotBytes = await writeSnapshot(
    place,
    place.folder,
    number,
    takeConsistentView(place.partition, state),
  );
  place.advanceMark(journal.highWaterMark(state.lastSeq()));
  return { state, base: number, highest: number, snapshotBytes, journalBytes: journal.bytes(), journal };
}

/** Renames these files so that they don't count. Returns the new paths, even of missing files. */
export async function moveAside(
  { disk, clock, folder }: LoadLocation,
  names: readonly string[],
): Promise<string[]> {
  const paths: string[] = [];
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (const name of names) {
    const aside = join(folder, `${name}.damaged-${time}`);
    try {
      await renameDurably(disk, clock, join(folder, name), aside);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    paths.push(aside);
  }
  return paths;
}
