import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../store.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { createIfMissing, readIfExists } from './own-file.ts';

export interface SecretBox {
  seal(text: string): Promise<string>;
  /** Decrypts. Rejects with {@link SealBroken} if encrypted elsewhere, with another key, or changed. */
  open(sealed: string): Promise<string>;
  /** Place of the key: system keyring, owner-only file, or encrypted by a given secret. */
  readonly protection: 'system' | 'file' | 'given';
}

export class SealBroken extends Refusal {
  constructor(options?: ErrorOptions) {
    super('conflict', 'secrets.lost', said('secrets.lost'), options);
    this.name = 'SealBroken';
  }
}

/** Distinguishes this box's texts. */
const FILE_SEAL = 'file1.';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Path of a data folder's key, in hex in an owner-only file. */
export const keyFile = (dataDir: string): string => join(dataDir, 'keys', 'secrets.key');
/** Path of the same key encrypted by the system's keyring; only the desktop app can decrypt it. */
export const guardedKeyFile = (dataDir: string): string => `${keyFile(dataDir)}.guarded`;

export const newSecretKey = (): Buffer => randomBytes(KEY_BYTES);

/** Returns a box with the key in an owner-only file, made if missing. Throws StoreError `permission` for a keyring. */
export async function createFileSecretBox(dataDir: string): Promise<SecretBox> {
  const file = keyFile(dataDir);
  const key = (await readOrSetAsideKey(file)) ?? (await makeKey(file, guardedKeyFile(dataDir)));
  return createSecretBox(key, 'file');
}

/** Returns a box that encrypts with `key` (AES-256-GCM); `protection` is how the caller protects the key. */
export function createSecretBox(key: Buffer, protection: SecretBox['protection']): SecretBox {
  return {
    protection,
    /** Encrypts under a new random IV; returns a prefix, then IV, authentication tag and text in base64url. */
    seal(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Promise.resolve(
        FILE_SEAL + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url'),
      );
    },
    /** Decrypts what `seal` returned. Rejects with {@link SealBroken} for anything else, or another key's. */
    open(sealed) {
      try {
        if (!sealed.startsWith(FILE_SEAL)) throw new Error('sealed by another box');
        const bytes = Buffer.from(sealed.slice(FILE_SEAL.length), 'base64url');
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
          // Otherwise a truncated tag of four bytes passes.
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
        return Promise.resolve(text.toString('utf8'));
      } catch (error) {
        return Promise.reject(new SealBroken({ cause: error }));
      }
    },
  };
}

/**
 * Writes a new key into `file` and returns it, or the key of a process that was first. Throws StoreError `permission`
 * if the file `guarded` exists: the key is then in the keyring.
 */
async function makeKey(file: string, guarded: string): Promise<Buffer> {
  if (existsSync(guarded)) {
    throw new StoreError(
      'permission',
      'The desktop app keeps the key of this data folder in the keyring of this computer, where only it can ' +
        'read it. Use the desktop app, or another data folder.',
    );
  }
  await createIfMissing(file, randomBytes(KEY_BYTES).toString('hex'));
  return (await readSecretKey(file)) ?? makeKey(file, guarded);
}

/**
 * Returns a file's key; undefined if there is none. Renames a damaged one and returns undefined: what it encrypted is
 * lost.
 */
export async function readOrSetAsideKey(file: string): Promise<Buffer | undefined> {
  try {
    return await readSecretKey(file);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    await rename(file, `${file}.damaged-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`);
    return undefined;
  }
}

/** Returns a file's key, if any. Throws {@link SealBroken} if it is damaged. */
export async function readSecretKey(file: string): Promise<Buffer | undefined> {
  const text = await readIfExists(file);
  if (text === undefined) return undefined;
  const key = Buffer.from(text.toString('utf8').trim(), 'hex');
  if (key.length !== KEY_BYTES) throw new SealBroken();
  return key;
}
