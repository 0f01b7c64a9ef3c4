import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Field } from '../../../server/lists/definitions/model.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

let oslo: HttpOffice;
const offices: HttpOffice[] = [];
const partners: { readonly nodeID: string; readonly token: string }[] = [];
let list: string;

beforeAll(async () => {
  oslo = await startHttpOffice('Oslo', { inMemory: true });
  offices.push(oslo);
  for (const name of ['Bergen', 'Malmö']) {
    const other = await startHttpOffice(name, { inMemory: true });
    offices.push(other);
    const { idA, idB } = await pairOffices(oslo, other);
    partners.push({ nodeID: idA, token: await other.federation.tokens.tokenFor(idB) });
  }
  const names = ['Firma', 'Iban', 'Ort', 'Telefon'];
  const columns = names.map((name) => ({ name, kind: 'String' as const }));
  list = (await oslo.list('Kunden', columns, [])).moduleID;
});
afterAll(async () => {
  for (const office of offices) await office.close();
});

async function share(at: number, names: readonly string[]): Promise<string> {
  const nodeID = partners[at]?.nodeID ?? '';
  const input = { composeModuleID: list, fields: names.map((name) => ({ name })), shape: 1 as const };
  const [known] = await oslo.federation.exposures.list(nodeID);
  const { moduleID } = known
    ? await oslo.federation.exposures.change(nodeID, known.moduleID, input, '1')
    : await oslo.federation.exposures.expose(nodeID, input, '1');
  return moduleID;
}
/** By name, as one partner is told them. */
async function marks(at: number, share: string, query = '?marked=1'): Promise<Record<string, unknown>> {
  const { token = '' } = partners[at] ?? {};
  const { body } = await oslo.call('GET', `/federation/exposed/modules/${share}${query}`, { token });
  const { fields } = (body as { response: { fields: { name: string; mark?: string }[] } }).response;
  return Object.fromEntries(fields.map(({ name, mark }) => [name, mark]));
}
async function change(body: (fields: readonly Field[]) => readonly Field[]): Promise<void> {
  const { fields } = await oslo.lists.module(list);
  await oslo.lists.updateModule(list, { fields: body(fields) });
  await oslo.settled();
}
const renamed = (names: Readonly<Record<string, string>>) => (fields: readonly Field[]) =>
  fields.map((field) => ({ ...field, name: names[field.name] ?? field.name }));

it('marks of columns are told to who asks for them, each its own one', async () => {
  const moduleID = await share(0, ['Firma', 'Ort', 'Telefon']);
  expect(await marks(0, moduleID, '')).toEqual({ Firma: undefined, Ort: undefined, Telefon: undefined });
  for (const shape of [1, 2]) {
    const told = await marks(0, moduleID, `?marked=1&shape=${shape}`);
    expect(new Set(Object.values(told)).size).toBe(3);
    for (const mark of Object.values(told)) expect(mark).toMatch(/^[\w-]{22}$/);
    const other = await marks(1, await share(1, ['Firma', 'Ort', 'Telefon']));
    expect(Object.values(other).filter((mark) => Object.values(told).includes(mark))).toEqual([]);
  }
});

it('a mark stays with its column while that is renamed, moved, or not shared for a while', async () => {
  const moduleID = await share(0, ['Firma', 'Ort', 'Telefon']);
  const before = await marks(0, moduleID);
  await change(renamed({ Firma: 'Kunde', Ort: 'Telefon', Telefon: 'Ort' }));
  await change((fields) => [...fields].reverse());
  const { Firma: firm, Ort: town, Telefon: phone } = before;
  expect(await marks(0, moduleID)).toEqual({ Kunde: firm, Telefon: town, Ort: phone });
  await share(0, ['Ort']);
  expect(await marks(0, moduleID)).toEqual({ Ort: phone });
  await share(0, ['Telefon', 'Kunde', 'Ort']);
  expect(await marks(0, moduleID)).toEqual({ Kunde: firm, Telefon: town, Ort: phone });
});

it('another column that takes the name of one that is gone has another mark', async () => {
  const moduleID = await share(0, ['Kunde', 'Ort']);
  const { Ort: before } = await marks(0, moduleID);
  await change((fields) => renamed({ Iban: 'Ort' })(fields.filter(({ name }) => name !== 'Ort')));
  await share(0, ['Kunde', 'Ort']);
  const { Ort: after } = await marks(0, moduleID);
  expect(after).toMatch(/^[\w-]{22}$/);
  expect(after).not.toBe(before);
});
