import { expect, it, onTestFinished, vi } from 'vitest';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, matched, type Way } from '../support/partners/matched.ts';
import { values } from '../support/harness/lists.ts';
import { listKey } from '../../server/sync/status/list-states.ts';

const feed: Way = { dialect: 'shape1', footbridge: true };

it('rows that were in the list before are told of also where the power went before the first reading was noted', async () => {
  const origin = madeUpOrigin();
  fill(origin, 0, 30);
  const { office, nodeID, moduleID, sharedModuleID } = await matched(origin, feed);
  const ours = [3, 8, 21].map((number) => values({ Name: `Name ${number}`, City: `City ${number % 7}` }));
  await (await office.lists.rows(moduleID)).createMany(ours, '1');
  await office.sync.syncNow(nodeID);
  // Its rows and its checkpoint are on disk by then; how the list stood is noted after that.
  const system = await office.store.partition('system');
  await system.transaction((tx) => tx.delete({ name: 'sync-list' }, listKey(sharedModuleID, moduleID)));
  const again = await office.restart();
  onTestFinished(() => again.close());
  expect(await again.sync.syncNow(nodeID)).toMatchObject({ created: 0 });
  expect((await again.sync.status(nodeID)).lists).toMatchObject([{ doubles: 3 }]);
});

it('a pull went well also where our own report of it could not be made', async () => {
  const origin = madeUpOrigin();
  fill(origin, 0, 5);
  const { office, nodeID } = await matched(origin, feed);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const unreadable = vi.spyOn(office.store, 'partitions').mockRejectedValue(new Error('EIO'));
  expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 5 });
  unreadable.mockRestore();
  expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
});
