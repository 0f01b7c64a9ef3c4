import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Overview } from '../../server/contract/app/overview.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { pairNodes, startNode, type NodeOffice } from '../support/harness/node.ts';

let folder: TemporaryFolder;
let oslo: NodeOffice;
let bergen: NodeOffice;
const start = (): Promise<NodeOffice> => startNode('Oslo', { dataDir: join(folder.path, 'oslo') });
const overview = (): Promise<Overview> => oslo.app<Overview>('GET', '/app/overview');

beforeEach(async () => {
  folder = await temporaryFolder();
  [oslo, bergen] = await Promise.all([
    start(),
    startNode('Bergen', { dataDir: join(folder.path, 'bergen') }),
  ]);
  await pairNodes(oslo, bergen);
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await folder.remove();
});

/** As a cloud drive leaves it: cut off from the change on that says this, and no backup has that. */
async function cut(partition: string, change: string): Promise<void> {
  const store = join(folder.path, 'oslo', 'store', partition);
  for (const name of await readdir(store)) {
    const at = (await readFile(join(store, name), 'latin1')).lastIndexOf(change);
    if (name.startsWith('journal-') && at > 0) await truncate(join(store, name), at);
  }
  await rm(join(folder.path, 'oslo', 'backups'), { recursive: true, force: true });
}

describe('an office that lost the newest of its changes', () => {
  it.each(['its settings', 'a list'])(
    'does not say that all is well before its user has read that (%s)',
    async (what) => {
      const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fontaine' }]);
      await oslo.app('POST', `/app/lists/${list}/rows`, { values: { Name: ['Brandt'] } });
      await oslo.app('PATCH', '/app/settings', { office: 'Oslo Brygge' });
      await expect.poll(async () => (await overview()).state).toBe('up-to-date');
      await oslo.stop();
      await (what === 'a list' ? cut(`list-${list}`, 'Brandt') : cut('system', 'Oslo Brygge'));

      for (let run = 0; run < 2; run++) {
        oslo = await start();
        await expect.poll(async () => (await overview()).partners[0]?.state).toBe('up-to-date');
        const { state, reason, also, awaited } = await overview();
        expect([state, awaited]).toEqual(['needs-you', false]);
        expect(reason).toMatch(/may be missing/);
        expect(also).toHaveLength(1);
        await oslo.stop();
      }
      oslo = await start();
      for (const { itemID } of (await overview()).inbox)
        await oslo.app('POST', `/app/inbox/${itemID}/dismiss`);
      await expect.poll(async () => (await overview()).state).toBe('up-to-date');
    },
  );
});
