import { join } from 'node:path';
import { listBackups, readNewestBackup } from './backups.ts';
import { systemDisk, type Disk } from '../files/disk.ts';
import { listIfExists } from '../files/disk-steps.ts';
import { inspectFile, type FileReport } from './inspect-file.ts';
import { inspectPartition, type PartitionReport } from './inspect-partition.ts';
import { readLock, type LockInfo } from '../files/lock.ts';
import { listedPartitions } from '../engine/manifest.ts';
import { readMarks } from './high-water-marks-file.ts';
import { hasMarkers } from '../files/data-folder.ts';
import { UNKNOWN_POSITION, storedPosition, type LogPosition } from './withdrawals/log-position.ts';
import { storedElapsed } from '../engine/slewed-clock.ts';
import { RESTORED, STORE_FOLDER, STORE_RESTORING } from '../engine/partition-folders.ts';
import { readPartitionAtRest } from './at-rest.ts';
import { readRevocations } from './withdrawals/read-revocations.ts';
import { findTrustedSource } from './withdrawals/trusted-source.ts';

export interface StoreReport {
  readonly dataDir: string;
  /** The using process: its current writes may look unfinished. */
  readonly inUseBy: LockInfo | undefined;
  readonly freeBytes: number;
  readonly partitions: readonly PartitionReport[];
  readonly backups: readonly FileReport[];
  /** Set aside by restores. */
  readonly oldStores: readonly string[];
  /** No backup is due yet. */
  readonly isYoung: boolean;
  readonly advice: readonly string[];
}

/** A running office writes the first backup after a minute, its elapsed time about hourly. */
const YOUNG_BELOW_MS = 3_600_000;
const FEW_FREE_BYTES = 1024 * 1024 * 1024;

interface Found extends Omit<StoreReport, 'advice'> {
  readonly names: readonly string[];
  readonly noted: Awaited<ReturnType<typeof readMarks>>;
  readonly listed: Awaited<ReturnType<typeof listedPartitions>>;
  readonly isCutOff: boolean;
}

/**
 * Checks every byte of a data folder, perhaps in use, without changing it; returns what it found, with advice. Reports
 * partitions and backups of a newer version; throws StoreError `newer-version` for other files.
 */
export async function inspectStore(dataDir: string, disk: Disk = systemDisk): Promise<StoreReport> {
  const names = await listIfExists(disk, dataDir);
  const inUseBy = await readLock(dataDir);
  const store = join(dataDir, STORE_FOLDER);
  // First, so that a running node is ahead of the marks, never behind.
  const noted = await readMarks(disk, store);
  const listed = await listedPartitions(disk, store, noted);
  const isBackedUp = async (name: string): Promise<boolean> =>
    (await readNewestBackup(dataDir, disk, name)) !== undefined;
  const partitions: PartitionReport[] = [];
  for (const name of listed.names) {
    const mark = noted.marks.get(name);
    partitions.push(
      await inspectPartition(disk, store, name, inUseBy !== undefined, mark, () => isBackedUp(name)),
    );
  }
  const backups: FileReport[] = [];
  for (const { file } of await listBackups(dataDir, disk)) backups.push(await inspectFile(disk, file));
  const freeBytes = names.length > 0 ? await disk.free(dataDir) : 0;
  const oldStores = names.filter((name) => name.startsWith(`${STORE_FOLDER}.before-restore-`));
  const isYoung = backups.length === 0 && (await readElapsedMs(dataDir, disk)) < YOUNG_BELOW_MS;
  const report = { dataDir, inUseBy, freeBytes, partitions, backups, oldStores, isYoung };
  const isCutOff = !names.includes(STORE_FOLDER) && names.includes(STORE_RESTORING);
  const found: Found = { ...report, names, noted, listed, isCutOff };
  const advice = [
    ...(await adviceOnFolder(disk, found)),
    ...(await adviceOnAges(disk, found)),
    ...partitions.flatMap(({ name, advice: what }) => (what ? [`Part ${name}: ${what}`] : [])),
    ...adviceOnBackupsAndSpace(found),
  ];
  return { ...report, advice };
}

/** Returns the elapsed time that the folder stores, in ms; Infinity if unknown. */
async function readElapsedMs(dataDir: string, disk: Disk): Promise<number> {
  const system = await readPartitionAtRest(dataDir, 'system', disk);
  return (system && storedElapsed(system)) ?? Infinity;
}

/** Advises on a restore that was interrupted, a missing store, stray folders, and a damaged list of partitions. */
async function adviceOnFolder(disk: Disk, found: Found): Promise<string[]> {
  const { dataDir, names, listed, backups, partitions } = found;
  const store = join(dataDir, STORE_FOLDER);
  const advice: string[] = [];
  if (found.isCutOff) {
    advice.push(
      'Putting a backup in the place of the data was cut off right before its end. Start Footbridge: it finishes that.',
    );
  } else if (!names.includes(STORE_FOLDER) || listed.names.length === 0) {
    const isLost = !hasGoodBackup(found) && hasMarkers(dataDir);
    advice.push(
      isLost
        ? 'The data of this office is missing: its folder "store" is gone or empty, and no good backup is here. Put the folder back, or a backup from elsewhere with "footbridge restore". To begin anew with an empty office, choose another data folder.'
        : backups.length > 0
          ? 'The store is missing. Start Footbridge: it puts the newest backup in its place.'
          : 'There is no store here. Check that this is the right folder.',
    );
  }
  if ((await listIfExists(disk, store)).includes(RESTORED))
    advice.push(
      'A backup took the place of the data, and was cut off before it could say so. The next start tells of it. Changes made after that backup are missing: look through your lists.',
    );
  const renamed = partitions.flatMap((partition) => partition.renamed.map(({ found: each }) => each));
  for (const { name } of listed.strays.filter((stray) => !renamed.includes(stray.name)))
    advice.push(
      `The folder ${join(store, name)} is not one of Footbridge’s and is left alone. Move it elsewhere.`,
    );
  if (listed.damaged)
    advice.push('The list of the parts of the store is damaged. It is made anew at the next start.');
  return advice;
}

/** Advises if files, marks or the revocation log are older than others, as after an older copy was put back. */
async function adviceOnAges(disk: Disk, found: Found): Promise<string[]> {
  const { dataDir, inUseBy, noted, partitions } = found;
  // Possibly a new epoch of a running node.
  const { round: latest } = await readMarks(disk, join(dataDir, STORE_FOLDER));
  const isMixed = partitions.some(({ round }) => round > Math.max(noted.round, latest));
  const advice: string[] = [];
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
  const reach = isMixed && !isNewest ? UNKNOWN_POSITION : noted.withdrawn;
  const isInUse = inUseBy !== undefined;
  const onNotes = system && (await adviceOnRevocations(dataDir, disk, { noted: reach, wentBack, isInUse }));
  return onNotes === undefined ? advice : [...advice, onNotes];
}

/** Advises on damaged or missing backups, little space, and old stores that take it. */
function adviceOnBackupsAndSpace(found: Found): string[] {
  const { names, listed, partitions, backups, freeBytes, oldStores, isYoung } = found;
  const advice = backups
    .filter(({ state }) => state === 'damaged')
    .map(({ path }) => `The backup ${path} is damaged and cannot be restored. Delete it.`);
  const isDamaged = partitions.some(({ isUnreadable }) => isUnreadable);
  if (listed.names.length > 0 && !isDamaged && !isYoung && !hasGoodBackup(found)) {
    advice.push(
      'There is no good backup. Footbridge writes one a minute after its start. Start it, or run "footbridge backup".',
    );
  }
  if (names.length > 0 && freeBytes < FEW_FREE_BYTES)
    advice.push('The disk is nearly full. Make room on it.');
  if (oldStores.length > 0 && !found.isCutOff) {
    advice.push(
      `Stores from before a restore take room: ${oldStores.join(', ')}. Delete them once all is well.`,
    );
  }
  return advice;
}

const hasGoodBackup = ({ backups }: Pick<StoreReport, 'backups'>): boolean =>
  backups.some(({ state }) => state === 'whole');

/**
 * Advises on the revocation log by what the next start would trust; undefined if all is well. `noted` is the marks'
 * position, read before everything else.
 */
async function adviceOnRevocations(
  dataDir: string,
  disk: Disk,
  found: {
    readonly noted: LogPosition | undefined;
    readonly wentBack: boolean;
    /** The log is written before the data. */
    readonly isInUse: boolean;
  },
): Promise<string | undefined> {
  const state = await readPartitionAtRest(dataDir, 'system', disk);
  const system = state && storedPosition(state);
  const file = await readRevocations(disk, dataDir);
  const verdict = findTrustedSource({ file, system, ...found });
  const isBehind = system?.book === file.reach.book && system.no < file.reach.no;
  if (verdict === 'file') return isBehind && !found.isInUse ? OLDER : undefined;
  return verdict === 'system'
    ? 'The list of what you have withdrawn, withdrawn.jsonl, is missing, damaged or older than it should be. If you have the newer file, put it back now. Otherwise the next start begins it anew, and everything stays as it is.'
    : 'Your partners and what you share are older than they were, or may be, and the list of what you have withdrawn, withdrawn.jsonl, is not as new as it was. If you have the newer files, put all of them back now. Otherwise partners can’t read anything until you review what you share with each, and signed-in windows are signed out.';
}

const OLDER =
  'The data is older than the list of what you have withdrawn, withdrawn.jsonl: an older copy was put back, or the program was ended in the middle of a change. If you have the newer files, put all of them back. Otherwise what was withdrawn, revoked or paused stays so, and the next start says so.';
