import { chmod, lstat, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { folderEnd } from '../../../server/node/moving/folder-end.ts';
import { openLogFiles } from '../../../server/node/log.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { isDataFolder, isForeignFolder } from '../../../server/store/files/data-folder.ts';
import { restoreBackup } from '../../../server/store/recovery/restore-backup.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';

let home: TemporaryFolder;
beforeEach(async () => {
  home = await temporaryFolder();
});
afterEach(() => home.remove());

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

async function folderOf(files: Readonly<Record<string, string>>, mode = 0o755): Promise<string> {
  const folder = join(home.path, 'chosen');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  await chmod(folder, mode);
  return folder;
}

async function backupOf(dataDir: string): Promise<string> {
  const store = await openStore({ dataDir, clock: systemClock });
  const system = await store.partition('system');
  await system.transaction((tx) => tx.put({ name: 'office' }, 'name', { label: 'North Trading' }));
  const file = join(home.path, 'office.backup');
  await store.backup(file);
  await store.close();
  return file;
}

describe.skipIf(process.platform === 'win32')('a folder of other programs', () => {
  const foreign: Record<string, Readonly<Record<string, string>>> = {
    'with letters': { 'letter.odt': 'Dear Sir', 'invoices/2026.csv': 'a;b' },
    'with a store of another package manager': { 'store/v3/files/00/1a': 'x', 'var/nix': '' },
    'with a TLS key of the same name as ours': {
      'user.key': `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(1600)}`,
    },
    'with logs of a web server': { 'logs/access.log': '127.0.0.1 GET /' },
    'with reports and backups of an office': { 'reports/q3.ods': 'Q3', 'backups/server.tar': 'x' },
    'with keys of a web server': { 'keys/example.com.pem': 'x' },
    'with a hidden file alone': { '.bashrc': 'alias ll="ls -l"' },
  };
  const uses: Record<string, (folder: string) => Promise<unknown>> = {
    'a log': openLogFiles,
    'a store': (dataDir) => openStore({ dataDir, clock: systemClock }),
    'a restore': async (folder) =>
      restoreBackup(await backupOf(join(home.path, 'office')), folder, { clock: systemClock }),
    'a move': (folder) => folderEnd(folder, systemClock),
  };

  for (const [what, files] of Object.entries(foreign)) {
    for (const [use, take] of Object.entries(uses)) {
      it(`is refused and left as it was: ${what}, for ${use}`, async () => {
        const folder = await folderOf(files);
        const before = await readdir(folder, { recursive: true });
        await expect(take(folder)).rejects.toMatchObject({ code: 'foreign' });
        expect(await readdir(folder, { recursive: true })).toEqual(before);
        expect(await modeOf(folder)).toBe(0o755);
      });
    }
  }

  it('is refused by a link as well, and named as it was given', async () => {
    const folder = await folderOf({ 'letter.odt': 'Dear Sir' });
    const link = join(home.path, 'link');
    await symlink(folder, link);
    await expect(openLogFiles(link)).rejects.toThrow(
      `${link} belongs to other programs, so Footbridge changed nothing in it. Choose an empty folder or a new one, such as ${join(link, 'footbridge')}.`,
    );
    expect(await modeOf(folder)).toBe(0o755);
  });

  it('is one that everybody shares, even while it is empty', async () => {
    const folder = await folderOf({}, 0o1777);
    await expect(openLogFiles(folder)).rejects.toMatchObject({ code: 'foreign' });
    expect(await modeOf(folder)).toBe(0o1777);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that may become ours', () => {
  const open = async (dataDir: string): Promise<void> => {
    const store = await openStore({ dataDir, clock: systemClock });
    await store.partition('system');
    await store.close();
  };

  it('is a new one, an empty one, and the empty one behind a link', async () => {
    const empty = await folderOf({});
    const link = join(home.path, 'link');
    await symlink(empty, link);
    await open(link);
    await open(join(home.path, 'new'));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    for (const folder of [empty, join(home.path, 'new')]) {
      expect(isDataFolder(folder)).toBe(true);
      expect(await modeOf(folder)).toBe(0o700);
    }
  });

  it('is a fresh mount, and one that a file manager has looked into', async () => {
    const folder = await folderOf({ '.DS_Store': '', 'desktop.ini': '', 'Thumbs.db': '' });
    await mkdir(join(folder, 'lost+found'));
    await open(folder);
    expect(isDataFolder(folder)).toBe(true);
  });

  it('is one of which only the logs are left from a start that failed', async () => {
    const folder = await folderOf({
      'logs/footbridge.1.log': '{}',
      'reports/crash-2026.txt': 'x',
      lock: '{}',
    });
    expect(isForeignFolder(folder)).toBe(false);
  });

  it('stays ours with a letter in it, and is made private again', async () => {
    const folder = join(home.path, 'office');
    await open(folder);
    await writeFile(join(folder, 'letter.odt'), 'Dear Sir');
    await chmod(folder, 0o750);
    await open(folder);
    expect(await modeOf(folder)).toBe(0o700);
  });

  it('is never made writable', async () => {
    const folder = await folderOf({}, 0o555);
    await open(folder).catch(() => undefined);
    expect(await modeOf(folder)).toBe(0o555);
  });
});
