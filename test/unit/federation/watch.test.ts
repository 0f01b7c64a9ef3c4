import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import type { News } from '../../../server/federation/sharing/watch.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

let a: HttpOffice;
let b: HttpOffice;
let node: Node;
beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  node = await a.federation.nodes.get((await pairOffices(a, b)).idA);
});
afterAll(() => Promise.all([a.close(), b.close()]));

const NAME = [{ kind: 'String' as const, name: 'Name' }];
async function wait(since?: string): Promise<News> {
  const news = await a.federation.watch.wait(node, since, 0, new AbortController().signal);
  if (!news) throw new Error('There is no answer.');
  return news;
}

it('a partner that waits for news is told nothing of what happens in lists that it does not see', async () => {
  const seen = await a.list('Towns', NAME, [{ Name: ['Narvik'] }]);
  const other = await a.list('Wages', NAME, [{ Name: ['Moe'] }]);
  const input = { composeModuleID: seen.moduleID, fields: [{ name: 'Name' }], shape: 1 as const };
  const { moduleID } = await a.federation.exposures.expose(node.nodeID, input, '1');
  await a.settled();
  const first = await wait();
  expect(first).toMatchObject({ structure: true, modules: [moduleID] });
  const quiet = { cursor: first.cursor, structure: false, modules: [] };
  expect(await wait(first.cursor)).toEqual(quiet);
  const rows = await a.lists.rows(other.moduleID);
  for (const Name of ['Berg', 'Dahl', 'Aas']) await rows.create({ Name: [Name] }, '1');
  await a.list('Leave', NAME, []);
  await a.settled();
  expect(await wait(first.cursor)).toEqual(quiet);
  expect(await wait()).toEqual(first);

  await (await a.lists.rows(seen.moduleID)).create({ Name: ['Bodø'] }, '1');
  const news = await wait(first.cursor);
  expect(news).toMatchObject({ structure: false, modules: [moduleID] });
  expect(news.cursor).not.toBe(first.cursor);
  expect(await wait(news.cursor)).toMatchObject({ cursor: news.cursor, modules: [] });
  // One that was never given out is as none.
  const [run = ''] = news.cursor.split('.');
  for (const made of ['1.1', `${run}.1`, `${run}.9007199254740991`, 'x'])
    expect(await wait(made), made).toEqual({ ...news, structure: true });
});

it('a partner that waits for news is told nothing of what our user notes of it, nor that we fetch no more', async () => {
  const { cursor } = await wait();
  const quiet = { cursor, structure: false };
  const { nodes } = a.federation;
  await nodes.update(node.nodeID, { name: 'Bergen by the harbour', contact: 'Ask for Ms Lie' }, '1');
  expect(await wait(cursor)).toMatchObject(quiet);
  await nodes.pause(node.nodeID, { fetch: true, serve: false });
  expect(await wait(cursor)).toMatchObject(quiet);
  await nodes.pause(node.nodeID, { fetch: true, serve: true });
  expect(await wait(cursor)).toMatchObject({ structure: true });
});

it('a partner that waits for news is told nothing of columns that it does not see, nor that a share was saved as it stood', async () => {
  const staff = await a.list(
    'Staff',
    ['Name', 'Wage', 'Room'].map((name) => ({ kind: 'String' as const, name })),
    [{ Name: ['Moe'], Wage: ['312'], Room: ['2.04'] }],
  );
  const input = { composeModuleID: staff.moduleID, fields: [{ name: 'Name' }], shape: 1 as const };
  const exposure = await a.federation.exposures.expose(node.nodeID, input, '1');
  await a.settled();
  const { cursor } = await wait();
  const quiet = { cursor, structure: false, modules: [] };
  const change = async (label: string, of: string): Promise<void> => {
    const { fields } = await a.lists.module(staff.moduleID);
    const now = fields.map((field) => (field.name === of ? { ...field, label } : field));
    await a.lists.updateModule(staff.moduleID, { fields: now });
    await a.settled();
  };
  await change('Wage before taxes', 'Wage');
  expect(await wait(cursor)).toEqual(quiet);
  await a.federation.exposures.change(node.nodeID, exposure.moduleID, input, '1');
  expect(await wait(cursor)).toEqual(quiet);
  expect(await a.federation.exposures.get(node.nodeID, exposure.moduleID)).toEqual(exposure);
  await change('Full name', 'Name');
  expect(await wait(cursor)).toMatchObject({ structure: true, modules: [exposure.moduleID] });
});
