import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { omit } from '../../../server/base/omit.ts';
import type { Exposure, Node } from '../../../server/federation/model.ts';
import {
  isKeptOnRestore,
  LIVE_DEFINITIONS,
  openLiveDefinitions,
} from '../../../server/federation/sharing/live-definitions.ts';
import { EXPOSURES, NODES } from '../../../server/federation/tables.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { restoreBackup } from '../../../server/store/recovery/restore-backup.ts';
import type { Partition, Store } from '../../../server/store/store.ts';
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

const clock = manualClock();
let folder: string;
let store: Store;
let system: Partition;
const openPins = (): Promise<Partition> => store.partition(LIVE_DEFINITIONS);
async function reopen(): Promise<void> {
  store = await openStore({ dataDir: join(folder, 'data'), clock });
  system = await store.partition('system');
}
beforeEach(async () => {
  const { path, remove } = await temporaryFolder();
  folder = path;
  await reopen();
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
});

describe('the definition that a live server gets', () => {
  it('stays as it was first, with text as the kind of what leaves as text', async () => {
    const definitions = await openLiveDefinitions(system, openPins);
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

  it('has another name where the server has a list of that name, which it never forgets', async () => {
    const definitions = await openLiveDefinitions(system, openPins);
    expect(await definitions.pin(exposure, node)).toMatchObject({ handle: 'orders', name: 'Orders' });
    const again = { ...changed, moduleID: '901' };
    expect(await definitions.pin(again, node)).toMatchObject({ handle: 'orders', name: 'Orders (2)' });
    expect(await definitions.pin({ ...changed, moduleID: '902' }, node)).toMatchObject({
      name: 'Orders (3)',
    });
    expect(await definitions.pin(again, node)).toMatchObject({ name: 'Orders (2)' });
    expect(await definitions.pinned(again, node)).toMatchObject({ name: 'Orders (2)' });
    // The record of a new connection knows none of them.
    const paired = { ...node, tokenSince: '2026-05-04T10:00:00.000Z' };
    expect(await definitions.pin({ ...changed, moduleID: '903' }, paired)).toMatchObject({ name: 'Orders' });
  });

  it('has text as the kind of people, rows and files', async () => {
    const columns = (['User', 'Record', 'File', 'Number'] as const).map((kind) => ({
      ...text(kind.toLowerCase(), kind),
      kind,
    }));
    const definitions = await openLiveDefinitions(system, openPins);
    const pinned = await definitions.pin(
      { ...exposure, fields: columns, fieldIDs: ['21', '22', '23', '24'] },
      node,
    );
    expect(pinned.fields.map(({ kind }) => kind)).toEqual(['String', 'String', 'String', 'Number']);
  });

  it('is the present one after the server was paired again, as it copies that into a new record', async () => {
    const definitions = await openLiveDefinitions(system, openPins);
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
    await openLiveDefinitions(system, openPins);
    const definitions = await openLiveDefinitions(system, openPins);
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
    const definitions = await openLiveDefinitions(system, openPins);
    expect(await definitions.pinned(exposure, node)).toBeUndefined();
  });

  it('outlasts a restore of a backup from before the server got it, which would stop it otherwise', async () => {
    const file = join(folder, 'before.backup');
    await system.transaction((tx) => {
      tx.put(NODES, '600', node);
    });
    await store.backup(file);
    const first = await (await openLiveDefinitions(system, openPins)).pin(exposure, node);
    await store.close();
    await restoreBackup(file, join(folder, 'data'), { clock, keeps: isKeptOnRestore });
    await reopen();
    const definitions = await openLiveDefinitions(system, openPins);
    expect((await definitions.pin(changed, node)).fields).toEqual(first.fields);
  });

  it('is taken over from where earlier versions kept it, unless a newer one outlasted a restore', async () => {
    const pinned = { since: node.tokenSince, name: 'Orders', handle: 'orders', columns: [] };
    const table = { name: 'live-definition' };
    await (
      await openPins()
    ).transaction((tx) => {
      tx.put(table, '900', { ...pinned, name: 'Orders 2026' });
    });
    await system.transaction((tx) => {
      tx.put(table, '900', pinned);
      tx.put(table, '901', pinned);
    });
    const definitions = await openLiveDefinitions(system, openPins);
    expect((await definitions.pin(exposure, node)).name).toBe('Orders 2026');
    expect((await definitions.pin({ ...exposure, moduleID: '901' }, node)).name).toBe('Orders');
    expect(await system.get(table, '901')).toBeUndefined();
  });
});
