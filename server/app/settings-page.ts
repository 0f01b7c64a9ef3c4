import type { Clock } from '../base/clock.ts';
import type { SettingsAnswer } from '../contract/app/settings.ts';
import type { Ledger } from '../federation/sharing/ledger.ts';
import type { Lists } from '../lists/lists.ts';
import { listBackups } from '../store/recovery/backups.ts';
import type { SecretBox } from '../store/files/secrets.ts';
import type { Partition } from '../store/store.ts';
import type { History } from '../sync/status/history.ts';
import { lastSavedBackup } from './saved-backup.ts';

/**
 * Returns what the settings page shows beside settings: data folder, sizes, counts, last backup, how secrets are
 * stored.
 */
export async function describeSettings(deps: {
  readonly storage: {
    readonly dataDir: string;
    readonly sizes: () => Promise<{ readonly store: number; readonly ledger: number }>;
  };
  readonly secrets: SecretBox;
  readonly system: Partition;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'countLines'>;
  readonly lists: Pick<Lists, 'modules' | 'counts'>;
  readonly sync: { readonly history: Pick<History, 'measureEntries'> };
  /** The listen address was given at the start. */
  readonly addressGiven: boolean;
}): Promise<Omit<SettingsAnswer, 'settings' | 'openedBy'>> {
  const lastBackupAt = await lastBackupTime(deps);
  const { dataDir } = deps.storage;
  const sizes = await deps.storage.sizes();
  return {
    dataDir,
    storeBytes: sizes.store,
    ledger: { ...(await deps.ledger.countLines()), bytes: sizes.ledger },
    history: await deps.sync.history.measureEntries(),
    bin: { rows: await countBinnedRows(deps.lists) },
    ...(lastBackupAt === undefined ? {} : { lastBackupAt }),
    secretProtection: deps.secrets.protection,
    addressGiven: deps.addressGiven,
  };
}

/** Counts the rows in the bins of all lists that aren't in the bin themselves. */
async function countBinnedRows(lists: Pick<Lists, 'modules' | 'counts'>): Promise<number> {
  let rows = 0;
  for (const { moduleID } of await lists.modules()) rows += (await lists.counts(moduleID)).inBin;
  return rows;
}

/**
 * Returns the time of the last automatic or saved backup, undefined without one. A future one, of a clock that was
 * ahead, counts if there is no other.
 */
async function lastBackupTime(deps: {
  readonly storage: { readonly dataDir: string };
  readonly system: Partition;
  readonly clock: Clock;
}): Promise<string | undefined> {
  const [automatic] = await listBackups(deps.storage.dataDir);
  const made = automatic && new Date(automatic.at).toISOString();
  const found = [made, await lastSavedBackup(deps.system)].filter((at) => at !== undefined).sort();
  return found.findLast((at) => Date.parse(at) <= deps.clock.now()) ?? found.at(-1);
}
