import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { existingDataFolder } from '../../server/commands/data-folder.ts';
import { inspectDataFolder } from '../../server/node/inspect-data-folder.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';

let home: { path: string; remove: () => Promise<void> };
let oslo: NodeOffice;
let customers: string;
const advice = async (): Promise<string> => (await inspectDataFolder(home.path)).advice.join('\n');

beforeEach(async () => {
  home = await temporaryFolder();
  oslo = await startNode('Oslo', { dataDir: home.path });
  customers = await oslo.list('Customers', ['Name'], [{ Name: 'Ødegård Bygg' }]);
  await oslo.stop();
});
afterEach(async () => {
  await oslo.stop();
  await home.remove();
});

describe('R3: the store', () => {
  it('that is gone, without a backup, is no new office: the start refuses, and says what to do', async () => {
    await rm(join(home.path, 'store'), { recursive: true });
    for (let start = 0; start < 2; start++) {
      expect(existingDataFolder(home.path)).toBe(home.path);
      expect(await advice()).toMatch(/data of this office is missing.*Put the folder back/);
      await expect(startNode('Oslo', { dataDir: home.path })).rejects.toThrow(
        /data of this office is missing.*Put that folder back/,
      );
    }
  });

  it('goes on beside a copy that somebody made of a folder of it, and tells of that', async () => {
    const list = join(home.path, 'store', `list-${customers}`);
    await cp(list, `${list}-copy`, { recursive: true });
    await writeFile(join(home.path, 'store', 'notes'), 'A file that somebody left here.');
    expect(await advice()).toMatch(/-copy is not one of Footbridge’s and is left alone/);
    oslo = await startNode('Oslo', { dataDir: home.path });
    expect(await rowsOf(oslo, customers)).toHaveLength(1);
    const { inbox } = await oslo.app<{ inbox: { message: string }[] }>('GET', '/app/overview');
    expect(inbox.map(({ message }) => message).join()).toMatch(/-copy” is among the data/);
  });
});
