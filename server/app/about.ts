import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { SettingsAnswer } from '../contract/app/settings.ts';
import type { Ledger } from '../federation/sharing/ledger.ts';
import { isOfLedger } from '../federation/sharing/ledger-parts.ts';
import type { Lists } from '../lists/lists.ts';
import { listBackups } from '../store/recovery/backups.ts';
import type { SecretBox } from '../store/files/secrets.ts';
import type { Partition } from '../store/store.ts';
import type { History } from '../sync/status/history.ts';
import { lastSavedBackup } from './saved-backup.ts';

/** What goes with the settings: where the data is, how large, and how secrets are kept. */
export async function aboutSettings(deps: {
  readonly dataDir: string;
  readonly secrets: SecretBox;
  readonly system: Partition;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'held'>;
  readonly lists: Pick<Lists, 'modules' | 'counts'>;
  readonly sync: { readonly history: Pick<History, 'held'> };
  /** The address to listen on was given at the start. */
  readonly addressGiven: boolean;
}): Promise<Omit<SettingsAnswer, 'settings'>> {
  const lastBackupAt = await lastBackup(deps);
  const store = join(deps.dataDir, 'store');
  return {
    dataDir: deps.dataDir,
    storeBytes: await sizeOf(store),
    ledger: { ...(await deps.ledger.held()), bytes: await ledgerBytes(store) },
    history: await deps.sync.history.held(),
    bin: { rows: await rowsInBins(deps.lists) },
    ...(lastBackupAt === undefined ? {} : { lastBackupAt }),
    secretProtection: deps.secrets.protection,
    addressGiven: deps.addressGiven,
  };
}

async function rowsInBins(lists: Pick<Lists, 'modules' | 'counts'>): Promise<number> {
  let rows = 0;
  for (const { moduleID } of await lists.modules()) rows += (await lists.counts(moduleID)).inBin;
  return rows;
}

async function ledgerBytes(store: string): Promise<number> {
  const parts = (await readdir(store).catch(() => [])).filter(isOfLedger);
  const sizes = await Promise.all(parts.map((part) => sizeOf(join(store, part))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const file of await filesIn(folder)) bytes += file.size;
  return bytes;
}

/** One from while the clock was ahead is the last only where there is no other. */
async function lastBackup(deps: {
  readonly dataDir: string;
  readonly system: Partition;
  readonly clock: Clock;
}): Promise<string | undefined> {
  const [automatic] = await listBackups(deps.dataDir);
  const made = automatic && new Date(automatic.at).toISOString();
  const found = [made, await lastSavedBackup(deps.system)].filter((at) => at !== undefined).sort();
  return found.findLast((at) => Date.parse(at) <= deps.clock.now()) ?? found.at(-1);
}

/** Files come and go while the store works; what is gone by the time it is looked at does not count. */
async function filesIn(folder: string): Promise<{ size: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => undefined)),
  );
  return files.filter((file) => file !== undefined);
}
