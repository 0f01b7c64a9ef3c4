import type { Partition, Table } from '../store/store.ts';

const SAVED: Table<{ readonly at: string }> = { name: 'saved-backup' };
const KEY = 'last';

export const noteSavedBackup = (system: Partition, at: string): Promise<void> =>
  system.transaction((tx) => tx.put(SAVED, KEY, { at }));

/** Returns when the user last saved a backup elsewhere. */
export const lastSavedBackup = async (system: Partition): Promise<string | undefined> =>
  (await system.get(SAVED, KEY))?.at;
