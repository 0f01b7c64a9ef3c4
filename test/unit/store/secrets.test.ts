import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSecretBox, SealBroken } from '../../../server/store/files/secrets.ts';

describe('the file secret box', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footbridge-secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('opens what it sealed, also after a restart, and never seals a text twice alike', async () => {
    const box = await createFileSecretBox(folder);
    const sealed = await box.seal('a token');
    expect(sealed).not.toContain('token');
    expect(await box.seal('a token')).not.toBe(sealed);
    expect(await (await createFileSecretBox(folder)).open(sealed)).toBe('a token');
  });

  it('refuses what was changed, sealed elsewhere, or is no seal at all', async () => {
    const box = await createFileSecretBox(folder);
    const sealed = await box.seal('a token');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    const bytes = Buffer.from((await box.seal('')).slice(6), 'base64url');
    const shortTag = `file1.${bytes.subarray(0, 12 + 4).toString('base64url')}`;
    for (const text of [changed, shortTag, 'file1.', 'system1.abc', '']) {
      await expect(box.open(text)).rejects.toBeInstanceOf(SealBroken);
    }
  });

  it('gives two that start at once the same key, readable by its owner only', async () => {
    const [one, two] = await Promise.all([createFileSecretBox(folder), createFileSecretBox(folder)]);
    expect(await two.open(await one.seal('x'))).toBe('x');
    const [key, ...others] = await readdir(join(folder, 'keys'));
    expect(others).toEqual([]);
    const file = join(folder, 'keys', key!);
    expect((await readFile(file, 'utf8')).length).toBe(64);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
