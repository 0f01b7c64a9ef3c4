import { join } from 'node:path';
import type { Clock } from './clock.ts';
import { systemDisk, type Disk } from './disk.ts';
import { inStoreTerms, listIfThere, renameDurably } from './disk-steps.ts';
import { createJournal } from './journal.ts';
import { takeLock } from './lock.ts';
import { PARTITION_NAME } from './format.ts';
import { listGenerations } from './generations.ts';
import { installationIn } from './installation.ts';
import { writeManifest } from './manifest.ts';
import { MIGRATIONS } from './migrations.ts';
import { newestChain } from './newest-chain.ts';
import { removeTree, STORE_FOLDER, STORE_RESTORING } from './partition-folders.ts';
import type { PartitionState } from './partition-state.ts';
import { readBackup } from './read-backup.ts';
import { seqAfterLoss } from './repair.ts';
import { writeSnapshot } from './snapshot.ts';
import { takePicture } from './store-writer.ts';

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
 * Puts the store of a backup file in the place of the one in `dataDir`, which is kept beside it, but for the
 * partitions that `keeps` names: of these the newer one stays, where the backup is of the same data folder and it
 * can be read. Checks the whole file before anything is touched. Change numbers go on behind all that were ever given out, so that
 * partners who follow them miss nothing. Throws StoreError `damaged`, `newer-version`, `locked` or the disk's.
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  { clock, disk = systemDisk, keeps = () => false }: { clock: Clock; disk?: Disk; keeps?: Keeps },
): Promise<Restored> {
  return inStoreTerms(async () => {
    const states = await readBackup(disk, file, MIGRATIONS);
    await disk.makeFolder(dataDir);
    const lock = await takeLock(dataDir);
    try {
      await keepNewer(disk, join(dataDir, STORE_FOLDER), states, keeps);
      return await putInPlace({ disk, clock }, dataDir, states);
    } finally {
      await lock.release();
    }
  });
}

/** Makes these states the store of a data folder that this process has locked. */
export async function putInPlace(
  { disk, clock }: { disk: Disk; clock: Clock },
  dataDir: string,
  states: ReadonlyMap<string, PartitionState>,
): Promise<Restored> {
  const restoring = join(dataDir, STORE_RESTORING);
  await removeTree(disk, restoring);
  await disk.makeFolder(restoring);
  let entries = 0;
  for (const [name, state] of states) {
    const folder = join(restoring, name);
    await disk.makeFolder(folder);
    state.skipTo(seqAfterLoss(state.lastSeq(), clock.now()));
    await createJournal({ disk, clock, folder, partition: name }, 1, state.lastSeq());
    await writeSnapshot({ disk, clock }, folder, 1, takePicture(name, state));
    entries += state.entries();
  }
  await writeManifest({ disk, clock, folder: restoring }, [...states.keys()].sort());
  await disk.syncFolder(dataDir);
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const store = join(dataDir, STORE_FOLDER);
  const isThere = (await listIfThere(disk, dataDir)).includes(STORE_FOLDER);
  const kept = isThere ? join(dataDir, `${STORE_FOLDER}.before-restore-${time}`) : undefined;
  if (kept) await renameDurably(disk, clock, store, kept);
  await renameDurably(disk, clock, restoring, store);
  return { partitions: states.size, entries, kept };
}

/** Puts what stands still in the place of what the backup has of it. */
async function keepNewer(
  disk: Disk,
  store: string,
  states: Map<string, PartitionState>,
  keeps: Keeps,
): Promise<void> {
  const read = async (partition: string): Promise<PartitionState | undefined> => {
    const folder = join(store, partition);
    const place = { disk, folder, partition, migrations: MIGRATIONS };
    const { chain } = await newestChain(place, await listGenerations(disk, folder));
    return chain?.state;
  };
  const names = (await listIfThere(disk, store)).filter((name) => PARTITION_NAME.test(name) && keeps(name));
  if (names.length === 0) return;
  const [system, backedUp] = [await read('system'), states.get('system')];
  if (!system || !backedUp || installationIn(system) !== installationIn(backedUp)) return;
  for (const name of names) {
    const newer = await read(name);
    if (newer && newer.lastSeq() >= (states.get(name)?.lastSeq() ?? 0)) states.set(name, newer);
  }
}
