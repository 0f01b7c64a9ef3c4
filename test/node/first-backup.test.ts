import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { createFolderStorage } from '../../server/node/storage/folder-storage.ts';
import { listBackups } from '../../server/store/recovery/backups.ts';
import { putBack, rowsOf, startNode } from '../support/harness/node.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

it(
  'backs an office up right after its first import and right after a restore',
  { tags: 'nightly-waits' },
  async () => {
    const folder = await temporaryFolder();
    const dataDir = folder.path;
    const office = await startNode('Müller & Söhne', {
      dataDir,
      storage: createFolderStorage({ dataDir, clock: systemClock }),
    });
    const backups = async (): Promise<number> => (await listBackups(dataDir)).length;
    const lines = Array.from({ length: 240 }, (_, at) => `Ventil DN ${String(at)},${String(at * 3)}`);
    const { moduleID } = await office.app<{ moduleID: string }>(
      'POST',
      '/app/import?list=Preisliste',
      ['Artikel,Bestand', ...lines].join('\n'),
    );
    await expect.poll(backups, { timeout: 20_000 }).toBe(1);

    // An office with a backup of its rows waits for the next day.
    await office.app('POST', `/app/lists/${moduleID}/rows`, { values: { Artikel: ['Dichtung 3/4'] } });
    const [first] = await listBackups(dataDir);
    await putBack(office, await readFile(first?.file ?? ''));
    expect(await rowsOf(office, moduleID)).toHaveLength(240);
    await expect.poll(backups, { timeout: 20_000 }).toBe(2);
    await office.stop();
    await folder.remove();
  },
);
