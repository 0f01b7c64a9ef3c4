import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { Field, Module } from '../../../server/lists/definitions/model.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

/** Columns change while partners read. */

let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;

beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.tokenFor(pair.idB);
});
afterAll(() => Promise.all([a.close(), b.close()]));

const ROWS = 400;

async function sharedList(name: string): Promise<{ list: Module; moduleID: string }> {
  const list = await a.list(
    name,
    [
      { kind: 'String', name: 'Phone' },
      { kind: 'String', name: 'Salary' },
      { kind: 'Number', name: 'Desk' },
    ],
    Array.from({ length: ROWS }, (_, n) => ({
      Phone: [`+49 30 ${100_000 + n * 37}`],
      Salary: [`secret-${n * 7919}`],
      Desk: [String(n)],
    })),
  );
  const input = { composeModuleID: list.moduleID, fields: [{ name: 'Phone' }], shape: 1 as const };
  return { list, moduleID: (await a.federation.exposures.expose(idA, input, '1')).moduleID };
}

type Change = (fields: readonly Field[]) => FieldInput[];
const renamed = (fields: readonly Field[], names: Readonly<Record<string, string>>): FieldInput[] =>
  fields.map((field) => ({ ...field, name: names[field.name] ?? field.name }));

const CHANGES: Record<string, Change> = {
  'two columns swap their names': (fields) => renamed(fields, { Phone: 'Salary', Salary: 'Phone' }),
  'three columns change names in a circle': (fields) =>
    renamed(fields, { Phone: 'Desk', Salary: 'Phone', Desk: 'Salary' }),
  'the shared column goes and another one takes its name': (fields) =>
    renamed(
      fields.filter(({ name }) => name !== 'Phone'),
      { Salary: 'Phone' },
    ),
  // In two steps: without an id, the column of that name would be meant.
  'the shared column goes and a new one has its name': (fields) => {
    const others = fields.filter(({ name }) => name !== 'Phone');
    return others.length < fields.length ? others : [...fields, { kind: 'String', name: 'Phone' }];
  },
};

describe.each(Object.entries(CHANGES))('while %s', (what, change) => {
  it('nothing leaves but what was chosen, in any dialect', async () => {
    const { list, moduleID } = await sharedList(what);
    const record = `/federation/footbridge/modules/${moduleID}`;
    const paths = [
      `/federation/nodes/${idA}/modules/${moduleID}/records?lastSync=0&perPage=1000`,
      `/federation/exposed/records/${moduleID}?after=0&perPage=1000`,
      `/federation/nodes/${idA}/modules/${moduleID}/records/`,
      `${record}/changes?after=0&limit=1000`,
      `/federation/exposed/records/${moduleID}?perPage=1000&query=secret`,
    ];
    let isOver = false;
    let answers = 0;
    const readers = paths.map(async (path) => {
      while (!isOver) {
        const { text, status } = await a.call('GET', path, { token });
        answers += 1;
        expect([200, 410], text).toContain(status);
        expect(text, path).not.toContain('secret-');
      }
    });
    // On a busy machine the answers come late: each is to be asked for more than once while the columns change.
    const until = performance.now() + 20_000;
    for (let round = 0; round < 6 || (answers <= paths.length && performance.now() < until); round++) {
      const { fields } = await a.lists.module(list.moduleID);
      await a.lists.updateModule(list.moduleID, { fields: change(fields) });
      // A change of nothing waits for no disk, and would let no reader have its turn.
      await setImmediate();
    }
    isOver = true;
    await Promise.all(readers);
    expect(answers).toBeGreaterThan(paths.length);
  });
});

describe('a definition that cannot be written once its rows are', () => {
  it('leaves the columns under their new names, and is written before the next change', async () => {
    const { list, moduleID } = await sharedList('Disk full');
    const system = await a.store.partition('system');
    const transaction = system.transaction.bind(system);
    let calls = 0;
    // The first write says what is about to happen, the second one is the definition.
    system.transaction = (body) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('no room')) : transaction(body);
    };
    const swap = renamed(list.fields, { Phone: 'Salary', Salary: 'Phone' });
    await expect(a.lists.updateModule(list.moduleID, { fields: swap })).rejects.toThrow('no room');
    system.transaction = transaction;
    const read = async (): Promise<string> =>
      (await a.call('GET', `/federation/exposed/records/${moduleID}?perPage=1000`, { token })).text;
    expect(await read()).toContain('"name":"Salary","value":"+49 30 ');
    expect(await read()).not.toContain('secret-');
    await a.lists.updateModule(list.moduleID, { name: 'Disk with room' });
    const names = (await a.lists.module(list.moduleID)).fields.map(({ name }) => name);
    expect(names).toEqual(['Salary', 'Phone', 'Desk']);
    expect(await read()).not.toContain('secret-');
  });
});

describe('a column that became another one and is back at once', () => {
  it('is not shared any more until it is chosen again', async () => {
    const rows = await a.list(
      'Diagnoses',
      [{ kind: 'String', name: 'Name' }],
      [{ Name: ['secret-burnout'] }],
    );
    const columns = [
      { kind: 'String' as const, name: 'Name' },
      { kind: 'String' as const, name: 'Note' },
    ];
    const list = await a.list('Notes', columns, [{ Name: ['Anna'], Note: ['secret-burnout'] }]);
    const [name, note] = list.fields;
    if (!name || !note) throw new Error('the list has lost its columns');
    const input = { composeModuleID: list.moduleID, fields: [{ name: 'Name' }, { name: 'Note' }] };
    const { moduleID } = await a.federation.exposures.expose(idA, { ...input, shape: 1 }, '1');
    const system = await a.store.partition('system');
    const find = system.find.bind(system);
    // A busy disk: what is shared follows late.
    system.find = async (table, index, text) => {
      if (index === 'compose') await new Promise((resolve) => setTimeout(resolve, 200));
      return find(table, index, text);
    };
    const options = { moduleID: rows.moduleID };
    await a.lists.updateModule(list.moduleID, { fields: [name, { ...note, kind: 'Record', options }] });
    await a.lists.updateModule(list.moduleID, { fields: [name, { ...note, kind: 'String' }] });
    const { text } = await a.call('GET', `/federation/exposed/records/${moduleID}`, { token });
    system.find = find;
    expect(text).toContain('Anna');
    expect(text).not.toContain('Note');
  });
});

describe('a partner that waits for news', () => {
  it('is told of columns that changed together with their rows, never of the rows alone', async () => {
    const { list } = await sharedList('News');
    const node = await a.federation.nodes.get(idA);
    const { signal } = new AbortController();
    const now = await a.federation.watch.wait(node, undefined, 0, signal);
    const news = a.federation.watch.wait(node, now?.cursor, 20_000, signal);
    await a.lists.updateModule(list.moduleID, { fields: renamed(list.fields, { Phone: 'Telephone' }) });
    expect((await news)?.structure).toBe(true);
  });
});

describe('a choice that changes while its list does', () => {
  it('is not put back to what it was before', async () => {
    const { list, moduleID } = await sharedList('Race');
    const { fields } = await a.lists.module(list.moduleID);
    const wider = { composeModuleID: list.moduleID, fields: [{ name: 'Phone' }, { name: 'Desk' }] };
    await a.federation.exposures.change(idA, moduleID, { ...wider, shape: 1 }, '1');
    const narrower = { ...wider, fields: [{ name: 'Desk' }], shape: 1 as const };
    const system = await a.store.partition('system');
    const find = system.find.bind(system);
    // The user narrows the choice just when what is to follow the list has been looked up.
    system.find = async (table, index, text) => {
      const found = await find(table, index, text);
      if (index === 'compose') await a.federation.exposures.change(idA, moduleID, narrower, '1');
      return found;
    };
    const relabelled = fields.map((field) => ({ ...field, label: `${field.label} now` }));
    const module = { ...list, fields: relabelled };
    await a.federation.exposures.applyListChange({ kind: 'list', change: 'changed', before: list, module });
    system.find = find;
    const { fields: shared } = await a.federation.exposures.get(idA, moduleID);
    expect(shared.map(({ name }) => name)).toEqual(['Desk']);
  });
});
