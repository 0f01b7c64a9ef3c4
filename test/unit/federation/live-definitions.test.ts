import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
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

describe('the definition that a live server is told', () => {
  it('stays as it was told first, with what leaves as text told as text', async () => {
    const definitions = await openLiveDefinitions(system);
    const first = await definitions.tell(exposure, node);
    expect(first.fields.map(({ kind }) => kind)).toEqual(['String', 'String']);
    expect(await definitions.tell(changed, node)).toMatchObject({
      fields: first.fields,
      fieldIDs: ['11', '12'],
    });
    // Rows: under the told names, nothing of the column that is shared no more, and nothing of the untold one.
    expect(await definitions.asTold(changed)).toMatchObject({
      fields: [{ name: 'number', label: 'Number' }],
      fieldIDs: ['11'],
    });
  });

  it('is the present one after the server was paired again, as it copies that into a new record', async () => {
    const definitions = await openLiveDefinitions(system);
    await definitions.tell(exposure, node);
    const again = { ...node, tokenSince: '2026-05-04T10:00:00.000Z' };
    expect(await definitions.tell(changed, again)).toMatchObject({
      fields: changed.fields,
      fieldIDs: ['11', '13'],
    });
  });

  it('keeps its kinds where an earlier version told it, also if no row was fetched yet', async () => {
    await system.transaction((tx) => {
      tx.put(NODES, '600', node);
      tx.put(EXPOSURES, '900', exposure);
    });
    await openLiveDefinitions(system);
    const definitions = await openLiveDefinitions(system);
    const told = await definitions.tell(changed, node);
    expect(told.fields).toEqual(exposure.fields);
    const later = { ...exposure, moduleID: '901', composeModuleID: '701', handle: 'invoices' };
    expect((await definitions.tell(later, node)).fields[1]).toMatchObject({ name: 'clerk', kind: 'String' });
  });

  it('is not pinned for a server that was never paired', async () => {
    const { tokenSince: _, ...invited } = node;
    await system.transaction((tx) => {
      tx.put(NODES, '600', invited as Node);
      tx.put(EXPOSURES, '900', exposure);
    });
    const definitions = await openLiveDefinitions(system);
    expect(await definitions.toldColumns(exposure, node)).toBeUndefined();
  });
});
