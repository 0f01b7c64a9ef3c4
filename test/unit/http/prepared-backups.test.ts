import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { PreparedBackups } from '../../../server/http/window/prepared-backups.ts';

/** Backups of a store, and the files that they were written to. */
function backupsOf(content: string, waitMs = 60_000): { backups: PreparedBackups; files: string[] } {
  const files: string[] = [];
  const backup = async (file: string): Promise<void> => {
    files.push(file);
    await writeFile(file, content);
  };
  return { backups: new PreparedBackups({ backup }, waitMs), files };
}

const existing = (files: readonly string[]): string[] => files.filter((file) => existsSync(dirname(file)));

it('gives a backup out once, by its key only, and removes the file', async () => {
  const { backups, files } = backupsOf('all lists of the office');
  const key = await backups.prepare();
  const read: string[] = [];
  const use = (by: string): Promise<void> =>
    backups.consume(by, async (file) => void read.push(await readFile(file, 'utf8')));
  await expect(use('00000000-0000-0000-0000-000000000000')).rejects.toMatchObject({ code: 'backup.gone' });
  await use(key);
  expect(read).toEqual(['all lists of the office']);
  await expect(use(key)).rejects.toMatchObject({ code: 'backup.gone' });
  expect(existing(files)).toEqual([]);
});

it('holds one backup, and removes it when nobody downloads it, or the node stops', async () => {
  const { backups, files } = backupsOf('all lists of the office');
  const first = await backups.prepare();
  await backups.prepare();
  expect(existing(files)).toEqual(files.slice(1));
  await expect(backups.consume(first, () => Promise.resolve())).rejects.toMatchObject({ kind: 'gone' });
  await backups.close();
  expect(existing(files)).toEqual([]);

  const impatient = backupsOf('all lists of the office', 20);
  await impatient.backups.prepare();
  await expect.poll(() => existing(impatient.files), { timeout: 20_000 }).toEqual([]);
});

it('leaves nothing of a backup that failed', async () => {
  const files: string[] = [];
  const backups = new PreparedBackups({
    async backup(file) {
      files.push(file);
      await writeFile(file, 'the beginning');
      throw new Error('no space left on device');
    },
  });
  await expect(backups.prepare()).rejects.toThrow('no space left');
  expect(existing(files)).toEqual([]);
});
