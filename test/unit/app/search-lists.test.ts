import { expect, it } from 'vitest';
import type { FoundInList } from '../../../server/contract/app/search.ts';
import { searchLists } from '../../../server/app/search-lists.ts';
import { makeList, testLists, text, values, type TestLists } from '../../support/harness/lists.ts';

const search = (world: TestLists, words: string, signal?: AbortSignal): Promise<FoundInList[]> =>
  searchLists(world.lists, { text: words, language: 'de' }, signal ?? new AbortController().signal);

it('finds words in all lists, names the first rows that have them and counts the others, and passes over the bin', async () => {
  const world = await testLists();
  const { rows: cities } = await makeList(world, [text('Name')], 'Orte');
  const { rows: people } = await makeList(world, [text('Name'), text('Note')], 'Ärzte');
  await makeList(world, [text('Name')], 'Leer');
  const ulm = await cities.create(values({ Name: 'Ulm' }), '7');
  for (let at = 0; at < 30; at++)
    await people.create(
      values({ Name: `Dr. Größmann ${String(at)}`, Note: at % 2 === 0 ? 'aus Ulm' : 'aus Bonn' }),
      '7',
    );
  const gone = await cities.create(values({ Name: 'Neu-Ulm' }), '7');
  await cities.remove(gone.recordID, '7');

  const found = await search(world, 'ulm');
  expect(found.map(({ name, total }) => [name, total])).toEqual([
    ['Ärzte', 15],
    ['Orte', 1],
  ]);
  expect(found[0]?.rows.map(({ title }) => title)).toEqual([
    'Dr. Größmann 0',
    'Dr. Größmann 2',
    'Dr. Größmann 4',
  ]);
  expect(found[1]?.rows).toEqual([{ recordID: ulm.recordID, title: 'Ulm' }]);
  expect(await search(world, 'nowhere')).toEqual([]);
});

it('ends with whoever asked', async () => {
  const world = await testLists();
  const { rows } = await makeList(world, [text('Name')], 'Orte');
  await rows.create(values({ Name: 'Ulm' }), '7');
  await expect(search(world, 'Ulm', AbortSignal.abort())).rejects.toThrow();
});
