import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startLiveServer } from '../support/partners/live-server.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import { demoOffice, pair } from '../support/harness/demo-office.ts';
import { httpCall } from '../support/harness/served-parts.ts';
import { readOpenApi, type OpenApi } from '../support/reading/openapi.ts';

let a: NodeOffice;
let b: NodeOffice;
let openApi: OpenApi;
let document: unknown;
beforeAll(async () => {
  [a, b] = await Promise.all([startNode('Oslo'), startNode('Bergen')]);
  document = (await httpCall(`${a.ready.federation}/openapi.json`, 'GET')).body;
  openApi = readOpenApi(document);
});
afterAll(() => Promise.all([a.stop(), b.stop()]));

it('a node describes its interface at /openapi.json, under /api too', async () => {
  expect(openApi.operations.length).toBeGreaterThan(50);
  const again = await httpCall(`${a.ready.federation}/api/openapi.json`, 'GET');
  expect(again.headers.get('content-type')).toMatch(/^application\/json/);
  expect(again.body).toEqual(document);
});

async function faultsOf(method: string, path: string, token?: string): Promise<unknown[]> {
  const answer = await httpCall(b.ready.federation + path, method, { token });
  const part = openApi.find(method, path.replace(/^\/api/, ''))?.responses[answer.status];
  const body = part?.content['application/json'];
  return [method, path, answer.status, body ? openApi.faults(body, answer.body) : 'not described'];
}

it('what only a whole node answers is as described: sync now, its status, health, the description itself', async () => {
  const { here } = await pair(demoOffice(a), demoOffice(b));
  const token = b.node.userToken('editor', 60_000);
  const sync = `/federation/nodes/${here}/sync`;
  for (const method of ['POST', 'GET'])
    expect(await faultsOf(method, sync, token)).toEqual([method, sync, 200, []]);
  for (const path of ['/healthz', '/api/healthz', '/openapi.json', '/api/openapi.json'])
    expect(await faultsOf('GET', path)).toEqual(['GET', path, 200, []]);
});

it('a pull of which a list failed is no success: 502, with what came of each list', async () => {
  const live = await startLiveServer();
  onTestFinished(() => live.close());
  const office = await startNode('Berlin', { remoteManagement: true });
  onTestFinished(() => office.stop());
  const { nodeID: there } = live.createNode(`${office.ready.federation}/federation`);
  const uri = live.invite(there);
  const { nodeID } = await office.app<{ nodeID: string }>('POST', '/app/invites/accept', { uri });
  await live.confirm(there);
  live.expose('Contacts', [{ kind: 'String', name: 'name', label: 'Name', isMulti: false }]);
  const sync = `/federation/nodes/${nodeID}/sync`;
  await office.app('POST', sync);
  const offers = `/app/partners/${nodeID}/offers`;
  const [offer] = await office.app<{ sharedModuleID: string }[]>('GET', offers);
  await office.app('POST', `${offers}/${offer?.sharedModuleID}/list`, {});
  live.recordsBroken = true;
  const token = office.node.userToken('editor', 60_000);
  const answer = await httpCall(office.ready.federation + sync, 'POST', { token });
  const body = openApi.find('POST', sync)?.responses[502]?.content['application/json'];
  expect([answer.status, body ? openApi.faults(body, answer.body) : 'not described']).toEqual([502, []]);
  expect(answer.body).toMatchObject({
    error: { code: 'sync.incomplete', message: expect.stringContaining('1 of 1 lists') as string },
    response: { created: 0, failed: 0, modules: [{ name: 'Contacts' }] },
  });
  const status = await httpCall(office.ready.federation + sync, 'GET', { token });
  const described = openApi.find('GET', sync)?.responses[200]?.content['application/json'];
  expect(described ? openApi.faults(described, status.body) : 'not described').toEqual([]);
  const history = expect.arrayContaining([
    expect.objectContaining({ outcome: 'failed', message: expect.stringMatching(/^[A-Z].+\.$/) as string }),
  ]) as unknown[];
  expect(status.body).toMatchObject({ response: { lists: [{ couldNotApply: 0 }], history } });
});

it('no answer with data is kept by a cache, and encryption is demanded of no other name below --public-url', async () => {
  const { headers } = await httpCall(`${a.ready.federation}/healthz`, 'GET');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/);
  for (const path of ['/app/overview', '/compose/namespace/'])
    expect((await a.fetch(path)).headers.get('cache-control')).toBe('no-store');
  expect((await a.fetch('/app/overview')).headers.get('strict-transport-security')).toBeNull();
});

it('says of an address which methods it takes', async () => {
  const modules = `${a.ready.federation}/api/federation/nodes/5/modules`;
  const options = await httpCall(modules, 'OPTIONS');
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, PUT']);
  const wrong = await httpCall(modules, 'PATCH');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, PUT']);
  expect((await a.fetch('/app/overview', { method: 'DELETE' })).status).toBe(405);
});
