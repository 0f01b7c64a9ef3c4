import { settingsIn } from '../app/settings.ts';
import type { Settings } from '../contract/app/settings.ts';
import { systemDisk, type Disk } from '../store/files/disk.ts';
import { partitionAtRest } from '../store/recovery/at-rest.ts';

/** For how many days what is old is kept before {@link keepWithinTime} removes it. */
export type KeptTimes = Pick<Settings, 'keepLedgerDays' | 'keepHistoryDays' | 'keepBinDays'>;

/** What is set in a data folder, which may be in use. Undefined where it cannot be read. */
export async function keptTimes(dataDir: string, disk: Disk = systemDisk): Promise<KeptTimes | undefined> {
  const system = await partitionAtRest(dataDir, 'system', disk);
  return system && settingsIn(system);
}
