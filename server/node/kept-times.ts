import { join } from 'node:path';
import { settingsIn } from '../app/settings.ts';
import type { Settings } from '../contract/app/settings.ts';
import { listGenerations } from '../store/engine/generations.ts';
import { MIGRATIONS } from '../store/engine/migrations.ts';
import { STORE_FOLDER } from '../store/engine/partition-folders.ts';
import { systemDisk, type Disk } from '../store/files/disk.ts';
import { newestChain } from '../store/recovery/newest-chain.ts';

/** For how many days what is old is kept before {@link keepWithinTime} removes it. */
export type KeptTimes = Pick<Settings, 'keepLedgerDays' | 'keepHistoryDays' | 'keepBinDays'>;

/**
 * What is set in a data folder, which may be in use; nothing is changed for it. Undefined where it cannot be read, of which
 * the inspection of the folder says more.
 */
export async function keptTimes(dataDir: string, disk: Disk = systemDisk): Promise<KeptTimes | undefined> {
  const partition = 'system';
  const folder = join(dataDir, STORE_FOLDER, partition);
  try {
    const place = { disk, folder, partition, migrations: MIGRATIONS };
    const { chain } = await newestChain(place, await listGenerations(disk, folder));
    return chain && settingsIn(chain.state);
  } catch {
    return undefined;
  }
}
