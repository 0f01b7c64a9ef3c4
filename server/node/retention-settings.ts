import { settingsIn } from '../app/settings.ts';
import type { Settings } from '../contract/app/settings.ts';
import { systemDisk, type Disk } from '../store/files/disk.ts';
import { readPartitionAtRest } from '../store/recovery/at-rest.ts';

export type RetentionSettings = Pick<Settings, 'keepLedgerDays' | 'keepHistoryDays' | 'keepBinDays'>;

/**
 * Returns a data folder's retention settings, even while another process uses it; undefined if they aren't readable.
 */
export async function readRetentionSettings(
  dataDir: string,
  disk: Disk = systemDisk,
): Promise<RetentionSettings | undefined> {
  const system = await readPartitionAtRest(dataDir, 'system', disk);
  return system && settingsIn(system);
}
