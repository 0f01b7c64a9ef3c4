import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSharePreview } from '../../../server/federation/sharing/share-preview.ts';
import { EXPOSURES } from '../../../server/federation/tables.ts';
import { omit } from '../../../server/base/omit.ts';
import type { Module } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

/** An office whose orders name a customer, who is a row of another list; only the orders are shared. */
let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;
let customers: Module;
let orders: Module;
let orderRows: Rows;
let customerRows: Rows;
let customerIDs: readonly string[];
let moduleID: string;

beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.tokenFor(pair.idB);
  const columns = [
    { kind: 'String' as const, name: 'Name' },
    { kind: 'String' as const, name: 'Secret' },
  ];
  customers = await a.list('Customers', columns, [
    { Name: ['Fjord Foods'], Secret: ['hidden'] },
    { Name: ['Bryggen Books'], Secret: ['hidden'] },
  ]);
  customerRows = await a.lists.rows(customers.moduleID);
  customerIDs = (await customerRows.list({ limit: 10 })).rows.map(({ recordID }) => recordID);
  orders = await a.list(
    'Orders',
    [
      { kind: 'Number' as const, name: 'Amount' },
      { kind: 'Record' as const, name: 'For', isMulti: true, options: { moduleID: customers.moduleID } },
    ],
    [{ Amount: ['7'], For: [...customerIDs] }],
  );
  orderRows = await a.lists.rows(orders.moduleID);
  const fields = [{ name: 'Amount' }, { name: 'For' }];
  const input = { composeModuleID: orders.moduleID, fields, shape: 1 as const };
  ({ moduleID } = await a.federation.exposures.expose(idA, input, '1'));
});
afterAll(() => Promise.all([a.close(), b.close()]));

/** What leaves, by every way there is. */
async function leaving(): Promise<Record<string, string[]>> {
  const [order = ''] = (await orderRows.list({ limit: 1 })).rows.map(({ recordID }) => recordID);
  const answers = {
    changes: await a.call('GET', `/federation/footbridge/modules/${moduleID}/changes`, { token }),
    named: await a.call('POST', `/federation/footbridge/modules/${moduleID}/rows`, {
      token,
      body: { recordIDs: [order] },
    }),
    shapes: await a.call('GET', `/federation/exposed/records/${moduleID}`, { token }),
    live: await a.call('GET', `/federation/nodes/${idA}/modules/${moduleID}/records/`, { token }),
  };
  const texts = Object.entries(answers).map(([way, { text }]): [string, string[]] => {
    for (const recordID of customerIDs) expect(text, way).not.toContain(recordID);
    expect(text, way).not.toContain('hidden');
    return [way, [...text.matchAll(/"name":"For","value":"([^"]*)"/g)].map(([, value = '']) => value)];
  });
  return Object.fromEntries(texts);
}

const everyWay = (texts: string[]): Record<string, string[]> => ({
  changes: texts,
  named: texts,
  shapes: texts,
  live: texts,
});

describe('a column that refers to rows of another list', () => {
  it('leaves as what these rows are called, never as their ids, and says nothing else of them', async () => {
    expect(await leaving()).toEqual(everyWay(['Fjord Foods', 'Bryggen Books']));
  });

  it('leaves under the new name once the other row has one, though the row itself did not change', async () => {
    await customerRows.patch(customerIDs[1] ?? '', { Name: ['Bryggen Paper'] }, '1');
    expect(await leaving()).toEqual(everyWay(['Fjord Foods', 'Bryggen Paper']));
  });

  it('shows the same to the user beforehand', async () => {
    const node = await a.federation.nodes.get(idA);
    const { titlePins } = await a.federation.exposures.get(idA, moduleID);
    const choice = { fieldIDs: orders.fields.map(({ fieldID }) => fieldID), titlePins: titlePins ?? {} };
    const { rows } = await createSharePreview(a.lists).preview(node, orders.moduleID, choice, 5);
    expect(rows[0]?.values.filter(({ name }) => name === 'For').map(({ value }) => value)).toEqual([
      'Fjord Foods',
      'Bryggen Paper',
    ]);
  });

  it('leaves out rows that have no name, whatever else they hold', async () => {
    await customerRows.patch(customerIDs[0] ?? '', { Name: [] }, '1');
    expect(await leaving()).toEqual(everyWay(['Bryggen Paper']));
  });

  it('says nothing of rows in the bin', async () => {
    await customerRows.remove(customerIDs[1] ?? '', '1');
    expect(await leaving()).toEqual(everyWay([]));
    await customerRows.restore(customerIDs[1] ?? '', '1');
    expect(await leaving()).toEqual(everyWay(['Bryggen Paper']));
  });

  it('of a share of before such columns were pinned is pinned at the start to what it left as', async () => {
    const system = await a.store.partition('system');
    const exposure = await a.federation.exposures.get(idA, moduleID);
    await system.transaction((tx) => tx.put(EXPOSURES, moduleID, omit(exposure, 'titlePins')));
    expect(await leaving()).toEqual(everyWay([]));
    await a.federation.exposures.applyMissedChanges();
    expect((await a.federation.exposures.get(idA, moduleID)).titlePins).toEqual(exposure.titlePins);
    expect(Object.keys(exposure.titlePins ?? {})).toHaveLength(1);
    expect(await leaving()).not.toEqual(everyWay([]));
  });

  it('goes on with its column when columns of the other list move, change names or come to be', async () => {
    const { fields } = await a.lists.module(customers.moduleID);
    const [name, secret] = fields;
    if (!name || !secret) throw new Error('the list has lost its columns');
    await customerRows.patch(customerIDs[0] ?? '', { Name: ['Fjord Foods'] }, '1');
    const swapped = [
      { kind: 'String' as const, name: 'First' },
      { ...secret, name: 'Name' },
      { ...name, name: 'Secret' },
    ];
    await a.lists.updateModule(customers.moduleID, { fields: swapped });
    expect(await leaving()).toEqual(everyWay(['Fjord Foods', 'Bryggen Paper']));
  });

  it('keeps what the user chose for it when the share is changed by who says nothing of it', async () => {
    const { titlePins: before = {} } = await a.federation.exposures.get(idA, moduleID);
    const [referring] = orders.fields.filter(({ kind }) => kind === 'Record');
    const pin = referring?.fieldID ?? '';
    const fields = [{ name: 'Amount' }, { name: 'For' }];
    const again = { composeModuleID: orders.moduleID, fields, shape: 1 as const };
    const nothing = await a.federation.exposures.change(
      idA,
      moduleID,
      { ...again, titlePins: { [pin]: '' } },
      '1',
    );
    expect(nothing.titlePins).toEqual({ [pin]: '' });
    expect(await leaving()).toEqual(everyWay([]));
    expect((await a.federation.exposures.change(idA, moduleID, again, '1')).titlePins).toEqual({ [pin]: '' });
    expect(await leaving()).toEqual(everyWay([]));
    await a.federation.exposures.change(idA, moduleID, { ...again, titlePins: before }, '1');
  });

  it('leaves a text that stands in the place of a row out, and answers no question about it', async () => {
    const [order] = (await orderRows.list({ limit: 1 })).rows;
    await orderRows.patch(order?.recordID ?? '', { For: ['DE02120300000000202051', ...customerIDs] }, '1');
    expect(await leaving()).toEqual(everyWay(['Fjord Foods', 'Bryggen Paper']));
    const asked = new URLSearchParams({ query: "For LIKE 'DE%'" });
    const answer = await a.call('GET', `/federation/exposed/records/${moduleID}?${asked.toString()}`, {
      token,
    });
    expect(answer.body).toMatchObject({ response: { set: [] } });
    await orderRows.patch(order?.recordID ?? '', { For: [...customerIDs] }, '1');
  });

  it('that holds texts from now on is not shared until it is chosen again, of which the user is told', async () => {
    const [amount, referring] = orders.fields;
    if (!amount || !referring) throw new Error('the list has lost its columns');
    const before = await a.federation.exposures.get(idA, moduleID);

    await a.lists.updateModule(orders.moduleID, { fields: [amount, { ...referring, kind: 'String' }] });
    expect(await leaving()).toEqual(everyWay([]));
    await a.settled();
    await a.federation.exposures.applyMissedChanges();
    const less = await a.federation.exposures.get(idA, moduleID);
    expect(less.fields.map(({ name }) => name)).toEqual(['Amount']);
    expect(less.retyped?.columns).toEqual(['For']);

    await a.lists.updateModule(orders.moduleID, { fields: [amount, referring] });
    await a.settled();
    expect(await leaving()).toEqual(everyWay([]));
    const again = { composeModuleID: orders.moduleID, fields: before.fields, shape: 1 as const };
    const chosen = await a.federation.exposures.change(
      idA,
      moduleID,
      { ...again, titlePins: before.titlePins ?? {} },
      '1',
    );
    expect(chosen).not.toHaveProperty('retyped');
    expect(await leaving()).toEqual(everyWay(['Fjord Foods', 'Bryggen Paper']));
  });

  it('that held texts when it was chosen is not shared either once it refers to rows', async () => {
    const options = { moduleID: customers.moduleID };
    const list = await a.list(
      'Notes',
      [
        { kind: 'String', name: 'Note' },
        { kind: 'String', name: 'About' },
      ],
      [{ Note: ['call back'], About: ['Fjord Foods'] }],
    );
    const input = { composeModuleID: list.moduleID, fields: list.fields, shape: 1 as const };
    const notes = await a.federation.exposures.expose(idA, input, '1');
    const [note, about] = list.fields;
    if (!note || !about) throw new Error('the list has lost its columns');
    await a.lists.updateModule(list.moduleID, { fields: [note, { ...about, kind: 'Record', options }] });
    const { text } = await a.call('GET', `/federation/exposed/records/${notes.moduleID}`, { token });
    expect(text).toContain('call back');
    expect(text).not.toContain('About');
    await a.settled();
    const { fields, retyped } = await a.federation.exposures.get(idA, notes.moduleID);
    expect([fields.map(({ name }) => name), retyped?.columns]).toEqual([['Note'], ['About']]);
  });

  it('leaves as nothing once what names its rows held something else, also when that holds texts again', async () => {
    const { fields } = await a.lists.module(customers.moduleID);
    const chosen = await a.federation.exposures.get(idA, moduleID);
    const titlePins = chosen.titlePins ?? {};
    const column = fields.find(({ fieldID }) => Object.values(titlePins).includes(fieldID))?.name ?? '';
    const named = async (kind: 'Record' | 'String'): Promise<void> => {
      const options = kind === 'Record' ? { moduleID: orders.moduleID } : {};
      const as = fields.map((field) => (field.name === column ? { ...field, kind, options } : field));
      await a.lists.updateModule(customers.moduleID, { fields: as });
      await a.settled();
    };
    const input = { composeModuleID: orders.moduleID, fields: chosen.fields, shape: 1 as const };
    await named('Record');
    expect(await leaving()).toEqual(everyWay([]));
    await named('String');
    await customerRows.patch(customerIDs[0] ?? '', { [column]: ['not chosen to be seen'] }, '1');
    expect(await leaving()).toEqual(everyWay([]));
    await a.federation.exposures.change(idA, moduleID, input, '1');
    expect(await leaving()).toEqual(everyWay([]));

    await a.federation.exposures.change(idA, moduleID, { ...input, titlePins }, '1');
    expect(await leaving()).toEqual(everyWay(['not chosen to be seen', 'Bryggen Paper']));

    // The same where the program was stopped before the share could follow.
    await named('Record');
    const system = await a.store.partition('system');
    await system.transaction((tx) => tx.put(EXPOSURES, moduleID, { ...chosen, titlePins }));
    await a.federation.exposures.applyMissedChanges();
    await named('String');
    expect(await leaving()).toEqual(everyWay([]));
    await a.federation.exposures.change(idA, moduleID, { ...input, titlePins }, '1');
    expect(await leaving()).toEqual(everyWay(['not chosen to be seen', 'Bryggen Paper']));
  });

  it('leaves as nothing once its column is gone, until another one is chosen', async () => {
    const { fields } = await a.lists.module(customers.moduleID);
    const kept = fields.filter(({ name }) => name !== 'Secret');
    await a.lists.updateModule(customers.moduleID, { fields: kept });
    expect(await leaving()).toEqual(everyWay([]));
    const again = { composeModuleID: orders.moduleID, fields: [{ name: 'For' }], shape: 1 as const };
    await a.federation.exposures.change(idA, moduleID, again, '1');
    expect(await leaving()).toEqual(everyWay([]));
    const [first] = kept;
    const [, referring] = orders.fields;
    const titlePins = { [referring?.fieldID ?? '']: first?.fieldID ?? '' };
    await a.federation.exposures.change(idA, moduleID, { ...again, titlePins }, '1');
    await customerRows.patch(customerIDs[0] ?? '', { First: ['Ferry Goods'] }, '1');
    expect(await leaving()).toEqual(everyWay(['Ferry Goods']));
  });
});
