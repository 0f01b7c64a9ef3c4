import { expect, it } from 'vitest';
import { createTitleCache, ownNaming } from '../../../server/lists/rows/title-cache.ts';
import { makeList, testLists, text, values } from '../../support/harness/lists.ts';

it('titles that changed are of another version after a start too, as orders by them may have been kept', async () => {
  const { clock, ...office } = await testLists();
  const { module, rows } = await makeList({ clock, ...office }, [text('Town')]);
  const town = await rows.create(values({ Town: 'Zagreb' }), '7');
  const naming = ownNaming(module.fields);
  const cache = createTitleCache(clock);
  const before = await cache.get(rows, naming);
  expect((await cache.get(rows, naming)).version).toBe(before.version);

  await rows.patch(town.recordID, values({ Town: 'Agram' }), '7');
  const afterStart = await createTitleCache(clock).get(rows, naming);
  expect([...afterStart.byID.values()]).toEqual(['Agram']);
  expect(afterStart.version).not.toBe(before.version);
});
