import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { omit } from '../../../server/base/omit.ts';
import type { Exposure, Node } from '../../../server/federation/model.ts';
import { openLiveDefinitions } from '../../../server/federation/sharing/live-definitions.ts';
import { EXPOSURES, NODES } from '../../../server/federation/tables.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import type { Partition } from '../../../server/store/store.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';

const node = {
  ...{ nodeID: '600', name: 'Berlin', dialect: 'live', status: 'paired', footbridge: false },
  tokenSince: '2026-05-04T08:00:00.000Z',
} as unknown as Node;

const text = (name: string, label: string): Exposure['fields'][number] => ({
  ...{ kind: 'String', name, label, isMulti: false },
});
const exposure: Exposure = {
  ...{ moduleID: '900', nodeID: '600', composeModuleID: '700', composeNamespaceID: '500' },
  ...{ handle: 'orders', name: 'Orders', shape: 2 },
  fields: [text('number', 'Number'), { ...text('clerk', 'Clerk'), kind: 'User' }],
  fieldIDs: ['11', '12'],
  ...{ createdAt: '2026-05-04T08:00:00.000Z', createdBy: '1', began: '2026-05-04T08:00:00.000Z' },
};
/** The heading and the short name of a column changed, another is shared in addition, one no more. */
const changed: Exposure = {
  ...exposure,
  fields: [text('order_no', 'Order number'), text('due', 'Due')],
  fieldIDs: ['11', '13'],
};

let system: Partition;
beforeEach(async () => {
  const { path, remove } = await temporaryFolder();
  const store = await openStore({ dataDir: path, clock: manualClock() });
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  system = await store.partition('system');
});

describe('the definition that a live server gets', () => {
  it('stays as it was first, with text as the kind of what leaves as text', async () => {
    const definitions = await openLiveDefinitions(system);
    const first = await definitions.pin(exposure, node);
    expect(first.fields.map(({ kind }) => kind)).toEqual(['String', 'String']);
    expect(await definitions.pin(changed, node)).toMatchObject({
      fields: first.fields,
      fieldIDs: ['11', '12'],
    });
    // Rows leave under the pinned names, without the column that isn't shared any more and the one that was added.
    expect(await definitions.asPinned(changed)).toMatchObject({
      fields: [{ name: 'number', label: 'Number' }],
      fieldIDs: ['11'],
    });
  });

  it('is the present one after the server was paired again, as it copies that into a new record', async () => {
    const definitions = await openLiveDefinitions(system);
    await definitions.pin(exposure, node);
    const again = { ...node, tokenSince: '2026-05-04T10:00:00.000Z' };
    expect(await definitions.pin(changed, again)).toMatchObject({
      fields: changed.fields,
      fieldIDs: ['11', '13'],
    });
  });

  it('keeps its kinds where an earlier version sent it, also if no row was fetched yet', async () => {
    await system.transaction((tx) => {
      tx.put(NODES, '600', node);
      tx.put(EXPOSURES, '900', exposure);
    });
    await openLiveDefinitions(system);
    const definitions = await openLiveDefinitions(system);
    const kept = await definitions.pin(changed, node);
    expect(kept.fields).toEqual(exposure.fields);
    const later = { ...exposure, moduleID: '901', composeModuleID: '701', handle: 'invoices' };
    expect((await definitions.pin(later, node)).fields[1]).toMatchObject({ name: 'clerk', kind: 'String' });
  });

  it('is not pinned for a server that was never paired', async () => {
    const invited = omit(node, 'tokenSince');
    await system.transaction((tx) => {
      tx.put(NODES, '600', invited);
      tx.put(EXPOSURES, '900', exposure);
    });
    const definitions = await openLiveDefinitions(system);
    expect(await definitions.pinnedColumns(exposure, node)).toBeUndefined();
  });
});
