import { join } from 'node:path';
import { listGenerations } from '../engine/generations.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { STORE_FOLDER } from '../engine/partition-folders.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import type { Disk } from '../files/disk.ts';
import { findNewestChain } from './newest-chain.ts';

/**
 * Returns a partition's newest readable state, perhaps without the latest changes, from a folder that may be in use;
 * undefined if there is none.
 */
export async function readPartitionAtRest(
  dataDir: string,
  partition: string,
  disk: Disk,
): Promise<PartitionState | undefined> {
  const folder = join(dataDir, STORE_FOLDER, partition);
  try {
    const place = { disk, folder, partition, migrations: MIGRATIONS };
    return (await findNewestChain(place, await listGenerations(disk, folder))).chain?.state;
  } catch {
    return undefined;
  }
}
