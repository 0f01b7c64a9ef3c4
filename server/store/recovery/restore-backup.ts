import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { systemDisk, type Disk } from '../files/disk.ts';
import {
  withStoreErrors,
  listIfExists,
  makeDataFolder,
  removeIfExists,
  renameDurably,
} from '../files/disk-steps.ts';
import { takeLock } from '../files/lock.ts';
import { PARTITION_NAME } from '../files/format.ts';
import { listGenerations } from '../engine/generations.ts';
import { installationIn } from '../files/installation.ts';
import { writeManifest } from '../engine/manifest.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import type { HighWaterMark } from './high-water-mark.ts';
import { throwIfMovedAway } from '../moving/folder-mark.ts';
import { findNewestChain } from './newest-chain.ts';
import { readMarks, writeMarks } from './high-water-marks-file.ts';
import { NOTES_FILE } from './withdrawals/read-revocations.ts';
import { UNKNOWN_POSITION, type LogPosition } from './withdrawals/log-position.ts';
import {
  removeTree,
  removeTrial,
  RESTORED,
  RESTORE_TRIAL,
  STORE_FOLDER,
  STORE_RESTORING,
} from '../engine/partition-folders.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { checkBackup, readPartitionFromBackup, type CheckedBackup } from './read-backup.ts';
import { seqAfterLoss } from './repair.ts';
import { writeSnapshot } from '../engine/snapshot.ts';
import { takeConsistentView } from '../engine/store-writer.ts';
import { said } from '../../words/said.ts';
import { StoreError } from '../store.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { makePartitionIn, unpackBackup } from './unpack-backup.ts';

export interface RestoreResult {
  readonly partitions: number;
  readonly entries: number;
  /** The previous store, if any. */
  readonly kept: string | undefined;
}

/** Returns whether an append-only partition stays when older data replaces newer. */
export type RestoreKeeps = (partition: string) => boolean;

/** Starts from a data folder and closes it. Throws if unusable. */
export type TrialOpen = (dataDir: string) => Promise<void>;

interface RestoreOptions {
  readonly clock: Clock;
  readonly disk?: Disk;
  readonly keeps?: RestoreKeeps;
  readonly tryOut?: TrialOpen;
}

/**
 * Replaces the store by a backup, after a trial; the previous store stays beside it. Newer partitions that `keeps`
 * selects stay if the backup is of this folder. Throws StoreError `damaged`, `newer-version`, `locked` or the disk's.
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  { clock, disk = systemDisk, keeps = () => false, tryOut }: RestoreOptions,
): Promise<RestoreResult> {
  return withStoreErrors(async () => {
    const backup = await checkBackup(disk, file, MIGRATIONS);
    await makeDataFolder(disk, dataDir);
    const lock = await takeLock(dataDir);
    try {
      await throwIfMovedAway(dataDir);
      if (tryOut) await tryBackup({ disk, clock }, dataDir, backup, tryOut);
      const restored = await replaceStoreByBackup({ disk, clock }, dataDir, backup, keeps);
      await removeIfExists(disk, join(dataDir, STORE_FOLDER, RESTORED));
      return restored;
    } finally {
      await lock.release();
    }
  });
}

/** Checks a complete backup file. Throws StoreError `damaged`, `newer-version`, or the disk's. */
export async function checkBackupFile(file: string): Promise<void> {
  await withStoreErrors(() => checkBackup(systemDisk, file, MIGRATIONS));
}

/**
 * Restores the backup into a trial folder, with the present revocation log, and calls `tryOut` with it. Throws
 * StoreError `damaged` if that fails for its content, lest a useless backup replace the store; the disk's errors stay.
 */
async function tryBackup(
  place: { disk: Disk; clock: Clock },
  dataDir: string,
  backup: CheckedBackup,
  tryOut: TrialOpen,
): Promise<void> {
  const trial = join(dataDir, RESTORE_TRIAL);
  await removeTrial(dataDir);
  await place.disk.makeFolder(trial);
  try {
    await replaceStoreByBackup(place, trial, backup);
    if ((await listIfExists(place.disk, dataDir)).includes(NOTES_FILE))
      await copyFile(join(dataDir, NOTES_FILE), join(trial, NOTES_FILE));
    await tryOut(trial).catch((error: unknown) => {
      if (error instanceof StoreError && error.code !== 'damaged') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError('damaged', said('backup.unusable', { reason }), { cause: error });
    });
  } finally {
    await removeTrial(dataDir);
  }
}

/**
 * Unpacks a backup, with newer partitions that `keeps` selects, beside a locked folder's store, then renames both; the
 * previous store stays (`kept`). Change numbers continue. {@link RESTORED} stays until the user is notified.
 */
export async function replaceStoreByBackup(
  { disk, clock }: { disk: Disk; clock: Clock },
  dataDir: string,
  backup: CheckedBackup,
  keeps: RestoreKeeps = () => false,
): Promise<RestoreResult> {
  const restoring = join(dataDir, STORE_RESTORING);
  const store = join(dataDir, STORE_FOLDER);
  await removeTree(disk, restoring);
  await disk.makeFolder(restoring);
  let entries = 0;
  const newer = new Set<string>();
  // Marked at once: an older partition must be noticed even in place of one never written to.
  const marks = new Map<string, HighWaterMark>();
  for await (const { name, state } of partitionsToKeep(backup, disk, store, keeps)) {
    newer.add(name);
    state.skipTo(seqAfterLoss(state.lastSeq(), clock.now()));
    const { folder, mark } = await makePartitionIn(restoring, { disk, clock }, name, state.lastSeq());
    marks.set(name, mark);
    await writeSnapshot({ disk, clock }, folder, 1, takeConsistentView(name, state));
    entries += state.entries();
  }
  entries += await unpackBackup({ disk, clock }, backup, restoring, newer, marks);
  const names = new Set([...backup.partitions.map(({ name }) => name), ...newer]);
  const { round, reach } = await readPreviousMarks(disk, store);
  await writeMarks({ disk, clock, folder: restoring }, round, marks, { ...reach, restored: true });
  await writeFileAtomic({ disk, clock }, join(restoring, RESTORED), Buffer.from('{}\n'));
  await writeManifest({ disk, clock, folder: restoring }, [...names].sort());
  await disk.syncFolder(dataDir);
  const there = await listIfExists(disk, dataDir);
  const kept = there.includes(STORE_FOLDER) ? join(dataDir, freeNameForOldStore(there, clock)) : undefined;
  if (kept) await renameDurably(disk, clock, store, kept);
  await renameDurably(disk, clock, restoring, store);
  return { partitions: names.size, entries, kept };
}

/**
 * Returns the epoch and revocation log position of the previous store, by which the restored one is recognised as
 * older; 0 and unknown if a newer version wrote them.
 */
async function readPreviousMarks(disk: Disk, store: string): Promise<{ round: number; reach: LogPosition }> {
  try {
    const { round, withdrawn = UNKNOWN_POSITION } = await readMarks(disk, store);
    return { round, reach: withdrawn };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'newer-version')
      return { round: 0, reach: UNKNOWN_POSITION };
    throw error;
  }
}

/** Returns a name for the old store by the time, numbered if taken, as after a clock was set back. */
function freeNameForOldStore(taken: readonly string[], clock: Clock): string {
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = `${STORE_FOLDER}.before-restore-${time}`;
  let free = name;
  for (let number = 2; taken.includes(free); number++) free = `${name}-${number}`;
  return free;
}

/**
 * Yields partitions that `keeps` selects, if they are at least as new as in the backup; none if that is another data
 * folder's. Throws StoreError `damaged`, `newer-version` or the disk's.
 */
async function* partitionsToKeep(
  { file, partitions }: CheckedBackup,
  disk: Disk,
  store: string,
  keeps: RestoreKeeps,
): AsyncGenerator<{ readonly name: string; readonly state: PartitionState }> {
  /** Returns the most complete state of the partition's files; undefined without one. */
  const readNewestState = async (partition: string): Promise<PartitionState | undefined> => {
    const folder = join(store, partition);
    const place = { disk, folder, partition, migrations: MIGRATIONS };
    const { chain } = await findNewestChain(place, await listGenerations(disk, folder));
    return chain?.state;
  };
  const names = (await listIfExists(disk, store)).filter((name) => PARTITION_NAME.test(name) && keeps(name));
  if (names.length === 0) return;
  const [system, backedUp] = [
    await readNewestState('system'),
    await readPartitionFromBackup(disk, file, MIGRATIONS, 'system'),
  ];
  if (!system || !backedUp || installationIn(system) !== installationIn(backedUp)) return;
  const last = new Map(partitions.map((each) => [each.name, each.last]));
  for (const name of names) {
    const state = await readNewestState(name);
    if (state && state.lastSeq() >= (last.get(name) ?? 0)) yield { name, state };
  }
}
