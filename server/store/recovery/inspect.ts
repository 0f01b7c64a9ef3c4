import { join } from 'node:path';
import { listBackups, newestBackedUp } from './backups.ts';
import { systemDisk, type Disk } from '../files/disk.ts';
import { listIfThere } from '../files/disk-steps.ts';
import { inspectFile, type FileReport } from './inspect-file.ts';
import { inspectPartition, type PartitionReport } from './inspect-partition.ts';
import { readLock, type LockInfo } from '../files/lock.ts';
import { listedPartitions } from '../engine/manifest.ts';
import { readMarks } from './marks-file.ts';
import { wasInUse } from '../files/traces.ts';
import { UNKNOWN_REACH } from './withdrawals/reach.ts';
import { adviceOnNotes } from './withdrawals/inspect-notes.ts';
import { RESTORED, STORE_FOLDER, STORE_RESTORING } from '../engine/partition-folders.ts';

/** What was found in a data folder. Nothing was changed for it. */
export interface StoreReport {
  readonly dataDir: string;
  /** The process that uses the folder at the moment. What it is just writing may look unfinished. */
  readonly inUseBy: LockInfo | undefined;
  readonly freeBytes: number;
  readonly partitions: readonly PartitionReport[];
  readonly backups: readonly FileReport[];
  /** Earlier stores that a restore has put aside. */
  readonly oldStores: readonly string[];
  /** What to do, in plain words; empty when all is well. */
  readonly advice: readonly string[];
}

/** Below this many bytes the disk is called nearly full. */
const LITTLE_ROOM = 1024 * 1024 * 1024;

/** Checks a data folder to the last byte without changing anything, also while a node uses it. */
export async function inspectStore(dataDir: string, disk: Disk = systemDisk): Promise<StoreReport> {
  const names = await listIfThere(disk, dataDir);
  const inUseBy = await readLock(dataDir);
  const store = join(dataDir, STORE_FOLDER);
  // Before the files: what a running node writes meanwhile is then more than was noted, and never less.
  const noted = await readMarks(disk, store);
  const listed = await listedPartitions(disk, store, noted);
  const partitions: PartitionReport[] = [];
  for (const name of listed.names)
    partitions.push(
      await inspectPartition(
        disk,
        store,
        name,
        inUseBy !== undefined,
        noted.marks.get(name),
        async () => (await newestBackedUp(dataDir, disk, name)) !== undefined,
      ),
    );
  const backups: FileReport[] = [];
  for (const { file } of await listBackups(dataDir, disk)) backups.push(await inspectFile(disk, file));
  const freeBytes = names.length > 0 ? await disk.free(dataDir) : 0;

  const advice: string[] = [];
  const isCutOff = !names.includes(STORE_FOLDER) && names.includes(STORE_RESTORING);
  if (isCutOff) {
    // The store makes room only once what takes its place is whole.
    advice.push(
      'Putting a backup in the place of the data was cut off right before its end. Start Footbridge: it finishes that.',
    );
  } else if (!names.includes(STORE_FOLDER) || listed.names.length === 0) {
    const isWhole = backups.some(({ state }) => state === 'whole');
    const isLost = !isWhole && (await wasInUse(disk, dataDir));
    advice.push(
      isLost
        ? 'The data of this office is missing: its folder "store" is gone or empty, and no good backup is here. Put the folder back, or a backup from elsewhere with "footbridge restore". To begin anew with an empty office, choose another data folder.'
        : backups.length > 0
          ? 'The store is missing. Start Footbridge: it puts the newest backup in its place.'
          : 'There is no store here. Check that this is the right folder.',
    );
  }
  if ((await listIfThere(disk, store)).includes(RESTORED))
    advice.push(
      'A backup took the place of the data, and was cut off before it could say so. The next start tells of it. Changes made after that backup are missing: look through your lists.',
    );
  for (const stray of listed.strays)
    advice.push(
      `The folder ${join(store, stray)} is not one of Footbridge’s and is left alone. Move it elsewhere.`,
    );
  if (listed.damaged)
    advice.push('The list of the parts of the store is damaged. It is made anew at the next start.');
  // A running node may have begun another round since.
  const { round: latest } = await readMarks(disk, store);
  const isMixed = partitions.some(({ round }) => round > Math.max(noted.round, latest));
  if (isMixed) {
    advice.push(
      noted.state === 'sound'
        ? 'Some files are older than others: a copy of them must have been put back. If you have the newer ones, put all of them back. Otherwise look through your lists, and check with each partner what you share.'
        : 'The file that says how far your data had come is missing or damaged. Look through your lists, in case some of them are older than they should be.',
    );
  }
  const system = partitions.find(({ name }) => name === 'system');
  const wentBack = system?.state === 'damaged' || (system?.missing ?? 0) > 0;
  const isNewest = !wentBack && partitions.every(({ round }) => round <= (system?.round ?? 0));
  const reach = isMixed && !isNewest ? UNKNOWN_REACH : noted.withdrawn;
  const isInUse = inUseBy !== undefined;
  const onNotes = system && (await adviceOnNotes(dataDir, disk, { noted: reach, wentBack, isInUse }));
  if (onNotes !== undefined) advice.push(onNotes);
  for (const { name, advice: what } of partitions) if (what) advice.push(`Part ${name}: ${what}`);
  for (const { path, state } of backups) {
    if (state === 'damaged') advice.push(`The backup ${path} is damaged and cannot be restored. Delete it.`);
  }
  const isDamaged = partitions.some(({ isUnreadable }) => isUnreadable);
  if (listed.names.length > 0 && !isDamaged && !backups.some(({ state }) => state === 'whole')) {
    advice.push(
      'There is no good backup. Leave Footbridge running for a day, or make one with "footbridge backup".',
    );
  }
  if (names.length > 0 && freeBytes < LITTLE_ROOM) advice.push('The disk is nearly full. Make room on it.');
  const oldStores = names.filter((name) => name.startsWith(`${STORE_FOLDER}.before-restore-`));
  if (oldStores.length > 0 && !isCutOff) {
    advice.push(
      `Stores from before a restore take room: ${oldStores.join(', ')}. Delete them once all is well.`,
    );
  }
  return { dataDir, inUseBy, freeBytes, partitions, backups, oldStores, advice };
}
