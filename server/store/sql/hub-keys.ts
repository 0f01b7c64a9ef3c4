import { hkdfSync, randomBytes } from 'node:crypto';
import { createSecretBox, SealBroken, type SecretBox } from '../files/secrets.ts';
import { StoreError } from '../store.ts';
import type { Database } from './database.ts';
import { createOwnIfMissing, readOwn, writeOwn } from './own-values.ts';

/** In a database, encrypted by a secret given to each process. */
export interface HubKeys {
  /** Returns 32 bytes, made at first use. */
  key(name: KeyName): Promise<Buffer>;
  /** Returns the stored text; calls `make` each time, and stores the first result. */
  text(name: string, make: () => Promise<string>): Promise<string>;
  /** Decrypts it; undefined if not stored. */
  read(name: string): Promise<string | undefined>;
  /** Encrypts and replaces a text. */
  put(name: string, text: string): Promise<void>;
}

export type KeyName = 'secrets.key' | 'user.key';

/** Shorter ones can be guessed. */
export const MIN_SECRET_LENGTH = 24;
const KEY_BYTES = 32;
const PROOF = 'footbridge';

/**
 * Opens the office's keys, encrypted with this secret, of which the first call stores a proof. Throws StoreError
 * `permission` for another secret.
 */
export async function openHubKeys(database: Database, secret: string): Promise<HubKeys> {
  try {
    const salt = await database.transaction((ask) =>
      createOwnIfMissing(ask, 'salt', randomBytes(16).toString('hex')),
    );
    const box = deriveBox(secret, salt);
    const made = await box.seal(PROOF);
    const proof = await database.transaction((ask) => createOwnIfMissing(ask, 'proof', made));
    await box.open(proof);
    return createHubKeys(database, box);
  } catch (error) {
    if (error instanceof SealBroken)
      throw new StoreError(
        'permission',
        'This is not the secret with which this office was set up in the database. Give the right one; nothing was changed.',
      );
    throw error;
  }
}

/** Derives the box that encrypts the keys. HKDF is enough, as the secret is random. */
function deriveBox(secret: string, salt: string): SecretBox {
  const key = hkdfSync('sha256', secret, Buffer.from(salt, 'hex'), 'footbridge hub', KEY_BYTES);
  return createSecretBox(Buffer.from(key), 'given');
}

/**
 * Creates keys that are stored encrypted: `key` and `text` make a missing one, `read` returns undefined for it, `put`
 * replaces one.
 */
function createHubKeys(database: Database, box: SecretBox): HubKeys {
  /** Returns the stored text under this name; stores a new one if there is none. Calls `make` in either case. */
  const textOf: HubKeys['text'] = async (name, make) => {
    const made = await box.seal(await make());
    return box.open(await database.transaction((ask) => createOwnIfMissing(ask, name, made)));
  };
  return {
    key: async (name) =>
      Buffer.from(await textOf(name, () => Promise.resolve(randomBytes(KEY_BYTES).toString('hex'))), 'hex'),
    text: textOf,
    /** Returns the unsealed key; undefined without one. */
    async read(name) {
      const sealed = await readOwn(database.read, name);
      return sealed === undefined ? undefined : box.open(sealed);
    },
    /** Stores a key, sealed, in place of any other. */
    async put(name, content) {
      const sealed = await box.seal(content);
      await database.transaction((ask) => writeOwn(ask, name, sealed));
    },
  };
}
