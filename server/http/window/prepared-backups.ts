import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** The download must start within this time. */
const DOWNLOAD_WITHIN_MS = 60_000;

interface BackedUpStore {
  backup(file: string): Promise<unknown>;
}

interface PreparedBackup {
  readonly key: string;
  readonly file: string;
  readonly remove: () => Promise<void>;
}

/** Hands out one backup once, by a random key, as other pages could guess an address. */
export class PreparedBackups {
  readonly #store: BackedUpStore;
  readonly #waitMs: number;
  #prepared: PreparedBackup | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: BackedUpStore, waitMs = DOWNLOAD_WITHIN_MS) {
    this.#store = store;
    this.#waitMs = waitMs;
  }

  /**
   * Writes a backup into a temporary file in place of an earlier one; returns its download key, valid for a minute.
   * Throws `StoreError`, which keeps the earlier one.
   */
  async prepare(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-'));
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    const file = join(folder, 'backup');
    try {
      await this.#store.backup(file);
      await this.close();
    } catch (error) {
      await remove();
      throw error;
    }
    const key = randomUUID();
    this.#prepared = { key, file, remove };
    this.#timer = setTimeout(() => void this.close().catch(() => undefined), this.#waitMs);
    this.#timer.unref();
    return key;
  }

  /**
   * Runs `work` with the prepared file, then removes it in any case. Throws `backup.gone` (410) for a used or unknown
   * key.
   */
  async consume(key: string, work: (file: string) => Promise<void>): Promise<void> {
    const prepared = this.#prepared;
    if (prepared?.key !== key) throw new Refusal('gone', 'backup.gone', said('backup.gone'));
    clearTimeout(this.#timer);
    this.#prepared = undefined;
    try {
      await work(prepared.file);
    } finally {
      await prepared.remove();
    }
  }

  /** Removes the prepared backup, if any; its key is unknown from then on. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const prepared = this.#prepared;
    this.#prepared = undefined;
    await prepared?.remove();
  }
}
