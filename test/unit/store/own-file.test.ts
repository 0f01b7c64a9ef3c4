import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createIfMissing, readIfExists, replaceFile } from '../../../server/store/files/own-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('makes a key once, whoever comes at the same time, and leaves nothing beside it', async () => {
  const path = join(folder, 'keys', 'user.key');
  const keys = Array.from({ length: 8 }, () => randomBytes(32).toString('hex'));
  const read = await Promise.all(
    keys.map(async (key) => {
      await createIfMissing(path, key);
      return readFile(path, 'utf8');
    }),
  );
  expect(keys).toContain(read[0]);
  expect(new Set(read).size).toBe(1);
  await createIfMissing(path, randomBytes(32).toString('hex'));
  expect(await readFile(path, 'utf8')).toBe(read[0]);
  expect(await readdir(join(folder, 'keys'))).toEqual(['user.key']);
});

it('replaces a file by another one that only its owner can read', async () => {
  const path = join(folder, 'keys', 'tls.pem');
  expect(await readIfExists(path)).toBeUndefined();
  const [first, second] = [randomBytes(5000), `${randomBytes(20).toString('base64')}\n`];
  await replaceFile(path, first);
  expect(await readIfExists(path)).toEqual(first);
  await replaceFile(path, second);
  expect((await readIfExists(path))?.toString('utf8')).toBe(second);
  expect(await readdir(join(folder, 'keys'))).toEqual(['tls.pem']);
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('leaves the file that there is where the new one cannot take its place', async () => {
  await replaceFile(join(folder, 'taken', 'inside'), 'kept');
  await expect(replaceFile(join(folder, 'taken'), 'new')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['taken']);
  expect((await readIfExists(join(folder, 'taken', 'inside')))?.toString('utf8')).toBe('kept');
});
