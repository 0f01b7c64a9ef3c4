import { utimes, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createReaders, withTable } from '../../../../server/lists/reading/read-in-worker.ts';
import { english } from '../../../../server/words/said.ts';
import { listOf, USER, watching } from './watching.ts';

it('a followed file that exhausts its reader is not read again until it changes, also after a restart', async () => {
  // Enough for a small file in every version of Node, and for a large one in none.
  const tiny = createReaders({ heaps: { small: 96, first: 12, large: 12 } });
  let reads = 0;
  const read: typeof withTable = (bytes, options, work) => {
    reads++;
    return withTable(bytes, options, work, tiny);
  };
  const world = await watching(undefined, undefined, undefined, undefined, read);
  const module = await listOf(world, 'No,Name\n1,Ada Lovelace\n');
  const path = world.at('customers.csv');
  await writeFile(path, 'No,Name\n1,Ada Lovelace\n2,Grace Hopper\n');
  await world.files.watch(module.moduleID, { path, key: ['No'] }, USER);
  await world.until(async () => (await world.rows(module)).length === 2);

  const many = Array.from({ length: 60_000 }, (_, at) => `${at},"Customer ${at} of the northern district"`);
  await writeFile(path, `No,Name\n${many.join('\n')}\n`);
  const problem = async (): Promise<string> => {
    const words = (await world.files.get(module.moduleID))?.problem?.words;
    return words === undefined ? '' : english(words);
  };
  await world.until(async () => (await problem()).includes('ran out of memory'));
  const tried = reads;
  await world.looked();
  expect(reads).toBe(tried);
  await world.files.stop();

  const again = await watching(world, world.at('.'), undefined, undefined, read);
  await again.looked();
  expect(reads).toBe(tried);
  expect(english((await again.files.get(module.moduleID))?.problem?.words ?? '')).toContain(
    'ran out of memory',
  );

  await writeFile(path, 'No,Name\n1,Ada Lovelace\n2,Grace Hopper\n3,Mary Shelley\n');
  await utimes(path, new Date(), new Date(Date.now() + 5000));
  await again.until(async () => (await again.rows(module)).length === 3);
  await again.until(async () => (await again.files.get(module.moduleID))?.problem === undefined);
});
