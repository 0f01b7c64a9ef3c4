import { afterAll, beforeAll, expect, it } from 'vitest';
import { SERVED } from '../../../server/federation/sharing/puller-marks.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { BEHIND_A_PROXY } from '../../support/reading/reader.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

/** A partner's signs of changes in rows that don't meet the condition of its share. */
let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;
let rows: Rows;
/** The share under a condition, and another list. */
let shares: readonly [string, string];
const BY = '1';
const FIELDS = ['Name', 'Region'].map((name) => ({ kind: 'String' as const, name }));

beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.tokenFor(pair.idB);
  const lists = [];
  for (const name of ['Staff', 'Rooms'])
    lists.push(await a.list(name, FIELDS, [{ Name: ['Aas'], Region: ['North'] }]));
  const [staff = '', rooms = ''] = lists.map(({ moduleID }) => moduleID);
  rows = await a.lists.rows(staff);
  const north = { join: 'all' as const, parts: [{ column: 'Region', test: 'is' as const, value: 'North' }] };
  const input = { fields: [{ name: 'Name' }], shape: 1 as const };
  const { exposures } = a.federation;
  const first = await exposures.expose(idA, { ...input, composeModuleID: staff, condition: north }, BY);
  const other = await exposures.expose(idA, { ...input, composeModuleID: rooms }, BY);
  shares = [first.moduleID, other.moduleID];
});
afterAll(() => Promise.all([a.close(), b.close()]));

const addHidden = (): Promise<unknown> => rows.create({ Name: ['Berg'], Region: ['South'] }, BY);

let mark = 1_790_000_000;
/** Pulls as a live server whose connections prove nothing, and waits until it is known that the answer left. */
async function pull(moduleID: string): Promise<number> {
  const path = `/federation/nodes/${idA}/modules/${moduleID}/records/?limit=1000&lastSync=${mark}`;
  const { status } = await a.call('GET', path, { token, headers: { accept: '', ...BEHIND_A_PROXY } });
  const system = await a.store.partition('system');
  const isSent = async (): Promise<boolean> => (await system.get(SERVED, moduleID))?.sent === true;
  if (status === 200) await expect.poll(isSent, { timeout: 20_000 }).toBe(true);
  return status;
}

/** Pulls both lists by one mark: the second is refused while it isn't known that changes of the first arrived. */
async function pullBoth(): Promise<number[]> {
  mark += 60;
  return [await pull(shares[0]), await pull(shares[1])];
}

it('no list is refused for the sake of rows that a live server is not told of', async () => {
  for (let round = 0; round < 8; round++) await pullBoth();
  expect(await pullBoth()).toEqual([200, 200]);
  for (let round = 0; round < 3; round++) {
    await addHidden();
    expect(await pullBoth()).toEqual([200, 200]);
  }
  await rows.create({ Name: ['Dahl'], Region: ['North'] }, BY);
  expect(await pullBoth()).toEqual([200, 503]);
});

it('the same answer counts as the same, so that the bound of a day does not tell of hidden changes', async () => {
  const { recordID } = await rows.create({ Name: ['Lie'], Region: ['North'] }, BY);
  const [staff] = shares;
  const base = `/federation/footbridge/modules/${staff}`;
  const records = `/federation/exposed/records/${staff}`;
  async function everything(): Promise<unknown[]> {
    a.served.length = 0;
    for (const path of [`${base}/changes`, records, `${records}?query=${encodeURIComponent("Name = 'Aas'")}`])
      expect((await a.call('GET', path, { token })).status).toBe(200);
    for (const [path, body] of [
      ['rows', { recordIDs: [recordID] }],
      ['digest', { fields: ['Name'], blocks: 1 }],
      ['digest', { fields: ['Name'], blocks: 1, block: 0 }],
    ] as const)
      expect((await a.call('POST', `${base}/${path}`, { token, body })).status).toBe(200);
    return a.served.map(({ state }) => state);
  }
  const before = await everything();
  await addHidden();
  expect(await everything()).toEqual(before);
  await rows.patch(recordID, { Name: ['Aas'] }, BY);
  const after = await everything();
  expect(after.filter((state) => before.includes(state))).toEqual([]);
});
