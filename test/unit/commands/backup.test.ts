import { link, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { backup } from '../../../server/commands/backup.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';
import { startNode } from '../../support/harness/node.ts';

it('writes the backup into a file of its own, and through none that somebody laid there before', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const data = join(folder.path, 'data');
  const office = await startNode('Växjö', { dataDir: data });
  onTestFinished(() => office.stop());
  const [other, target] = [join(folder.path, 'other'), join(folder.path, 'all.footbridge')];
  await writeFile(other, 'somebody else has this');
  await link(other, `${target}.part`);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  await backup(target, { data });
  expect(await readFile(other, 'utf8')).toBe('somebody else has this');
  expect((await stat(target)).nlink).toBe(1);
  expect((await stat(target)).size).toBeGreaterThan(100);
});

it('makes no backup for a page that loads the address of one, and gives each backup out once', async () => {
  const office = await startNode('Växjö');
  onTestFinished(() => office.stop());
  const savedAt = async (): Promise<string | undefined> =>
    (await office.app<{ lastBackupAt?: string }>('GET', '/app/settings')).lastBackupAt;
  expect((await office.fetch('/app/backup')).status).toBe(400);
  const { download } = await office.app<{ download: string }>('POST', '/app/backup');
  expect(await savedAt()).toBeUndefined();
  const answer = await office.fetch(download);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="?footbridge-/);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  await expect.poll(savedAt).toBeDefined();
  const again = await office.fetch(download);
  expect([again.status, await again.json()]).toMatchObject([410, { error: { code: 'backup.gone' } }]);
});
