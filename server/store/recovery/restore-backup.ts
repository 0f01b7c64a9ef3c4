import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { systemDisk, type Disk } from '../files/disk.ts';
import {
  inStoreTerms,
  listIfThere,
  makeDataFolder,
  removeIfThere,
  renameDurably,
} from '../files/disk-steps.ts';
import { takeLock } from '../files/lock.ts';
import { PARTITION_NAME } from '../files/format.ts';
import { listGenerations } from '../engine/generations.ts';
import { installationIn } from '../files/installation.ts';
import { writeManifest } from '../engine/manifest.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import type { Mark } from './mark.ts';
import { checkFolderServed } from '../moving/folder-mark.ts';
import { newestChain } from './newest-chain.ts';
import { readMarks, writeMarks } from './marks-file.ts';
import { NOTES_FILE } from './withdrawals/read-notes.ts';
import { UNKNOWN_REACH, type Reach } from './withdrawals/reach.ts';
import {
  removeTree,
  removeTrial,
  RESTORED,
  RESTORE_TRIAL,
  STORE_FOLDER,
  STORE_RESTORING,
} from '../engine/partition-folders.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { checkBackup, readBackup, type CheckedBackup } from './read-backup.ts';
import { seqAfterLoss } from './repair.ts';
import { writeSnapshot } from '../engine/snapshot.ts';
import { takeConsistentView } from '../engine/store-writer.ts';
import { said } from '../../words/said.ts';
import { StoreError } from '../store.ts';
import { writeAnew } from '../files/write-anew.ts';
import { makePartitionIn, unpackBackup } from './unpack-backup.ts';

/** What a restore did. */
export interface Restored {
  readonly partitions: number;
  readonly entries: number;
  /** Where the store that was there before lies now; undefined when there was none. */
  readonly kept: string | undefined;
}

/** What stands still when older data takes the place of newer, as it is only ever added to. */
export type Keeps = (partition: string) => boolean;

/**
 * Opens a data folder as a start would, reads it through and closes it again. Throws where it cannot be used: a backup may be
 * whole, and yet be wrong inside.
 */
export type TryOut = (dataDir: string) => Promise<void>;

interface RestoreOptions {
  readonly clock: Clock;
  readonly disk?: Disk;
  readonly keeps?: Keeps;
  readonly tryOut?: TryOut;
}

/**
 * Puts the store of a backup file in the place of the one in `dataDir`, which is kept beside it, but for the
 * partitions that `keeps` names: of these the newer one stays, where the backup is of the same data folder and it
 * can be read. Checks the whole file, and tries out beside the store what is in it, before anything is touched. Takes the memory of a stretch of
 * the file, whatever its size; where something stays, that of `system` twice and of the largest part that stays. Change numbers go on behind all that were ever given out, so that
 * partners who follow them miss nothing. Throws StoreError `damaged`, `newer-version`, `locked` or the disk's.
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  { clock, disk = systemDisk, keeps = () => false, tryOut }: RestoreOptions,
): Promise<Restored> {
  return inStoreTerms(async () => {
    const backup = await checkBackup(disk, file, MIGRATIONS);
    await makeDataFolder(disk, dataDir);
    const lock = await takeLock(dataDir);
    try {
      await checkFolderServed(dataDir);
      if (tryOut) await tryBackup({ disk, clock }, dataDir, backup, tryOut);
      const restored = await putInPlace({ disk, clock }, dataDir, backup, keeps);
      await removeIfThere(disk, join(dataDir, STORE_FOLDER, RESTORED));
      return restored;
    } finally {
      await lock.release();
    }
  });
}

/** Reads a backup file through, while the store that it would replace is in use. @throws StoreError as {@link restoreBackup} */
export async function checkBackupFile(file: string): Promise<void> {
  await inStoreTerms(() => checkBackup(systemDisk, file, MIGRATIONS));
}

/** In a folder of its own, with what is noted here of what was taken back; nothing of it stays. */
async function tryBackup(
  place: { disk: Disk; clock: Clock },
  dataDir: string,
  backup: CheckedBackup,
  tryOut: TryOut,
): Promise<void> {
  const trial = join(dataDir, RESTORE_TRIAL);
  await removeTrial(dataDir);
  await place.disk.makeFolder(trial);
  try {
    await putInPlace(place, trial, backup);
    if ((await listIfThere(place.disk, dataDir)).includes(NOTES_FILE))
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
 * Makes a backup the store of a data folder that this process has locked; see {@link restoreBackup} for `keeps`. The
 * store says that it came out of one by {@link RESTORED}, which whoever tells of it removes.
 */
export async function putInPlace(
  { disk, clock }: { disk: Disk; clock: Clock },
  dataDir: string,
  backup: CheckedBackup,
  keeps: Keeps = () => false,
): Promise<Restored> {
  const restoring = join(dataDir, STORE_RESTORING);
  const store = join(dataDir, STORE_FOLDER);
  await removeTree(disk, restoring);
  await disk.makeFolder(restoring);
  let entries = 0;
  const newer = new Set<string>();
  // Noted at once: an older part that takes the place of one to which nothing was written since is to be missed too.
  const marks = new Map<string, Mark>();
  for await (const { name, state } of newerThan(backup, disk, store, keeps)) {
    newer.add(name);
    state.skipTo(seqAfterLoss(state.lastSeq(), clock.now()));
    const { folder, mark } = await makePartitionIn(restoring, { disk, clock }, name, state.lastSeq());
    marks.set(name, mark);
    await writeSnapshot({ disk, clock }, folder, 1, takeConsistentView(name, state));
    entries += state.entries();
  }
  entries += await unpackBackup({ disk, clock }, backup, restoring, newer, marks);
  const names = new Set([...backup.partitions.map(({ name }) => name), ...newer]);
  const { round, reach } = await notedIn(disk, store);
  await writeMarks({ disk, clock, folder: restoring }, round, marks, { ...reach, restored: true });
  await writeAnew({ disk, clock }, join(restoring, RESTORED), Buffer.from('{}\n'));
  await writeManifest({ disk, clock, folder: restoring }, [...names].sort());
  await disk.syncFolder(dataDir);
  const there = await listIfThere(disk, dataDir);
  const kept = there.includes(STORE_FOLDER) ? join(dataDir, nameToKeep(there, clock)) : undefined;
  if (kept) await renameDurably(disk, clock, store, kept);
  await renameDurably(disk, clock, restoring, store);
  return { partitions: names.size, entries, kept };
}

/**
 * How far it was noted what was taken back, by which it is known later that the backup is older. Where the store is not
 * there, or says nothing, neither is it known what the backup lacks.
 */
async function notedIn(disk: Disk, store: string): Promise<{ round: number; reach: Reach }> {
  try {
    const { round, withdrawn = UNKNOWN_REACH } = await readMarks(disk, store);
    return { round, reach: withdrawn };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'newer-version')
      return { round: 0, reach: UNKNOWN_REACH };
    throw error;
  }
}

/** What the store is called that makes room; a clock that was put back may have given out that name before. */
function nameToKeep(taken: readonly string[], clock: Clock): string {
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = `${STORE_FOLDER}.before-restore-${time}`;
  let free = name;
  for (let number = 2; taken.includes(free); number++) free = `${name}-${number}`;
  return free;
}

/** What stands still and is newer than the backup has it, one at a time. */
async function* newerThan(
  { file, partitions }: CheckedBackup,
  disk: Disk,
  store: string,
  keeps: Keeps,
): AsyncGenerator<{ readonly name: string; readonly state: PartitionState }> {
  const read = async (partition: string): Promise<PartitionState | undefined> => {
    const folder = join(store, partition);
    const place = { disk, folder, partition, migrations: MIGRATIONS };
    const { chain } = await newestChain(place, await listGenerations(disk, folder));
    return chain?.state;
  };
  const names = (await listIfThere(disk, store)).filter((name) => PARTITION_NAME.test(name) && keeps(name));
  if (names.length === 0) return;
  const [system, backedUp] = [await read('system'), await readBackup(disk, file, MIGRATIONS, 'system')];
  if (!system || !backedUp || installationIn(system) !== installationIn(backedUp)) return;
  const last = new Map(partitions.map((each) => [each.name, each.last]));
  for (const name of names) {
    const state = await read(name);
    if (state && state.lastSeq() >= (last.get(name) ?? 0)) yield { name, state };
  }
}
