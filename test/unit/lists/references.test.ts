import { describe, expect, it } from 'vitest';
import type { Module, Row } from '../../../server/lists/definitions/model.ts';
import { resolveReferences } from '../../../server/lists/rows/references.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { incoming, makeList, testLists, text, values, type TestLists } from '../../support/test-lists.ts';

interface Desk extends TestLists {
  readonly towns: { readonly module: Module; readonly rows: Rows };
  readonly people: { readonly module: Module; readonly rows: Rows };
  /** Their ids. */
  readonly town: Readonly<Record<'Zagreb' | 'Lyon' | 'Aachen', string>>;
}

/** People who live in towns; the towns stand in a list of their own, in an order that is not that of their names. */
async function desk(): Promise<Desk> {
  const office = await testLists();
  const towns = await makeList(office, [{ kind: 'Number', name: 'Code' }, text('Town'), text('Country')]);
  const made = await towns.rows.createMany(
    ['Zagreb', 'Lyon', 'Aachen'].map((Town, n) => values({ Code: String(n), Town, Country: 'X' })),
    '7',
  );
  const [Zagreb = '', Lyon = '', Aachen = ''] = made.map(({ recordID }) => recordID);
  const people = await makeList(office, [
    text('Name'),
    { kind: 'Record', name: 'Town', options: { moduleID: towns.module.moduleID } },
    {
      kind: 'Select',
      name: 'State',
      options: { options: ['n', 'w'], optionTexts: { n: 'Neu', w: 'Won' } },
    },
  ]);
  await people.rows.createMany(
    [
      values({ Name: 'Zoe', Town: Zagreb, State: 'w' }),
      values({ Name: 'Lea', Town: Lyon, State: 'n' }),
      values({ Name: 'Ada', Town: Aachen }),
      values({ Name: 'Tim', Town: 'Bergen' }),
      values({ Name: 'Non' }),
    ],
    '7',
  );
  return { ...office, towns, people, town: { Zagreb, Lyon, Aachen } };
}

const names = (rows: readonly Row[]): string[] => rows.map((row) => row.values.Name?.[0] ?? '');

describe('a column that begins to refer to a list', () => {
  it('points to the rows that its values name alone; the others and what partners sent stay as they are', async () => {
    const office = await testLists();
    const towns = await makeList(office, [text('Town')]);
    const made = await towns.rows.createMany(
      ['Zagreb', 'Lyon', 'Ulm', 'Ulm'].map((Town) => values({ Town })),
      '7',
    );
    const [Zagreb = '', Lyon = ''] = made.map(({ recordID }) => recordID);
    const people = await makeList(office, [text('Name'), text('Town')]);
    await people.rows.createMany(
      ['Zagreb', 'LYON', 'Ulm', 'Bergen'].map((Town) => values({ Name: `In ${Town}`, Town })),
      '7',
    );
    const page = { nodeID: '900', rows: [incoming('1', 1, { Name: 'Sent', Town: 'Zagreb' })] };
    await people.rows.receive({ ...page, mappedColumns: ['Name', 'Town'] });
    const towned = async (moduleID: string): Promise<string[]> => {
      const { fields } = await office.lists.module(people.module.moduleID);
      const column = fields.map((field) =>
        field.name === 'Town' ? { ...field, kind: 'Record' as const, options: { moduleID } } : field,
      );
      await office.lists.updateModule(people.module.moduleID, { fields: column });
      const { rows } = await people.rows.list({ limit: 10 });
      return rows.map((row) => row.values.Town?.[0] ?? '');
    };
    expect(await towned(towns.module.moduleID)).toEqual([Zagreb, Lyon, 'Ulm', 'Bergen', 'Zagreb']);

    const { recordID: Bergen } = await (
      await makeList(office, [text('Port')])
    ).rows.create(values({ Port: 'Bergen' }), '7');
    const ports = (await office.lists.modules()).at(-1)?.moduleID ?? '';
    expect(await towned(ports)).toEqual([Zagreb, Lyon, 'Ulm', Bergen, 'Zagreb']);
  });
});

describe('rows that refer to rows of another list', () => {
  const shown = async ({ lists, people }: Desk, options: object): Promise<string[]> =>
    names((await lists.listAsShown(people.module.moduleID, { limit: 10, offset: 0, ...options })).rows);

  it('are given what the other rows are called: the first text, also from the bin, and gone where they are gone', async () => {
    const office = await desk();
    const { lists, people, towns, town } = office;
    await towns.rows.remove(town.Lyon, '7');
    const gone = '123456789012345678';
    await people.rows.create(values({ Name: 'Old', Town: gone }), '7');
    const { rows } = await people.rows.list({ limit: 10 });
    expect(Object.fromEntries(await lists.references(people.module.moduleID, rows))).toEqual({
      [town.Zagreb]: { state: 'there', text: 'Zagreb' },
      [town.Lyon]: { state: 'bin', text: 'Lyon' },
      [town.Aachen]: { state: 'there', text: 'Aachen' },
      [gone]: { state: 'gone', text: '' },
    });
    await lists.removeModule(towns.module.moduleID);
    const states = [...(await lists.references(people.module.moduleID, rows)).values()];
    expect(states.map(({ state }) => state)).toEqual(['gone', 'gone', 'gone', 'gone']);
  });

  it('have the other list asked once for a page, and for no row that the page does not name', async () => {
    const { people, towns, town } = await desk();
    const { rows } = await people.rows.list({ limit: 2 });
    const asked: (readonly string[])[] = [];
    const spied: Rows = {
      ...towns.rows,
      getMany(ids) {
        asked.push(ids);
        return towns.rows.getMany(ids);
      },
    };
    await resolveReferences(people.module.fields, rows, () =>
      Promise.resolve({ module: towns.module, rows: spied }),
    );
    expect(asked).toEqual([[town.Zagreb, town.Lyon]]);
  });

  it('keep a short number that came as text, as it is no id of ours', async () => {
    const { lists, people } = await desk();
    const row = await people.rows.create(values({ Name: 'Order', Town: '10248' }), '7');
    expect((await lists.references(people.module.moduleID, [row])).size).toBe(0);
  });

  it('are sorted, filtered and searched by what is shown, not by ids', async () => {
    const office = await desk();
    expect(await shown(office, { sort: 'Town' })).toEqual(['Ada', 'Tim', 'Lea', 'Zoe', 'Non']);
    expect(await shown(office, { query: "Town LIKE '%yo%'" })).toEqual(['Lea']);
    expect(await shown(office, { query: "Town = 'Zagreb'" })).toEqual(['Zoe']);
    expect(await shown(office, { search: 'aachen' })).toEqual(['Ada']);
    expect(await shown(office, { search: office.town.Aachen })).toEqual([]);
    expect(await shown(office, { query: 'Town IS NULL' })).toEqual(['Non']);
  });

  it('are found by the new name at once when the other row is renamed', async () => {
    const office = await desk();
    expect(await shown(office, { search: 'Lyon' })).toEqual(['Lea']);
    await office.towns.rows.patch(office.town.Lyon, { Town: ['Nantes'] }, '7');
    expect(await shown(office, { search: 'Lyon' })).toEqual([]);
    expect(await shown(office, { search: 'Nantes' })).toEqual(['Lea']);
    expect(await shown(office, { sort: 'Town' })).toEqual(['Ada', 'Tim', 'Lea', 'Zoe', 'Non']);
    await office.people.rows.create(values({ Name: 'Eve', Town: office.town.Zagreb }), '7');
    expect(await shown(office, { search: 'Zagreb' })).toEqual(['Zoe', 'Eve']);
  });

  it('are compared by the texts of their choices where those are shown', async () => {
    const office = await desk();
    expect(await shown(office, { query: "State = 'Won'" })).toEqual(['Zoe']);
    expect(await shown(office, { search: 'neu' })).toEqual(['Lea']);
    expect(await shown(office, { sort: 'State DESC' })).toEqual(['Zoe', 'Lea', 'Ada', 'Tim', 'Non']);
  });

  it('are searched by any text as it is, also one that looks like a comparison', async () => {
    const office = await desk();
    await office.people.rows.create(values({ Name: "Name = 'x" }), '7');
    expect(await shown(office, { search: "Name = 'x" })).toEqual(["Name = 'x"]);
    expect(await shown(office, { search: 'e', query: "Name != 'Lea' AND Town != 'Aachen'" })).toEqual([
      'Zoe',
      'Tim',
      "Name = 'x",
    ]);
  });
});
