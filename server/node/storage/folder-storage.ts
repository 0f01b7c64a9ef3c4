import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { isOfLedger } from '../../federation/sharing/ledger-parts.ts';
import { readUserKey } from '../../federation/partners/user-key.ts';
import { createUserTokens } from '../../federation/partners/user-tokens.ts';
import { ownCertificate } from '../../http/listeners/certificate.ts';
import { openStore } from '../../store/engine/open-store.ts';
import { STORE_FOLDER } from '../../store/engine/partition-folders.ts';
import type { Disk } from '../../store/files/disk.ts';
import { createFileSecretBox, type SecretBox } from '../../store/files/secrets.ts';
import { restoreBackup } from '../../store/recovery/restore-backup.ts';
import { notesFileIn } from '../../store/recovery/withdrawals/revocations-file.ts';
import type { NodeStorage } from './storage.ts';

export interface FolderPlace {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly disk?: Disk | undefined;
  /** Replaces the one with its key in the folder. */
  readonly secrets?: SecretBox | undefined;
}

/** Returns the storage of a data folder: store, keys, certificate and user tokens. */
export function createFolderStorage({ dataDir, clock, disk, secrets }: FolderPlace): NodeStorage {
  return {
    dataDir,
    openStore: (options) => openStore({ ...options, dataDir, clock, ...(disk ? { disk } : {}) }),
    openNotes: notesFileIn({ dataDir, clock, disk }),
    secrets: async () => secrets ?? createFileSecretBox(dataDir),
    userTokens: () => Promise.resolve(createUserTokens(dataDir)),
    userKey: (known) => readUserKey(dataDir, known),
    certificate: () => ownCertificate(dataDir, clock),
    /** Returns the bytes of the store, and of the sharing log in it. */
    async sizes() {
      const store = join(dataDir, STORE_FOLDER);
      const parts = (await readdir(store).catch(() => [])).filter(isOfLedger);
      const ledger = await Promise.all(parts.map((part) => sizeOf(join(store, part))));
      return { store: await sizeOf(store), ledger: ledger.reduce((sum, size) => sum + size, 0) };
    },
    isShared: false,
    backsUpDaily: true,
    /** Replaces the store by a backup after `tryOut`; the old one stays beside it. `keeps` as in `restoreBackup`. */
    async restore(file, { keeps, tryOut }) {
      await restoreBackup(file, dataDir, {
        clock,
        keeps,
        tryOut: (folder) => tryOut(createFolderStorage({ dataDir: folder, clock })),
      });
    },
  };
}

/** Returns the bytes of all files in a folder and below; 0 for an unreadable folder or file. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => undefined)),
  );
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}
