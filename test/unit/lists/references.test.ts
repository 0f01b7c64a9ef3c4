import { describe, expect, it } from 'vitest';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { Module, Row } from '../../../server/lists/definitions/model.ts';
import { resolveReferences } from '../../../server/lists/rows/references.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { incoming, makeList, testLists, text, values, type TestLists } from '../../support/harness/lists.ts';

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

/** Changes these columns of a list, and leaves the others. */
async function retyped(
  { lists }: Pick<TestLists, 'lists'>,
  moduleID: string,
  change: Readonly<Record<string, Pick<FieldInput, 'kind' | 'options'>>>,
): Promise<void> {
  const { fields } = await lists.module(moduleID);
  await lists.updateModule(moduleID, {
    fields: fields.map((field) => ({ ...field, ...change[field.name] })),
  });
}

async function column(rows: Rows, name: string): Promise<string[]> {
  return (await rows.list({ limit: 100 })).rows.map((row) => row.values[name]?.join(', ') ?? '');
}

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
    expect(await towned(ports)).toEqual(['Zagreb', 'Lyon', 'Ulm', Bergen, 'Zagreb']);
    expect(await towned(towns.module.moduleID)).toEqual([Zagreb, Lyon, 'Ulm', 'Bergen', 'Zagreb']);
  });

  it('keeps the texts that are the names of the list’s own rows by that very column', async () => {
    const office = await testLists();
    const { rows, module } = await makeList(office, [text('Town'), text('Country'), text('Twin')]);
    await rows.createMany(
      [
        values({ Town: 'Ulm', Country: 'D', Twin: 'Ulm' }),
        values({ Town: 'Graz', Country: 'A', Twin: 'Ulm' }),
        values({ Town: 'Wien', Country: 'A', Twin: 'Graz' }),
      ],
      '7',
    );
    const own = { moduleID: module.moduleID };
    await retyped(office, own.moduleID, { Town: { kind: 'Record', options: own } });
    expect(await column(rows, 'Town')).toEqual(['Ulm', 'Graz', 'Wien']);
    await retyped(office, own.moduleID, { Town: { kind: 'String', options: {} } });
    await retyped(office, own.moduleID, { Twin: { kind: 'Record', options: own } });
    const ids = (await rows.list({ limit: 10 })).rows.map(({ recordID }) => recordID);
    expect(await column(rows, 'Twin')).toEqual([ids[0], ids[0], ids[1]]);
    await retyped(office, own.moduleID, { Twin: { kind: 'String', options: {} } });
    expect(await column(rows, 'Twin')).toEqual(['Ulm', 'Ulm', 'Graz']);
    expect(await column(rows, 'Town')).toEqual(['Ulm', 'Graz', 'Wien']);
  });
});

describe('a column that ceases to refer to a list', () => {
  const TOWNS = ['Zagreb', 'Lyon', 'Aachen', 'Tromsø', 'Łódź'];

  /** Suppliers in towns by name, two of them in each; their column refers to the towns by now. */
  async function suppliers(): Promise<
    TestLists & { readonly towns: Desk['towns']; readonly all: Desk['towns'] }
  > {
    const office = await testLists();
    const towns = await makeList(office, [text('Town'), text('Code')], 'Towns');
    await towns.rows.createMany(
      TOWNS.map((Town, n) => values({ Town, Code: String(4000 + n) })),
      '7',
    );
    const all = await makeList(office, [text('Name'), text('Town')], 'Suppliers');
    await all.rows.createMany(
      [...TOWNS, ...TOWNS.map((town) => town.toUpperCase()), 'Bergen'].map((Town, n) =>
        values({ Name: `Supplier ${n}`, Town }),
      ),
      '7',
    );
    const target = { moduleID: towns.module.moduleID };
    await retyped(office, all.module.moduleID, { Town: { kind: 'Record', options: target } });
    expect((await column(all.rows, 'Town')).filter((each) => /^\d+$/.test(each))).toHaveLength(10);
    return { ...office, towns, all };
  }
  const asText = { Town: { kind: 'String', options: {} } } as const;

  it('holds what people saw there: what the rows are called by now, in the bin too', async () => {
    const office = await suppliers();
    const [zagreb = '', lyon = ''] = (await office.towns.rows.list({ limit: 10 })).rows.map(
      ({ recordID }) => recordID,
    );
    await office.towns.rows.patch(zagreb, values({ Town: 'Agram' }), '7');
    await office.towns.rows.remove(lyon, '7');
    await retyped(office, office.all.module.moduleID, asText);
    const names = ['Agram', ...TOWNS.slice(1)];
    expect(await column(office.all.rows, 'Town')).toEqual([...names, ...names, 'Bergen']);
  });

  it.each(['gone for good', 'without a name', 'gone with their list'])(
    'holds what stood there before where the rows are %s, after a restart too',
    async (how) => {
      const office = await suppliers();
      const { rows } = await office.towns.rows.list({ limit: 10 });
      for (const { recordID } of how === 'gone with their list' ? [] : rows) {
        if (how === 'gone for good') await office.towns.rows.remove(recordID, '7');
        else await office.towns.rows.replace(recordID, {}, '7');
      }
      if (how === 'gone for good') await office.towns.rows.emptyBin(office.clock.now() + 1);
      if (how === 'gone with their list') await office.lists.removeModule(office.towns.module.moduleID);
      const again = await office.reopen();
      await retyped(again, office.all.module.moduleID, asText);
      const found = await column(await again.lists.rows(office.all.module.moduleID), 'Town');
      expect(found.map((town) => town.toLowerCase())).toEqual(
        [...TOWNS, ...TOWNS, 'Bergen'].map((town) => town.toLowerCase()),
      );
    },
  );

  it('refers to the very rows again that it referred to, though others are called so, too', async () => {
    const office = await testLists();
    const towns = await makeList(office, [text('Town')], 'Towns');
    const made = await towns.rows.createMany(
      ['Ulm', 'Ulm', 'Porto', 'Cork', 'Ulm'].map((Town) => values({ Town })),
      '7',
    );
    const [first = '', second = '', porto = '', cork = '', third = ''] = made.map(({ recordID }) => recordID);
    const target = { kind: 'Record' as const, options: { moduleID: towns.module.moduleID } };
    const visits = [[second, first, cork], [porto], [third, second], ['Bergen', first]];
    const routes = await makeList(office, [{ ...target, name: 'Towns', isMulti: true }], 'Routes');
    const [, , changed] = await routes.rows.createMany(
      visits.map((Towns) => ({ Towns })),
      '7',
    );
    await towns.rows.remove(cork, '7');
    await retyped(office, routes.module.moduleID, { Towns: { kind: 'String', options: {} } });
    expect(await column(routes.rows, 'Towns')).toEqual([
      'Ulm, Ulm, Cork',
      'Porto',
      'Ulm, Ulm',
      'Bergen, Ulm',
    ]);
    await routes.rows.patch(changed?.recordID ?? '', { Towns: ['Porto', 'Ulm'] }, '7');
    const again = await office.reopen();
    await retyped(again, routes.module.moduleID, { Towns: target });
    const found = await again.lists.rows(routes.module.moduleID);
    expect((await found.list({ limit: 10 })).rows.map(({ values: { Towns } }) => Towns)).toEqual([
      ...visits.slice(0, 2),
      [porto, second],
      ...visits.slice(3),
    ]);
  });

  it('takes names and no ids where it becomes a column of another kind', async () => {
    const office = await suppliers();
    const { moduleID } = office.all.module;
    const asNumber = { Town: { kind: 'Number', options: {} } } as const;
    await expect(retyped(office, moduleID, asNumber)).rejects.toThrow('“Zagreb” in Town');
    const { rows } = await office.towns.rows.list({ limit: 10 });
    for (const [n, { recordID }] of rows.entries())
      await office.towns.rows.patch(recordID, values({ Town: String(70 + n) }), '7');
    const bergen = (await office.all.rows.list({ limit: 20 })).rows.at(-1)?.recordID ?? '';
    await office.all.rows.remove(bergen, '7');
    await office.all.rows.emptyBin(office.clock.now() + 100);
    await retyped(office, moduleID, asNumber);
    expect(await column(office.all.rows, 'Town')).toEqual([
      '70',
      '71',
      '72',
      '73',
      '74',
      '70',
      '71',
      '72',
      '73',
      '74',
    ]);
  });

  it('holds names in rows of a partner as well, in what came and in what was changed here', async () => {
    const office = await suppliers();
    const { all, towns } = office;
    const [zagreb = '', lyon = ''] = (await towns.rows.list({ limit: 10 })).rows.map(
      ({ recordID }) => recordID,
    );
    const page = { nodeID: '900', rows: [incoming('1', 1, { Name: 'Sent', Town: zagreb })] };
    await all.rows.receive({ ...page, mappedColumns: ['Name', 'Town'] });
    const sent = (await all.rows.list({ limit: 20 })).rows.at(-1);
    await all.rows.patch(sent?.recordID ?? '', values({ Town: lyon }), '7');
    await retyped(office, all.module.moduleID, asText);
    const { values: shown, received } = await all.rows.get(sent?.recordID ?? '');
    expect([shown.Town, received?.values.Town, received?.edited]).toEqual([['Lyon'], ['Zagreb'], ['Town']]);
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
      entries(ids) {
        asked.push(ids);
        return towns.rows.entries(ids);
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
