import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createFileSecretBox,
  createSecretBox,
  guardedKeyFile,
  keyFile,
  type SecretBox,
} from '../../../server/store/files/secrets.ts';
import { StoreError } from '../../../server/store/store.ts';
import { takeLock } from '../../../server/store/files/lock.ts';
import {
  chooseSecretStore,
  forgetGuardedKey,
  KeyringClosed,
  openSecrets,
} from '../../../main/secrets/secrets.ts';
import { electronDouble, type ElectronDouble } from './electron-double.ts';

let dataDir: string;
let double: ElectronDouble;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'footbridge-keyring-'));
  double = electronDouble();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** The box of the node, with the key that the shell opens for it. */
async function open(): Promise<SecretBox> {
  const { key, protection } = await openSecrets({ electron: double.electron, platform: 'linux', dataDir });
  return createSecretBox(key, protection);
}
const keys = (): Promise<string[]> => readdir(join(dataDir, 'keys'));

it('uses the keyring where there is one, and no pretence of one', () => {
  const by = (platform: NodeJS.Platform, sample: string): string =>
    chooseSecretStore({ platform, available: true, sample: Buffer.from(sample) });
  expect(by('linux', 'v11 by the secret service')).toBe('system');
  expect(by('linux', 'v12 by the portal')).toBe('system');
  expect(by('linux', 'v10 by a password known to all')).toBe('file');
  // macOS marks so what its own keychain guards.
  expect(by('darwin', 'v10 by the keychain')).toBe('system');
  expect(chooseSecretStore({ platform: 'win32', available: false, sample: undefined })).toBe('file');
});

it('does not give the key to a keyring that is not there, which the desktop is known for', async () => {
  double.keyring.sealsWith = 'v10';
  const box = await open();
  expect(box.protection).toBe('file');
  expect(await keys()).toEqual(['secrets.key']);
});

it('takes into the keyring, once there is one, what had been sealed with a password known to all', async () => {
  await open();
  const { safeStorage } = double.electron;
  double.keyring.sealsWith = 'v10';
  const plain = await safeStorage.decryptStringAsync(await readFile(guardedKeyFile(dataDir)));
  await writeFile(guardedKeyFile(dataDir), await safeStorage.encryptStringAsync(plain.result));
  double.keyring.sealsWith = 'v11';
  expect((await open()).protection).toBe('system');
  expect((await readFile(guardedKeyFile(dataDir), 'utf8')).slice(0, 3)).toBe('v11');
});

it('keeps the key with the keyring and nothing readable on the disk (A6)', async () => {
  const box = await open();
  expect(box.protection).toBe('system');
  const sealed = await box.seal('a token');
  expect(await (await open()).open(sealed)).toBe('a token');
  expect(await keys()).toEqual(['secrets.key.guarded']);
  if (process.platform !== 'win32') expect((await stat(guardedKeyFile(dataDir))).mode & 0o777).toBe(0o600);
});

it('moves the key of a headless node into the keyring, and what it sealed still opens', async () => {
  const sealed = await (await createFileSecretBox(dataDir)).seal('a token');
  expect(await (await open()).open(sealed)).toBe('a token');
  expect(await keys()).toEqual(['secrets.key.guarded']);
});

it('moves the key back into an owner-only file when the keyring is gone but still opens it', async () => {
  const sealed = await (await open()).seal('a token');
  double.keyring.sealsWith = 'v10';
  const box = await open();
  expect(box.protection).toBe('file');
  expect(await box.open(sealed)).toBe('a token');
  expect(await keys()).toEqual(['secrets.key']);
  if (process.platform !== 'win32') expect((await stat(keyFile(dataDir))).mode & 0o777).toBe(0o600);
});

it('takes the plain key for the true one after a kill between writing one and removing the other', async () => {
  const sealed = await (await createFileSecretBox(dataDir)).seal('a token');
  await writeFile(guardedKeyFile(dataDir), 'half written');
  expect(await (await open()).open(sealed)).toBe('a token');
  expect(await keys()).toEqual(['secrets.key.guarded']);
});

it('keeps the plain key when the keyring does not give back what it took', async () => {
  await createFileSecretBox(dataDir);
  const { safeStorage } = double.electron;
  const encrypt = safeStorage.encryptStringAsync.bind(safeStorage);
  const losing = [
    (): Promise<Buffer> => Promise.resolve(Buffer.from('["x",""]')),
    (): Promise<Buffer> => encrypt('ab'),
  ];
  for (const encryptStringAsync of losing) {
    Object.assign(safeStorage, { encryptStringAsync });
    await expect(open()).rejects.toBeInstanceOf(KeyringClosed);
    expect(await keys()).toContain('secrets.key');
  }
});

it('writes the key anew when the keyring says that its own is outdated', async () => {
  await open();
  const before = await readFile(guardedKeyFile(dataDir));
  double.keyring.outdated = true;
  const encrypted: string[] = [];
  const { safeStorage } = double.electron;
  const encrypt = safeStorage.encryptStringAsync.bind(safeStorage);
  Object.assign(safeStorage, {
    encryptStringAsync(text: string) {
      encrypted.push(text);
      return encrypt(text);
    },
  });
  await open();
  expect(encrypted.filter((text) => text !== 'a sample')).toHaveLength(1);
  expect(await readFile(guardedKeyFile(dataDir))).toEqual(before);
});

it('says that the keyring is shut instead of making a new key that opens nothing', async () => {
  await open();
  double.keyring.key = 'another user';
  await expect(open()).rejects.toBeInstanceOf(KeyringClosed);
  expect(await keys()).toEqual(['secrets.key.guarded']);
  await expect(createFileSecretBox(dataDir), 'the headless node').rejects.toMatchObject({
    code: 'permission',
  });

  await forgetGuardedKey(dataDir, new Date());
  expect((await open()).protection).toBe('system');
  expect(await keys()).toHaveLength(2);
});

it('says in the store’s words that the disk takes no key', async () => {
  // As on a full disk or a foreign folder: a file lies where the keys belong.
  await writeFile(join(dataDir, 'keys'), '');
  const failure = await open().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect(failure).not.toMatchObject({ code: 'locked' });
});

it('moves no key while another process uses the folder', async () => {
  await createFileSecretBox(dataDir);
  const lock = await takeLock(dataDir);
  await expect(open()).rejects.toMatchObject({ code: 'locked' });
  expect(await keys()).toEqual(['secrets.key']);
  await lock.release();
});
