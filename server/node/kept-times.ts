import { settingsIn } from '../app/settings.ts';
import type { Settings } from '../contract/app/settings.ts';
import { systemDisk, type Disk } from '../store/files/disk.ts';
import { partitionAtRest } from '../store/recovery/at-rest.ts';

/** Retention in days before {@link keepWithinTime} deletes. */
export type KeptTimes = Pick<Settings, 'keepLedgerDays' | 'keepHistoryDays' | 'keepBinDays'>;

/** Returns the settings of a data folder, which may be in use. Undefined if unreadable. */
export async function keptTimes(dataDir: string, disk: Disk = systemDisk): Promise<KeptTimes | undefined> {
  const system = await partitionAtRest(dataDir, 'system', disk);
  return system && settingsIn(system);
}
