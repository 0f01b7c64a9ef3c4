import { describe, expect, it } from 'vitest';
import { madeUpOrigin, text } from '../support/partners/made-up-origin.ts';
import { fill, idOf, matched, shownBy, type Matched } from '../support/partners/matched.ts';
import { told } from '../support/reading/told.ts';

/** The same columns into the same list as before. */
async function matchAgain({ office, nodeID, moduleID, sharedModuleID }: Matched): Promise<void> {
  const { namespaceID } = await office.lists.module(moduleID);
  await office.federation.mappings.set(nodeID, sharedModuleID, {
    composeModuleID: moduleID,
    composeNamespaceID: namespaceID,
    fields: ['Name', 'City'].map((name) => ({ origin: { name }, destination: { name } })),
    shape: 1,
  });
}

describe('a list that is not matched any more', () => {
  it('needs nobody, whatever waited in it, and starts over when it is matched again', async () => {
    const origin = madeUpOrigin([text('Name'), text('City')]);
    fill(origin, 0, 5);
    origin.put(idOf(9), { Name: ['fits'], City: ['no number'] });
    const set = await matched(
      origin,
      { dialect: 'shape1', footbridge: true },
      {
        fields: [
          { kind: 'String', name: 'Name' },
          { kind: 'Number', name: 'City' },
        ],
      },
    );
    const { office, nodeID, moduleID, sharedModuleID } = set;
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 0, failed: 6 });
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'needs-you' });

    await office.federation.mappings.remove(nodeID, sharedModuleID);
    expect(told(await office.sync.status(nodeID)).reason).toContain('offers 1 list');
    await office.sync.syncNow(nodeID);
    await matchAgain(set);
    expect(await office.sync.failedRows.list(nodeID)).toEqual([]);

    for (const { recordID } of origin.rows()) origin.put(recordID, { Name: ['fits'], City: ['7'] });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 6, failed: 0 });
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it('does not come into being again when it was removed, nor when its bin was emptied', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 5);
    const { office, nodeID, moduleID } = await matched(origin);
    await office.sync.syncNow(nodeID);
    await office.lists.removeModule(moduleID);
    await office.sync.syncNow(nodeID);
    expect((await office.sync.status(nodeID)).lists).toEqual([]);
    await office.lists.purgeModule(moduleID);
    await office.sync.syncNow(nodeID);
    expect((await office.store.partitions()).filter((name) => name.endsWith(moduleID))).toEqual([]);
  });
});

describe('rows that were released', () => {
  it.each(['remove', 'keep'] as const)('(%s) all come anew when the connection goes on', async (what) => {
    const origin = madeUpOrigin();
    fill(origin, 0, 5);
    const { office, nodeID, moduleID } = await matched(origin, { dialect: 'shape1', footbridge: true });
    await office.sync.syncNow(nodeID);
    await (await office.lists.rows(moduleID)).releaseFrom(nodeID, what);
    expect((await office.received(moduleID)).size).toBe(0);
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 5 });
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 0, unchanged: 0 });
  });
});
