import { expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { createFolderStorage } from '../../server/node/storage/folder-storage.ts';
import { backupOf, startNode } from '../support/harness/node.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

it('serves again after a restore that could not close the store, such as on a full disk', async () => {
  const { path } = await temporaryFolder();
  const folder = createFolderStorage({ dataDir: path, clock: systemClock });
  let isFull = false;
  const node = await startNode('Oslo', {
    dataDir: path,
    storage: {
      ...folder,
      async openStore(options) {
        const store = await folder.openStore(options);
        const close = async (): Promise<void> => {
          await store.close();
          if (!isFull) return;
          isFull = false;
          throw new Error('no space left');
        };
        return { ...store, close };
      },
    },
  });
  const list = await node.list('Customers', ['Name'], [{ Name: 'Œuvre & Fils' }]);
  const body = await backupOf(node);
  isFull = true;
  const answer = await node.fetch('/app/restore', { method: 'POST', body: new Uint8Array(body) });
  expect(answer.status).toBe(500);
  await expect
    .poll(async () => (await node.fetch(`/app/lists/${list}/rows`)).status, { timeout: 20_000 })
    .toBe(200);
});
