import { expect, it, onTestFinished } from 'vitest';
import { createOffersRead } from '../../../server/federation/offers/offers.ts';
import type { SharedModule } from '../../../server/federation/model.ts';
import { SHARED_MODULES } from '../../../server/federation/tables.ts';
import type { Partition } from '../../../server/store/store.ts';
import { openOwnStore } from '../../support/harness/parts.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const offer = (nodeID: string, at: number): SharedModule => ({
  moduleID: `${nodeID}${String(at).padStart(6, '0')}`,
  nodeID,
  externalFederationModuleID: String(at),
  handle: `orders_${at}`,
  name: `Orders ${at}`,
  fields: [{ kind: 'String', name: 'Customer', label: 'Customer', isMulti: false }],
  createdAt: '2026-11-25T07:43:39.117Z',
});

async function system(): Promise<{ readonly partition: Partition; readonly finds: () => number }> {
  const { store, close } = await openOwnStore({ clock: manualClock() });
  onTestFinished(close);
  const partition = await store.partition('system');
  let finds = 0;
  const find: Partition['find'] = (...asked) => {
    finds++;
    return partition.find(...asked);
  };
  return { partition: { ...partition, find }, finds: () => finds };
}

const put = (partition: Partition, ...offers: readonly SharedModule[]): Promise<void> =>
  partition.transaction((tx) => {
    for (const each of offers) tx.put(SHARED_MODULES, each.moduleID, each);
  });

it('reads what a partner offers once, however often it is asked for, until any of it may have changed', async () => {
  const { partition, finds } = await system();
  const read = createOffersRead(partition);
  await put(partition, offer('1', 1), offer('1', 2), offer('2', 1));
  for (let again = 0; again < 3; again++) {
    expect((await read('1')).map(({ name }) => name)).toEqual(['Orders 1', 'Orders 2']);
    expect((await read('2')).map(({ name }) => name)).toEqual(['Orders 1']);
  }
  expect(finds()).toBe(2);
  await put(partition, { ...offer('1', 1), name: 'Renamed' });
  expect((await read('1')).map(({ name }) => name)).toEqual(['Renamed', 'Orders 2']);
  await partition.transaction((tx) => tx.delete(SHARED_MODULES, offer('1', 2).moduleID));
  expect((await read('1')).map(({ name }) => name)).toEqual(['Renamed']);
  expect(await read('3')).toEqual([]);
});

it('keeps the offers of few partners, of those that were looked at last', async () => {
  const { partition, finds } = await system();
  const read = createOffersRead(partition);
  for (const nodeID of ['1', '2', '3'])
    await put(partition, ...Array.from({ length: 900 }, (_, at) => offer(nodeID, at)));
  for (const nodeID of ['1', '2', '3', '3', '2']) expect(await read(nodeID)).toHaveLength(900);
  expect(finds()).toBe(3);
  await read('1');
  expect(finds()).toBe(4);
});
