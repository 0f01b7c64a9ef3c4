import { readFile, rename, rm } from 'node:fs/promises';
import { readLock } from '../../server/store/files/lock.ts';
import { readIfExists, replaceFile } from '../../server/store/files/own-file.ts';
import { guardedKeyFile, keyFile, newSecretKey, usableSecretKey } from '../../server/store/files/secrets.ts';
import { toStoreError } from '../../server/store/files/disk-steps.ts';
import { checkFolderServed } from '../../server/store/moving/folder-mark.ts';
import { StoreError } from '../../server/store/store.ts';
import type { Electron } from '../electron.ts';
import { chooseSecretStore, isOpenToAll } from './secret-store.ts';

/** The keyring refuses the key: another user, another computer, or no keyring today. */
export class KeyringClosed extends Error {
  /** Uses a fixed message; `options.cause` has the keyring's error. */
  constructor(options?: ErrorOptions) {
    super('The keyring of this computer does not open the stored secrets of Footbridge.', options);
    this.name = 'KeyringClosed';
  }
}

/** The key of a data folder's secrets, and where it is. The node's process encrypts with it. */
export interface SecretKey {
  readonly key: Buffer;
  readonly protection: 'system' | 'file';
}

/** Encrypted to see how. */
const SAMPLE = 'a sample';

export interface SecretsDeps {
  readonly electron: Electron<'safeStorage'>;
  readonly platform: NodeJS.Platform;
  readonly dataDir: string;
}

/**
 * Returns the key of a data folder's secrets; creates it at the first start. It is in the system's keyring if there
 * is one, otherwise in an owner-only file, and moves between them when that has changed. Throws `KeyringClosed`, or
 * `StoreError` `locked` while another process uses the folder.
 */
export const openSecrets = (deps: SecretsDeps): Promise<SecretKey> => toStoreError(() => openKey(deps));

/**
 * Reads or creates the key and moves it to where it belongs: writes and verifies the new copy before it removes the
 * old one, so that a crash leaves at least one. Throws StoreError `locked` while another process uses the folder,
 * and `KeyringClosed` if the keyring refuses.
 */
async function openKey({ electron, platform, dataDir }: SecretsDeps): Promise<SecretKey> {
  if (await readLock(dataDir))
    throw new StoreError('locked', 'The data folder is in use by another Footbridge. Close that one first.');
  await checkFolderServed(dataDir);
  const { safeStorage } = electron;
  const plainFile = keyFile(dataDir);
  const guardedFile = guardedKeyFile(dataDir);
  const available = await safeStorage.isAsyncEncryptionAvailable();
  const sample = available ? await safeStorage.encryptStringAsync(SAMPLE).catch(() => undefined) : undefined;
  const choice = chooseSecretStore({ platform, available, sample });

  /** Decrypts the stored key; `outdated` asks to encrypt it again. Throws `KeyringClosed` if the keyring refuses. */
  const unguard = async (sealed: Buffer): Promise<{ key: Buffer; outdated: boolean }> => {
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed);
      const outdated = shouldReEncrypt || isOpenToAll(sealed, platform);
      return { key: Buffer.from(result, 'hex'), outdated };
    } catch (cause) {
      throw new KeyringClosed({ cause });
    }
  };

  const plain = await usableSecretKey(plainFile);
  const sealed = await readIfExists(guardedFile);
  const guarded = sealed && !plain ? await unguard(sealed) : undefined;
  const key = plain ?? guarded?.key ?? newSecretKey();

  if (choice === 'system' && (!guarded || guarded.outdated)) {
    await replaceFile(guardedFile, await safeStorage.encryptStringAsync(key.toString('hex')));
    const proof = await unguard(await readFile(guardedFile));
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
 * Renames the file of the key in the keyring, so that the next start creates a new key. What it encrypted is lost:
 * partners must pair again.
 */
export async function forgetGuardedKey(dataDir: string, now: Date): Promise<void> {
  const file = guardedKeyFile(dataDir);
  await rename(file, `${file}.unopened-${now.toISOString().replace(/[:.]/g, '-')}`);
}
