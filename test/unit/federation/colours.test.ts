import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COLOURS } from '../../../server/base/vocabulary.ts';
import { assignColours } from '../../../server/federation/partners/colours.ts';
import { NODES } from '../../../server/federation/tables.ts';
import { noLists, testOffice, type TestOffice } from './two-offices.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await testOffice('Oslo', noLists);
});
afterEach(() => office.close());

const add = async (name: string): Promise<string> =>
  (await office.federation.nodes.create({ name }, '1')).nodeID;
const colourOf = async (nodeID: string): Promise<string> =>
  (await office.federation.nodes.get(nodeID)).colour;
const all = async (): Promise<string[]> => (await office.federation.nodes.list()).map(({ colour }) => colour);

describe('a partner’s colour', () => {
  it('is given in order, and begins again when all are taken', async () => {
    for (const town of [
      'Bergen',
      'Voss',
      'Hamar',
      'Molde',
      'Narvik',
      'Bodø',
      'Alta',
      'Moss',
      'Røros',
      'Skien',
    ])
      await add(town);
    expect(await all()).toEqual([...COLOURS, 'plum', 'sky']);
  });

  it('is another for each of several that are added at once', async () => {
    await Promise.all(['Bergen', 'Voss', 'Hamar', 'Molde'].map(add));
    expect(new Set(await all()).size).toBe(4);
  });

  it('stays when others are removed; what became free is given to the next', async () => {
    const [, voss, hamar] = [await add('Bergen'), await add('Voss'), await add('Hamar')];
    await office.federation.disconnects.remove(voss, '1');
    expect(await colourOf(hamar)).toBe('brick');
    expect(await colourOf(await add('Molde'))).toBe('sky');
  });

  it('is the user’s to choose', async () => {
    const bergen = await add('Bergen');
    await office.federation.nodes.update(bergen, { colour: 'moss' }, '1');
    expect(await colourOf(bergen)).toBe('moss');
    expect(await colourOf(await add('Voss'))).toBe('plum');
  });

  it('is given to partners of older versions, the oldest first, and then kept', async () => {
    const old = [await add('Bergen'), await add('Voss'), await add('Hamar')];
    await office.system.transaction(async (tx) => {
      for (const nodeID of old) {
        const node = await tx.get(NODES, nodeID);
        if (node) tx.put(NODES, nodeID, Object.assign({ ...node }, { colour: undefined }));
      }
    });
    await assignColours(office.system);
    expect(await all()).toEqual(['plum', 'sky', 'brick']);
    await office.federation.nodes.update(old[0] ?? '', { colour: 'sun' }, '1');
    await assignColours(office.system);
    expect(await all()).toEqual(['sun', 'sky', 'brick']);
  });
});
