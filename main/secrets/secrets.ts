import { readFile, rename, rm } from 'node:fs/promises';
import { readLock } from '../../server/store/files/lock.ts';
import { readIfExists, replaceFile } from '../../server/store/files/own-file.ts';
import {
  guardedKeyFile,
  keyFile,
  newSecretKey,
  readOrSetAsideKey,
} from '../../server/store/files/secrets.ts';
import { withStoreErrors } from '../../server/store/files/disk-steps.ts';
import { throwIfMovedAway } from '../../server/store/moving/folder-mark.ts';
import { StoreError } from '../../server/store/store.ts';
import type { Electron } from '../electron.ts';
import type { Logger } from 'pino';
import type { Dialogs } from '../window/dialogs.ts';

/** The keyring can't decrypt the stored key: other user or computer, or no keyring today. */
export class KeyringClosed extends Error {
  constructor(options?: ErrorOptions) {
    super('The keyring of this computer does not open the stored secrets of Footbridge.', options);
    this.name = 'KeyringClosed';
  }
}

export interface SecretKey {
  readonly key: Buffer;
  readonly protection: 'system' | 'file';
}

const SAMPLE = 'a sample';

export interface SecretsDeps {
  readonly electron: Electron<'safeStorage'>;
  readonly platform: NodeJS.Platform;
  readonly dataDir: string;
}

/**
 * Returns the key of a data folder's secrets, created at the first start. It is in the keyring if that protects it,
 * else in an owner-only file, and moves when that changes: the new copy is verified before the old one is removed.
 * Throws `KeyringClosed`, or `StoreError`, such as `locked` if the folder is in use or its office moved.
 */
export const openSecrets = (deps: SecretsDeps): Promise<SecretKey> => withStoreErrors(() => openKey(deps));

/**
 * Opens or creates the key, in the keyring if that protects it, otherwise in a file; moves one from the other place.
 * Sets a damaged key file aside. Throws the disk's errors as they are, StoreError `locked` for a folder in use or moved
 * away, and `KeyringClosed`.
 */
async function openKey({ electron, platform, dataDir }: SecretsDeps): Promise<SecretKey> {
  if (await readLock(dataDir))
    throw new StoreError('locked', 'The data folder is in use by another Footbridge. Close that one first.');
  await throwIfMovedAway(dataDir);
  const { safeStorage } = electron;
  const plainFile = keyFile(dataDir);
  const guardedFile = guardedKeyFile(dataDir);
  const available = await safeStorage.isAsyncEncryptionAvailable();
  const sample = available ? await safeStorage.encryptStringAsync(SAMPLE).catch(() => undefined) : undefined;
  const choice = chooseSecretStore({ platform, available, sample });

  /** Decrypts the key; `outdated` if it should be encrypted again. Throws `KeyringClosed`. */
  const decryptKey = async (sealed: Buffer): Promise<{ key: Buffer; outdated: boolean }> => {
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed);
      const outdated = shouldReEncrypt || isOpenToAll(sealed, platform);
      return { key: Buffer.from(result, 'hex'), outdated };
    } catch (cause) {
      throw new KeyringClosed({ cause });
    }
  };

  const plain = await readOrSetAsideKey(plainFile);
  const sealed = await readIfExists(guardedFile);
  const guarded = sealed && !plain ? await decryptKey(sealed) : undefined;
  const key = plain ?? guarded?.key ?? newSecretKey();

  if (choice === 'system' && (!guarded || guarded.outdated)) {
    await replaceFile(guardedFile, await safeStorage.encryptStringAsync(key.toString('hex')));
    const proof = await decryptKey(await readFile(guardedFile));
    if (!proof.key.equals(key)) throw new KeyringClosed();
    await rm(plainFile, { force: true });
  }
  if (choice === 'file') {
    if (!plain) await replaceFile(plainFile, key.toString('hex'));
    await rm(guardedFile, { force: true });
  }
  return { key, protection: choice };
}

/**
 * Renames the keyring key's file, which must exist: the next start creates a new key. What the old one encrypted is
 * lost: partners must pair again.
 */
export async function forgetGuardedKey(dataDir: string, now: Date): Promise<void> {
  const file = guardedKeyFile(dataDir);
  await rename(file, `${file}.unopened-${now.toISOString().replace(/[:.]/g, '-')}`);
}

export interface Keyring {
  readonly platform: NodeJS.Platform;
  /** Electron's answer; true on Linux even without a keyring. */
  readonly available: boolean;
  /** Just encrypted; undefined if that failed. */
  readonly sample: Buffer | undefined;
}

/** Chromium's prefix without a keyring on Linux; its password is public. */
const KNOWN_TO_ALL = 'v10';

export const isOpenToAll = (sealed: Buffer, platform: NodeJS.Platform): boolean =>
  platform === 'linux' && sealed.subarray(0, KNOWN_TO_ALL.length).toString('latin1') === KNOWN_TO_ALL;

/** Returns `file` if the keyring can't encrypt or protects nothing. */
export function chooseSecretStore({ platform, available, sample }: Keyring): 'system' | 'file' {
  return available && sample !== undefined && !isOpenToAll(sample, platform) ? 'system' : 'file';
}

/** `forget` gives up a key that the keyring doesn't open. */
export interface SecretSource {
  open(): Promise<SecretKey>;
  forget(): Promise<void>;
}

/**
 * Returns the secrets' key. If the keyring refuses, asks the user: with consent gives up the stored key for a new one,
 * else returns undefined, to quit. Throws other errors.
 */
export async function askForSecrets(
  source: SecretSource,
  dialogs: Pick<Dialogs, 'keyringClosed'>,
  log: Logger,
): Promise<SecretKey | undefined> {
  try {
    return await source.open();
  } catch (error) {
    if (!(error instanceof KeyringClosed)) throw error;
    log.warn({ err: error }, 'keyring');
    if ((await dialogs.keyringClosed()) === 'quit') return undefined;
    await source.forget();
    return source.open();
  }
}
