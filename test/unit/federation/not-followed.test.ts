import { afterEach, beforeEach, expect, it } from 'vitest';
import { EXPOSURES, MAPPINGS } from '../../../server/federation/tables.ts';
import type { Field } from '../../../server/lists/definitions/model.ts';
import { StoreError, type Table } from '../../../server/store/store.ts';
import { said } from '../../../server/words/said.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

/** The disk refuses what shares or matches need to follow a change of columns, and takes the change itself. */

let oslo: HttpOffice;
let bergen: HttpOffice;
let nodeID: string;
let osloAtBergen: string;
let token: string;
/** The tables that no room is for. */
const full = new Set<Table<never>['name']>();

beforeEach(async () => {
  full.clear();
  [oslo, bergen] = await Promise.all([
    startHttpOffice('Oslo', { inMemory: true }),
    startHttpOffice('Bergen', { inMemory: true }),
  ]);
  const { idA, idB } = await pairOffices(oslo, bergen);
  [nodeID, osloAtBergen] = [idA, idB];
  token = await bergen.federation.tokens.tokenFor(idB);
  for (const office of [oslo, bergen]) await narrow(office);
});
afterEach(() => Promise.all([oslo.close(), bergen.close()]));

async function narrow(office: HttpOffice): Promise<void> {
  const system = await office.store.partition('system');
  const transaction = system.transaction.bind(system);
  system.transaction = (body) =>
    transaction((tx) => {
      const put = tx.put.bind(tx);
      tx.put = (table, key, value) => {
        if (full.has(table.name)) throw new StoreError('full', said('disk.full'));
        put(table, key, value);
      };
      return body(tx);
    });
}

type Change = (fields: readonly Field[]) => readonly Field[];
async function change(office: HttpOffice, list: string, body: Change): Promise<void> {
  const { fields } = await office.lists.module(list);
  await office.lists.updateModule(list, { fields: body(fields) });
}
const made =
  (name: string, more: object): Change =>
  (fields) =>
    fields.map((field) => (field.name === name ? { ...field, ...more } : field));

it('a share stays shut, and its columns as they are, until it could follow how they changed', async () => {
  const agents = await oslo.list('Agents', [{ kind: 'String', name: 'Name' }], [{ Name: ['Åse'] }]);
  const { moduleID: list } = await oslo.list(
    'Customers',
    ['Firm', 'Agent'].map((name) => ({ kind: 'String' as const, name })),
    [{ Firm: ['Ødegård & Co'], Agent: ['Åse'] }],
  );
  const input = { composeModuleID: list, fields: [{ name: 'Firm' }, { name: 'Agent' }], shape: 1 as const };
  const { moduleID } = await oslo.federation.exposures.expose(nodeID, input, '1');
  const read = async (): Promise<number> =>
    (await oslo.call('GET', `/federation/exposed/records/${moduleID}`, { token })).status;
  const definition = async (): Promise<number> =>
    (await oslo.call('GET', `/federation/exposed/modules/${moduleID}`, { token })).status;
  const toRows = made('Agent', { kind: 'Record', options: { moduleID: agents.moduleID } });
  const toText = made('Agent', { kind: 'String', options: {} });

  full.add(EXPOSURES.name);
  await change(oslo, list, toRows);
  expect([await read(), await definition()]).toEqual([507, 507]);
  await expect(change(oslo, list, toText)).rejects.toMatchObject({ code: 'full' });
  expect((await oslo.lists.module(list)).fields[1]?.kind).toBe('Record');

  full.clear();
  await change(oslo, list, toText);
  expect([await read(), await definition()]).toEqual([200, 200]);
  const [share] = await oslo.federation.exposures.list(nodeID);
  expect(share?.fields.map(({ name }) => name)).toEqual(['Firm']);
  expect(share?.retyped?.columns).toEqual(['Agent']);
});

it('matches follow all or none, and what they owe is made up for once before anything else', async () => {
  const { moduleID: into } = await bergen.list(
    'Clients',
    ['City', 'Phone'].map((name) => ({ kind: 'String' as const, name })),
    [],
  );
  const offered = ['1', '2'].map((id) => ({
    externalFederationModuleID: id,
    handle: `list${id}`,
    name: `List ${id}`,
    fields: ['Town', 'Number'].map((name) => ({
      kind: 'String' as const,
      name,
      label: name,
      isMulti: false,
    })),
  }));
  const { added } = await bergen.federation.shared.reconcile(osloAtBergen, offered, { complete: true });
  const fields = [
    { origin: { name: 'Town' }, destination: { name: 'City' } },
    { origin: { name: 'Number' }, destination: { name: 'Phone' } },
  ];
  for (const { moduleID } of added)
    await bergen.federation.mappings.set(osloAtBergen, moduleID, { composeModuleID: into, fields, shape: 1 });
  const destinations = async (): Promise<string[]> =>
    (await bergen.federation.mappings.list(osloAtBergen)).map((mapping) =>
      mapping.fields.map(({ destination }) => destination.name).join(),
    );

  full.add(MAPPINGS.name);
  const swap: Change = (all) => {
    const names: Readonly<Record<string, string>> = { City: 'Phone', Phone: 'City' };
    return all.map((field) => ({ ...field, name: names[field.name] ?? field.name }));
  };
  await change(bergen, into, swap);
  expect(await destinations()).toEqual(['City,Phone', 'City,Phone']);
  await expect(bergen.lists.caughtUp()).rejects.toMatchObject({ code: 'full' });
  await expect(change(bergen, into, made('City', { name: 'Ort' }))).rejects.toMatchObject({ code: 'full' });

  full.clear();
  await change(bergen, into, made('City', { name: 'Ort' }));
  expect(await destinations()).toEqual(['Phone,Ort', 'Phone,Ort']);
});
