import { afterAll, beforeAll, expect, it } from 'vitest';
import { clearOffices, pair, startOffice, type TestOffice } from '../support/offices.ts';
import { httpCall } from '../support/http-office.ts';
import { readOpenApi, type OpenApi } from '../support/openapi.ts';

let a: TestOffice;
let b: TestOffice;
let openApi: OpenApi;
let document: unknown;
beforeAll(async () => {
  [a, b] = await Promise.all([startOffice('Oslo'), startOffice('Bergen')]);
  document = (await httpCall(`${a.office.federation}/openapi.json`, 'GET')).body;
  openApi = readOpenApi(document);
});
afterAll(() => clearOffices(a, b));

it('a node describes its interface at /openapi.json, under /api too', async () => {
  expect(openApi.operations.length).toBeGreaterThan(50);
  const again = await httpCall(`${a.office.federation}/api/openapi.json`, 'GET');
  expect(again.headers.get('content-type')).toMatch(/^application\/json/);
  expect(again.body).toEqual(document);
});

it('sync now and its status are as described', async () => {
  const { here } = await pair(a.office, b.office);
  const token = b.node.userToken('editor', 60_000);
  for (const method of ['POST', 'GET']) {
    const path = `/federation/nodes/${here}/sync`;
    const answer = await httpCall(b.office.federation + path, method, { token });
    const part = openApi.find(method, path)?.responses[answer.status]?.content['application/json'];
    expect([method, answer.status, part && openApi.faults(part, answer.body)]).toEqual([method, 200, []]);
  }
});
