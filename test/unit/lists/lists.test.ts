import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import { FIELD_KINDS } from '../../../server/base/vocabulary.ts';
import { incoming, makeList, testLists, text, values } from '../../support/harness/lists.ts';

describe('workspaces', () => {
  it('the default one is made once, also when many ask at the same time', async () => {
    const { lists } = await testLists();
    const made = await Promise.all([
      lists.defaultNamespace(),
      lists.defaultNamespace(),
      lists.defaultNamespace(),
    ]);
    expect(new Set(made.map(({ namespaceID }) => namespaceID)).size).toBe(1);
    expect(await lists.namespaces()).toHaveLength(1);
  });

  it('slugs are unique, case aside; one with lists in it cannot be removed', async () => {
    const setup = await testLists();
    const { lists } = setup;
    const { namespaceID } = await lists.createNamespace({ name: 'Büro Nord', slug: 'nord' });
    await expect(lists.createNamespace({ name: 'x', slug: 'NORD' })).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect((await lists.createNamespace({ name: 'Büro Süd' })).slug).toBe('buro_sud');
    const module = await lists.createModule(namespaceID, { name: 'A list', fields: [text('Name')] });
    await expect(lists.removeNamespace(namespaceID)).rejects.toMatchObject({ kind: 'conflict' });
    await lists.removeModule(module.moduleID);
    await lists.removeNamespace(namespaceID);
    await expect(lists.namespace(namespaceID)).rejects.toMatchObject({ kind: 'not-found' });
    const other = await lists.createNamespace({ name: 'Büro West' });
    const [list, removal] = await Promise.allSettled([
      lists.createModule(other.namespaceID, { name: 'Just made', fields: [text('Name')] }),
      lists.removeNamespace(other.namespaceID),
    ]);
    expect([list.status, removal.status].sort()).toEqual(['fulfilled', 'rejected']);
    await expect(
      lists.createModule(namespaceID, { name: 'Nowhere', fields: [text('Name')] }),
    ).rejects.toMatchObject({ kind: 'not-found' });
    expect(
      (await lists.updateNamespace((await lists.defaultNamespace()).namespaceID, { name: 'Neu' })).name,
    ).toBe('Neu');
  });
});

describe('lists', () => {
  it('and workspaces take no time of whole seconds for a version, while the clock is behind', async () => {
    const { clock, ...setup } = await testLists();
    const { module } = await makeList({ clock, ...setup });
    const { lists } = setup;
    const { moduleID, namespaceID } = module;
    const changes = [
      (name: string, expectedUpdatedAt?: string) =>
        lists.updateModule(moduleID, { name, ...(expectedUpdatedAt && { expectedUpdatedAt }) }),
      (name: string, expectedUpdatedAt?: string) =>
        lists.updateNamespace(namespaceID, { name, ...(expectedUpdatedAt && { expectedUpdatedAt }) }),
    ];
    for (const change of changes) {
      clock.advance(3_600_000);
      await change('An hour ahead');
      clock.advance(-3_600_000);
      const { updatedAt = '' } = await change('Behind');
      await expect(change('Stale', `${updatedAt.slice(0, 19)}Z`)).rejects.toMatchObject({
        code: 'data.stale',
      });
      expect((await change('Seen', updatedAt)).name).toBe('Seen');
    }
  });

  it('and workspaces give no time again after a folder was put back while the clock is behind', async () => {
    const { clock, ...setup } = await testLists();
    const { moduleID, namespaceID } = (await makeList({ clock, ...setup })).module;
    for (const change of [
      (name: string) => setup.lists.updateModule(moduleID, { name }),
      (name: string) => setup.lists.updateNamespace(namespaceID, { name }),
    ]) {
      clock.advance(3_600_000);
      const times = [Date.parse((await change('An hour ahead')).updatedAt ?? '')];
      clock.advance(-3_600_000);
      for (const name of ['one', 'two', 'three'])
        times.push(Date.parse((await change(name)).updatedAt ?? ''));
      // Random: a folder that is put back steps by other parts of a minute.
      const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      expect(new Set(steps).size).toBeGreaterThan(1);
      expect(Math.min(...steps)).toBeGreaterThan(0);
    }
  });

  it('S7: are 2000 at most, and the next one is refused as such', async () => {
    const setup = await testLists();
    const { module } = await makeList(setup, [text('Name')]);
    const system = await setup.store.partition('system');
    await system.transaction((tx) => {
      for (let at = 1; at < 1999; at++) tx.put({ name: 'module' }, `copy-${at}`, module);
    });
    const create = (): Promise<unknown> =>
      setup.lists.createModule(module.namespaceID, { name: 'One more', fields: [text('Name')] });
    await create();
    await expect(create()).rejects.toMatchObject({ kind: 'conflict', code: 'list.many' });
  });

  it('take columns of all eleven kinds and are there after a restart', async () => {
    const setup = await testLists();
    const fields = FIELD_KINDS.map((kind): FieldInput => ({
      kind,
      name: `the${kind}`,
      isMulti: kind === 'User',
    }));
    const { module } = await makeList(setup, fields, 'Über alles');
    expect(module.handle).toBe('uber_alles');
    expect(module.fields.map(({ kind }) => kind)).toEqual([...FIELD_KINDS]);
    const again = await setup.reopen();
    expect(await again.lists.module(module.moduleID)).toEqual(module);
    expect(await again.lists.findModuleByHandle('UBER_alles')).toEqual(module);
  });

  it('make names from labels that fit the rules and each other', async () => {
    const setup = await testLists();
    const labels = [
      'Order ID',
      'Order ID',
      'a',
      '1st',
      'Größe (cm)',
      '???',
      'constructor',
      '__proto__',
      '漢字',
    ];
    const { module } = await makeList(
      setup,
      labels.map((label) => ({ kind: 'String', label })),
    );
    expect(module.fields.map(({ name }) => name)).toEqual([
      ...['Order_ID', 'Order_ID_2', 'col_a', 'col_1st', 'Grosse_cm', 'col_1'],
      ...['constructor_2', 'proto', 'col_1_2'],
    ]);
    expect(module.fields.map(({ label }) => label)).toEqual(labels);
  });

  it.each([
    ['no columns', []],
    ['a name of one letter', [text('x')]],
    ['a name with a blank', [text('First name')]],
    ['a name that every object has', [text('toString')]],
    ['501 columns', Array.from({ length: 501 }, (_, at) => text(`c${at + 10}`))],
    ['a label without end', [text('Name', { label: 'x'.repeat(256) })]],
  ])('refuse %s', async (_what, fields) => {
    await expect(makeList(await testLists(), fields)).rejects.toMatchObject({ kind: 'impossible' });
  });

  it('refuse two columns of one name, and a handle that is in use', async () => {
    const setup = await testLists();
    await expect(makeList(setup, [text('Name'), text('name')])).rejects.toMatchObject({ kind: 'conflict' });
    const { module } = await makeList(setup);
    const { namespaceID } = module;
    const same = setup.lists.createModule(namespaceID, {
      name: 'x',
      handle: 'CUSTOMERS',
      fields: [text('Name')],
    });
    await expect(same).rejects.toMatchObject({ kind: 'conflict' });
    const other = await makeList(setup);
    expect(other.module.handle).toBe('customers_2');
    await expect(
      setup.lists.updateModule(other.module.moduleID, { handle: 'customers' }),
    ).rejects.toMatchObject({
      kind: 'conflict',
    });
  });

  it('are removed with their rows, for good once they are in the bin', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup);
    await rows.createMany([values({ Name: 'a' }), values({ Name: 'b' })], '7');
    expect(await setup.lists.removeModule(module.moduleID)).toEqual({ rows: 2 });
    await expect(setup.lists.rows(module.moduleID)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await setup.lists.purgeModule(module.moduleID)).toEqual({ rows: 2 });
    await expect(setup.lists.rows(module.moduleID)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await setup.store.partitions()).not.toContain(`list-${module.moduleID}`);
  });

  it('tell what changed, after it is durable', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup);
    await rows.create(values({ Name: 'a' }), '7');
    await setup.lists.updateModule(module.moduleID, { name: 'Clients' });
    await setup.lists.removeModule(module.moduleID);
    expect(setup.changes.map((change) => (change.kind === 'list' ? change.change : change.kind))).toEqual([
      'created',
      'rows',
      'changed',
      'removed',
    ]);
  });
});

describe('columns of a list with rows', () => {
  it('keep their values when renamed, also when two swap names, also of received rows', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Name'), text('City')]);
    await rows.receive({
      nodeID: '900',
      rows: [incoming('1', 1, { Name: 'n', City: 'c' })],
      mappedColumns: ['Name', 'City'],
    });
    const [row] = await rows.findReceived('900', ['1']);
    await rows.patch(row?.recordID ?? '', values({ City: 'edited' }), '7');
    const [name, city] = module.fields;
    await setup.lists.updateModule(module.moduleID, {
      fields: [
        { ...text('City'), fieldID: name?.fieldID ?? '' },
        { ...text('Name'), fieldID: city?.fieldID ?? '' },
      ],
    });
    const moved = await rows.get(row?.recordID ?? '');
    expect(moved.values).toEqual(values({ City: 'n', Name: 'edited' }));
    expect(moved.received).toMatchObject({ values: { City: ['n'], Name: ['c'] }, edited: ['Name'] });
    expect((await rows.patch(moved.recordID, values({ Name: 'c' }), '7')).received?.edited).toEqual([]);
  });

  it('lose their values when removed, so that a new column of the name starts empty', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Name'), text('City')]);
    const { recordID } = await rows.create(values({ Name: 'a', City: 'b' }), '7');
    await setup.lists.updateModule(module.moduleID, { fields: [text('Name')] });
    await expect(rows.patch(recordID, values({ City: 'x' }), '7')).rejects.toMatchObject({
      kind: 'impossible',
    });
    await setup.lists.updateModule(module.moduleID, { fields: [text('Name'), text('City')] });
    expect((await rows.get(recordID)).values).toEqual(values({ Name: 'a' }));
  });

  it('are retyped with their values, or not at all when one does not fit', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Name'), text('Amount')]);
    const good = await rows.create(values({ Name: 'a', Amount: '007' }), '7');
    const bad = await rows.create(values({ Name: 'b', Amount: 'many' }), '7');
    const retype = (): Promise<unknown> =>
      setup.lists.updateModule(module.moduleID, {
        fields: [text('Name'), { kind: 'Number', name: 'Amount' }],
      });
    await expect(retype()).rejects.toThrow(/many.*is no number/);
    expect((await rows.get(good.recordID)).values.Amount).toEqual(['007']);
    expect((await setup.lists.module(module.moduleID)).fields[1]?.kind).toBe('String');
    await rows.patch(bad.recordID, values({ Amount: '12' }), '7');
    await retype();
    expect((await rows.get(good.recordID)).values.Amount).toEqual(['7']);
    await expect(rows.patch(good.recordID, values({ Amount: 'x' }), '7')).rejects.toThrow(/Amount/);
  });

  it('are refused another kind for values of deleted rows, and the refusal says that they are in the bin', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Name'), text('Amount')]);
    const saved = await rows.createMany(
      ['many', '3', 'few', 'x'].map((Amount) => values({ Amount })),
      '7',
    );
    const [many = '', , few = '', x = ''] = saved.map(({ recordID }) => recordID);
    const retype = (): Promise<unknown> =>
      setup.lists.updateModule(module.moduleID, {
        fields: [text('Name'), { kind: 'Number', name: 'Amount' }],
      });
    await expect(retype()).rejects.toThrow('2 more do not fit either. Change these values first.');
    await rows.remove(few, '7');
    await expect(retype()).rejects.toThrow('1 of them is in the bin: restore its row');
    await rows.remove(many, '7');
    await expect(retype()).rejects.toThrow('2 of them are in the bin: restore their rows');
    for (const recordID of [many, few]) await rows.restore(recordID, '7');
    for (const recordID of [many, few]) await rows.patch(recordID, values({ Amount: '1' }), '7');
    await expect(retype()).rejects.toThrow(/no number.*\. Change this value first\.$/);
    await rows.remove(x, '7');
    await expect(retype()).rejects.toThrow('Its row is in the bin: restore it, then change this value.');
  });

  it('keep the day that clocks here show where a moment becomes a day', async () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    onTestFinished(() => void vi.unstubAllEnvs());
    const setup = await testLists();
    const due = { kind: 'DateTime', name: 'Due' } as const;
    const { module, rows } = await makeList(setup, [due]);
    const { recordID } = await rows.create(values({ Due: '2026-01-31T23:30:00Z' }), '7');
    const { fieldID = '' } = module.fields[0] ?? {};
    await setup.lists.updateModule(module.moduleID, {
      fields: [{ ...due, fieldID, options: { only: 'date' } }],
    });
    expect((await rows.get(recordID)).values).toEqual(values({ Due: '2026-02-01' }));
  });

  it('change as a whole with writes that run beside: no row is left with old names', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Name')]);
    const fieldID = module.fields[0]?.fieldID ?? '';
    const creations = Array.from({ length: 20 }, (_, at) => rows.create(values({ Name: `${at}` }), '7'));
    const rename = setup.lists.updateModule(module.moduleID, { fields: [{ ...text('Title'), fieldID }] });
    await Promise.all(creations);
    await rename;
    const { rows: all } = await rows.list({ limit: 100 });
    expect(all.map((row) => Object.keys(row.values))).toEqual(all.map(() => ['Title']));
    expect(all).toHaveLength(20);
  });

  it('are finished or left alone after a crash between rows and definition', async () => {
    const setup = await testLists();
    const { module, rows } = await makeList(setup, [text('Name')]);
    const { recordID } = await rows.create(values({ Name: 'a' }), '7');
    const next = { ...module, fields: module.fields.map((field) => ({ ...field, name: 'Title' })) };
    const system = await setup.store.partition('system');
    const intents = { name: 'module-intent' };
    const intent = { kind: 'restructure', module: next, token: '1' };
    await system.transaction((tx) => tx.put(intents, module.moduleID, intent));

    const before = await setup.reopen();
    expect((await before.lists.module(module.moduleID)).fields[0]?.name).toBe('Name');

    const list = await before.store.partition(`list-${module.moduleID}`);
    await list.transaction((tx) => tx.put({ name: 'layout' }, 'token', '1'));
    await (
      await before.store.partition('system')
    ).transaction((tx) => tx.put(intents, module.moduleID, intent));
    const after = await before.reopen();
    expect((await after.lists.module(module.moduleID)).fields[0]?.name).toBe('Title');
    expect(await (await after.lists.rows(module.moduleID)).get(recordID)).toBeDefined();
  });
});
