import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { makeList, testLists, text, values, type TestLists } from '../../support/harness/lists.ts';

const CLIENTS = [
  { Name: 'Ødegård', City: 'Århus', Since: '2019' },
  { Name: 'Brandt & Co', City: 'Kiel', Since: 'about 2004' },
  { Name: 'Nowak', City: 'Gdańsk', Since: '2021' },
];

const folderOf = ({ store }: TestLists, part: string): string => join(store.dataDir, 'store', part);
const copyOf = (setup: TestLists, part: string): string => join(setup.store.dataDir, `copy-of-${part}`);

/** Closes the store, keeps a copy of one part of it, and opens it again. */
async function keepCopy(setup: TestLists, part: string): Promise<TestLists> {
  await setup.store.close();
  await cp(folderOf(setup, part), copyOf(setup, part), { recursive: true });
  return setup.reopen();
}

/** Closes the store, puts the copy back, and opens it again. */
async function putCopyBack(setup: TestLists, part: string): Promise<TestLists> {
  await setup.store.close();
  await rm(folderOf(setup, part), { recursive: true });
  await cp(copyOf(setup, part), folderOf(setup, part), { recursive: true });
  return setup.reopen();
}

async function shown({ lists }: TestLists, moduleID: string): Promise<Row['values'][]> {
  const { rows } = await (await lists.rows(moduleID)).list({ limit: 100, sort: 'id' });
  return rows.map((row) => row.values);
}

/** Renames two columns, turns one of them into a number, and adds one, in three steps. */
async function rearrange(setup: TestLists, moduleID: string): Promise<void> {
  const { lists } = setup;
  const [name, city, since] = (await lists.module(moduleID)).fields.map(({ fieldID }) => fieldID);
  const rows = await lists.rows(moduleID);
  const { rows: all } = await rows.list({ limit: 100 });
  for (const row of all.filter(({ values: { Since } }) => Since?.[0]?.startsWith('about')))
    await rows.patch(row.recordID, values({ Since: '2004' }), '7');
  const client = { ...text('Client'), fieldID: name ?? '' };
  const town = { ...text('Town'), fieldID: city ?? '' };
  const year: FieldInput = { kind: 'Number', name: 'Since', fieldID: since ?? '' };
  const asBefore = [
    { ...text('City'), fieldID: city ?? '' },
    { ...text('Since'), fieldID: since ?? '' },
  ];
  await lists.updateModule(moduleID, { fields: [client, ...asBefore] });
  await lists.updateModule(moduleID, { fields: [client, town, year] });
  await lists.updateModule(moduleID, { fields: [client, town, year, text('Note')] });
}

describe('a list of which an older copy was put back', () => {
  it('shows its older rows under the columns of today, and keeps what does not fit them', async () => {
    const first = await testLists();
    const { module, rows } = await makeList(first, [text('Name'), text('City'), text('Since')]);
    for (const client of CLIENTS) await rows.create(values(client), '7');
    const second = await keepCopy(first, `list-${module.moduleID}`);
    await rearrange(second, module.moduleID);

    const third = await putCopyBack(second, `list-${module.moduleID}`);
    expect(third.store.notices().map(({ code }) => code)).toEqual(['damaged-put-aside']);
    const expected = CLIENTS.map(({ Name, City, Since }) => values({ Client: Name, Town: City, Since }));
    expect(await shown(third, module.moduleID)).toEqual(expected);
    const fourth = await third.reopen();
    expect(await shown(fourth, module.moduleID)).toEqual(expected);
  });

  it('shows what its references were called, where the column holds text today', async () => {
    const first = await testLists();
    const towns = await makeList(first, [text('Town')], 'Towns');
    const made = await towns.rows.createMany(
      CLIENTS.map(({ City }) => values({ Town: City })),
      '7',
    );
    const target = { moduleID: towns.module.moduleID };
    const { module, rows } = await makeList(first, [text('Name'), text('City')]);
    const { moduleID, fields } = module;
    for (const { Name, City } of CLIENTS) await rows.create(values({ Name, City }), '7');
    const withCity = (change: Pick<FieldInput, 'kind' | 'options'>): FieldInput[] =>
      fields.map((field) => (field.name === 'City' ? { ...field, ...change } : field));
    await first.lists.updateModule(moduleID, { fields: withCity({ kind: 'Record', options: target }) });
    expect((await shown(first, moduleID)).map(({ City }) => City?.[0])).toEqual(
      made.map(({ recordID }) => recordID),
    );
    const second = await keepCopy(first, `list-${moduleID}`);
    await second.lists.updateModule(moduleID, { fields: withCity({ kind: 'String', options: {} }) });

    const third = await putCopyBack(second, `list-${moduleID}`);
    expect(await shown(third, moduleID)).toEqual(CLIENTS.map(({ Name, City }) => values({ Name, City })));
  });

  it('shows its rows when it is the definition that is older, which takes over their columns', async () => {
    const first = await testLists();
    const { module, rows } = await makeList(first, [text('Name'), text('City'), text('Since')]);
    for (const client of CLIENTS) await rows.create(values(client), '7');
    const second = await keepCopy(first, 'system');
    await rearrange(second, module.moduleID);
    const before = await shown(second, module.moduleID);

    const third = await putCopyBack(second, 'system');
    expect(await shown(third, module.moduleID)).toEqual(before);
    const { fields } = await third.lists.module(module.moduleID);
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['Client', 'String'],
      ['Town', 'String'],
      ['Since', 'Number'],
    ]);
    expect(third.changes).toMatchObject([
      { kind: 'list', change: 'changed', before: { moduleID: module.moduleID } },
    ]);
    const [row] = (await (await third.lists.rows(module.moduleID)).list({ limit: 1 })).rows;
    const changed = await (
      await third.lists.rows(module.moduleID)
    ).patch(row?.recordID ?? '', values({ Town: 'Porto' }), '7');
    expect(changed.values.Town).toEqual(['Porto']);
  });
});
