import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { errorCode } from '../files/disk-steps.ts';
import { FORMAT_VERSION } from '../files/format.ts';
import { journalName, listGenerations, snapshotName, type Generations } from '../engine/generations.ts';
import { inspectFile, type FileReport } from './inspect-file.ts';
import { findConflictedCopies, type ConflictedCopy } from './conflicted-copies.ts';
import { checkPartition } from './quick-check.ts';
import { isRecoverable, missingChanges } from '../engine/lost-changes.ts';
import type { HighWaterMark } from './high-water-mark.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { findNewestChain } from './newest-chain.ts';
import { StoreError } from '../store.ts';

export interface PartitionReport {
  readonly name: string;
  readonly files: readonly FileReport[];
  /** Snapshot that the next start loads (0: none), with entries and last change. */
  readonly generation: number;
  readonly entries: number;
  readonly lastSeq: number;
  /** `not-closed`: nothing lost, but stopped or running. */
  readonly state: 'good' | 'not-closed' | 'damaged' | 'newer-version' | 'older-version';
  /** The last write's epoch; 0 if unknown. */
  readonly round: number;
  /** Saved changes, if known. */
  readonly missing: number | undefined;
  /** Newer than the partition's own files. */
  readonly renamed: readonly ConflictedCopy[];
  /** Damaged files set aside earlier. */
  readonly aside: readonly string[];
  readonly advice: string | undefined;
  readonly isUnreadable: boolean;
}

const NOTHING = {
  ...{ generation: 0, entries: 0, lastSeq: 0, round: 0 },
  ...{ missing: undefined, renamed: [], isUnreadable: false },
};

/**
 * Reads a partition's files. Returns what the next start would load, losses, and advice; reports a newer version. With
 * `inUse`, files may vanish meanwhile; `isBackedUp` tells whether a complete backup has the partition.
 */
export async function inspectPartition(
  disk: Disk,
  store: string,
  name: string,
  inUse: boolean,
  mark: HighWaterMark | undefined,
  isBackedUp: () => Promise<boolean>,
): Promise<PartitionReport> {
  const found = await listGenerations(disk, join(store, name));
  const about = { name, files: await inspectFiles(disk, join(store, name), found), aside: found.aside };
  try {
    return { ...about, ...(await inspectState(disk, store, about, found, mark, isBackedUp)) };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'newer-version') {
      return { ...about, ...NOTHING, state: 'newer-version', advice: error.message };
    }
    if (inUse && errorCode(error) === 'ENOENT') {
      return { ...about, ...NOTHING, state: 'not-closed', advice: 'It was being changed. Check again.' };
    }
    throw error;
  }
}

/**
 * Checks every byte of a partition's files; leaves out files that vanish meanwhile. Only the last journal needs a
 * closing line.
 */
async function inspectFiles(disk: Disk, folder: string, found: Generations): Promise<FileReport[]> {
  const files: FileReport[] = [];
  const lastJournal = journalName(found.journals.at(-1) ?? 0);
  for (const file of [...found.snapshots.map(snapshotName), ...found.journals.map(journalName)]) {
    const report = await inspectFile(disk, join(folder, file));
    // Only the last journal is closed.
    const ended = report.state === 'open' && report.unsound === 0 && file !== lastJournal;
    if (report.state !== 'gone') files.push(ended ? { ...report, state: 'whole' } : report);
  }
  return files;
}

type Files = Pick<PartitionReport, 'name' | 'files' | 'aside'>;

/** Returns what the next start would load, losses and advice. Throws StoreError `newer-version`. */
async function inspectState(
  disk: Disk,
  store: string,
  { name, files, aside }: Files,
  found: Generations,
  mark: HighWaterMark | undefined,
  isBackedUp: () => Promise<boolean>,
): Promise<Omit<PartitionReport, keyof Files>> {
  const folder = join(store, name);
  const place = { disk, folder, partition: name, migrations: MIGRATIONS, mark };
  const { chain, badSnapshots } = await findNewestChain(place, found);
  const { round } = await checkPartition(disk, folder, name, mark);
  const bad = !chain?.tail || badSnapshots.length > 0;
  const missing = chain && missingChanges(chain.state, mark);
  const old = files.some(({ version }) => version !== undefined && version < FORMAT_VERSION);
  const readable = chain !== undefined && isRecoverable(chain.state, mark);
  const isBeyondReading = bad && !readable;
  const backedUp = isBeyondReading && (await isBackedUp());
  const last = chain && readable ? chain.state.lastSeq() : -1;
  const renamed = bad ? await findConflictedCopies(disk, store, name, last) : [];
  const unsound = files.some(({ state }) => state === 'damaged');
  return {
    generation: chain?.base ?? 0,
    entries: chain?.state.entries() ?? 0,
    lastSeq: chain?.state.lastSeq() ?? 0,
    state: bad || unsound ? 'damaged' : old ? 'older-version' : found.open ? 'not-closed' : 'good',
    ...{ round, missing, renamed },
    isUnreadable: isBeyondReading && !backedUp,
    advice: adviceOnPartition({
      ...{ name, bad, unsound, missing, renamed },
      readable: readable || backedUp,
      aside: aside.length > 0,
    }),
  };
}

/**
 * Returns the advice if no file and no backup of the partition is readable: Footbridge starts without a list or the
 * sharing log, but not without others.
 */
function adviceOnUnreadable(name: string): string {
  const found = 'Its files are damaged beyond reading, or gone, and no backup of it is in this data folder.';
  if (name.startsWith('ledger'))
    return `${found} If you have a good copy of its folder, put it back. Footbridge starts without it: what it knew of what left this computer is missing, and all else is as it was.`;
  return name.startsWith('list-')
    ? `${found} If you have a good copy of its folder, put it back, or restore a backup from elsewhere. Footbridge starts without it, and all other lists work. To write the rows that can still be read into a new list, open the list in the window or run "footbridge doctor --salvage" with its name.`
    : `${found} Footbridge does not start like this. If you have a good copy of its folder, put it back, or restore a backup from elsewhere with "footbridge restore".`;
}

/** Returns the advice to give files renamed by a cloud drive their names back. */
function adviceToRename(renamed: readonly ConflictedCopy[]): string {
  const pairs = renamed.map(({ found, name: own }) => `"${found}" to "${own}"`).join(', ');
  return `Files of it are missing, but in the folder "store" there are some that must have been renamed, as cloud drives do. Before you start Footbridge, copy the whole data folder, then give them their names back: ${pairs}. If there are several for one name, take the newest; what has such a name now, move elsewhere first. Then check again. Footbridge does not go on with older ones while these lie there: move them elsewhere to do so.`;
}

/**
 * Returns the advice for a partition; undefined if all is well. `bad`: the next start must repair it; `unsound`: an
 * unneeded file is damaged.
 */
function adviceOnPartition(found: {
  name: string;
  readable: boolean;
  bad: boolean;
  unsound: boolean;
  missing: number | undefined;
  aside: boolean;
  renamed: readonly ConflictedCopy[];
}): string | undefined {
  const { name, readable, bad, unsound, missing, aside, renamed } = found;
  if (bad && renamed.length > 0) return adviceToRename(renamed);
  if (bad && !readable) return adviceOnUnreadable(name);
  if (bad && missing !== undefined && missing > 0) {
    return `The newest changes that had been saved are missing, ${missing} in all: a file is damaged, or an older copy of it was put back. If you have the newer files, put them back now. Otherwise the next start goes on with the newest good state or backup and puts the others aside.`;
  }
  if (bad) {
    return 'A file is damaged. The next start goes on with the newest good state or backup and puts the file aside.';
  }
  if (unsound) return 'An older copy is damaged. It is not needed, and is replaced in time.';
  if (aside) return 'Damaged files were put aside earlier. Delete them once nothing is missed.';
  return undefined;
}
