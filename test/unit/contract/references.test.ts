import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPartnersEye } from '../../../server/federation/partners-eye.ts';
import type { Module } from '../../../server/lists/model.ts';
import type { Rows } from '../../../server/lists/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/http-office.ts';

/** An office whose orders name a customer, who is a row of another list; only the orders are shared. */
let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;
let orders: Module;
let orderRows: Rows;
let customerRows: Rows;
let customerIDs: readonly string[];
let moduleID: string;

beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.held(pair.idB);
  const columns = [
    { kind: 'String' as const, name: 'Name' },
    { kind: 'String' as const, name: 'Secret' },
  ];
  const customers = await a.list('Customers', columns, [
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
    const [seen] = await createPartnersEye(a.lists).preview(node, orders.moduleID, orders.fields, 5);
    expect(seen?.values.filter(({ name }) => name === 'For').map(({ value }) => value)).toEqual([
      'Fjord Foods',
      'Bryggen Paper',
    ]);
  });

  it('leaves out rows that have no name', async () => {
    await customerRows.patch(customerIDs[0] ?? '', { Name: [], Secret: [] }, '1');
    expect(await leaving()).toEqual(everyWay(['Bryggen Paper']));
  });
});
