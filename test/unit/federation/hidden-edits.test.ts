import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';
import { noise } from '../../support/data/office-lists.ts';
import { seeded } from '../../support/data/seeded.ts';

/** What a partner can tell from an edit of nothing but columns that are not shared. */
let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;
let moduleID: string;
let rows: Rows;

beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.tokenFor(pair.idB);
  const staff = ['Ødegård', 'Nilsen', 'Aas', 'Haugen', 'Dahl', 'Berg', 'Solberg'];
  const list = await a.list(
    'Staff',
    [
      { kind: 'String', name: 'Name' },
      { kind: 'String', name: 'Diagnosis' },
    ],
    staff.map((Name, n) => ({ Name: [Name], Diagnosis: [`secret-${n * 7919}`] })),
  );
  rows = await a.lists.rows(list.moduleID);
  const input = { composeModuleID: list.moduleID, fields: [{ name: 'Name' }], shape: 1 as const };
  ({ moduleID } = await a.federation.exposures.expose(idA, input, '1'));
});
afterAll(() => Promise.all([a.close(), b.close()]));

const page = z.object({
  response: z.looseObject({
    filter: z.looseObject({ nextPage: z.string().optional() }).optional(),
    set: z.array(z.looseObject({ recordID: z.string(), updatedAt: z.string() })),
  }),
});

/** Everything of an answer but the times of changes. */
async function told(method: string, path: string, body?: object): Promise<unknown> {
  const { status, text } = await a.call(method, path, { token, ...(body ? { body } : {}) });
  expect(status, text).toBe(200);
  expect(text).not.toContain('secret-');
  return JSON.parse(text.replaceAll(/"updatedAt":"[^"]*"/g, '"updatedAt":""'));
}

/** By page number, by cursor to the end, in the order of a shared column, as sums, and by question. */
async function everything(): Promise<unknown[]> {
  const base = `/federation/exposed/records/${moduleID}`;
  const answers = [
    await told('GET', `${base}?page=1&perPage=3`),
    await told('GET', `${base}?page=3&perPage=3`),
    await told('GET', `${base}?sort=Name&perPage=1000`),
    await told('GET', `${base}?query=${encodeURIComponent("Name LIKE 'A%'")}`),
    await told('GET', `/federation/exposed/modules/${moduleID}`),
    await told('GET', `/federation/nodes/${idA}/modules/${moduleID}/records/`),
    await told('POST', `/federation/footbridge/modules/${moduleID}/digest`, { fields: ['Name'], blocks: 4 }),
  ];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const next: string = cursor === '' ? '' : `&pageCursor=${cursor}`;
    const answer = await told('GET', `${base}?limit=2&sort=id${next}`);
    answers.push(answer);
    cursor = page.parse(answer).response.filter?.nextPage;
  }
  return answers;
}

it('an edit of hidden columns alone shows as the time of a change, and in nothing else that is told of the rows', async () => {
  const before = await everything();
  expect(before.length).toBeGreaterThan(10);
  const all = (await rows.list({ limit: 10 })).rows;
  for (const { recordID } of all.slice(1, 5))
    await rows.patch(recordID, { Diagnosis: ['secret-other'] }, '1');
  expect(await everything()).toEqual(before);
  // The same questions do show an edit of the shared column.
  await rows.patch(all[2]?.recordID ?? '', { Name: ['Moe'] }, '1');
  expect(await everything()).not.toEqual(before);
});

const changesPage = z.object({
  response: z.object({
    ...{ epoch: z.string(), next: z.number(), more: z.boolean() },
    set: z.array(z.object({ values: z.array(z.object({ value: z.string() })) })),
  }),
});

/** How many rows each page of the change feed has. */
async function pagesOf(exposureID: string): Promise<number[]> {
  const sizes: number[] = [];
  let query = '';
  for (let more = true; more;) {
    const path = `/federation/footbridge/modules/${exposureID}/changes?limit=1000${query}`;
    const { response } = changesPage.parse(
      (await a.call('GET', path, { token, headers: { 'accept-encoding': 'identity' } })).body,
    );
    sizes.push(response.set.length);
    ({ more } = response);
    query = `&after=${response.next}&epoch=${response.epoch}`;
  }
  return sizes;
}

it('a page of large rows ends where what leaves is large, however large the columns are that are not shared', async () => {
  const letters = noise(seeded(29), 1_000_000);
  const fields = [
    { kind: 'String' as const, name: 'Scan' },
    { kind: 'String' as const, name: 'Notes' },
  ];
  const scans = Array.from({ length: 12 }, (_, at) => ({ Scan: [letters.slice(at, at + 900_000)] }));
  const list = await a.list('Scans', fields, scans);
  const input = { composeModuleID: list.moduleID, fields: [{ name: 'Scan' }], shape: 1 as const };
  const shared = await a.federation.exposures.expose(idA, input, '1');
  const before = await pagesOf(shared.moduleID);
  expect(before).toEqual([9, 3]);
  const inList = await a.lists.rows(list.moduleID);
  const all = (await inList.list({ limit: 100 })).rows;
  for (const { recordID } of all) await inList.patch(recordID, { Notes: [letters.slice(0, 700_000)] }, '1');
  expect(await pagesOf(shared.moduleID)).toEqual(before);
});
