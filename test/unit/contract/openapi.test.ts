import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../../server/contract/openapi/document.ts';
import { OPERATIONS } from '../../../server/contract/openapi/operations.ts';
import { changesAnswer } from '../../../server/contract/wire/footbridge.ts';
import type { HttpAnswer, HttpCall } from '../../support/harness/served-parts.ts';
import { readOpenApi } from '../../support/reading/openapi.ts';
import { ROWS } from './rows.ts';
import { startWorld, type World } from './world.ts';

const openApi = readOpenApi(JSON.parse(JSON.stringify(openApiDocument(OPERATIONS, '0.0.0'))));

let world: World;
const admin = (): string => world.a.userToken('admin');
/** Operations and shapes, `createNode: shape 1`, in which a real answer was seen. */
const answered = new Set<string>();
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Sends a request and holds what comes back against the description. */
async function check(method: string, path: string, more: HttpCall = {}): Promise<HttpAnswer> {
  const answer = await world.a.call(method, path, more);
  const described = describedPath(path);
  const operation = openApi.find(method, described);
  expect([method, described, operation !== undefined]).toEqual([method, described, true]);
  const response = operation?.responses[answer.status];
  expect([method, path, answer.status, response !== undefined]).toEqual([method, path, answer.status, true]);
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const part = response?.content[type];
  expect([path, type, part !== undefined]).toEqual([path, type, true]);
  if (part) expect(openApi.faults(part, type === 'text/csv' ? answer.text : answer.body)).toEqual([]);
  for (const { id, answers } of OPERATIONS.filter(({ id }) => id === operation?.operationId)) {
    for (const { shape, schema, status = 200 } of answers) {
      const fits = schema.safeParse(type === 'text/csv' ? answer.text : answer.body).success;
      if (answer.status === status && fits) answered.add(`${id}: ${shape}`);
    }
  }
  return answer;
}

/** A trailing slash makes no difference, except after …/records. */
function describedPath(path: string): string {
  const bare = (path.split('?')[0] ?? '').replace(/^\/api/, '');
  const counts = /\/modules\/\d+\/records\/$/.test(bare);
  return counts ? bare : bare.replace(/\/$/, '');
}

describe('the description', () => {
  it('links what a call made to the calls for it, with each id of their paths', () => {
    const links = openApi.operations.flatMap(({ responses }) => Object.values(responses[200]?.links ?? {}));
    for (const { operationId, parameters } of links) {
      const target = openApi.operations.find((each) => each.operationId === operationId);
      const inPath = target?.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
      expect([operationId, Object.keys(parameters).sort()]).toEqual([operationId, inPath?.sort()]);
    }
    const made = openApi.operations.find(({ operationId }) => operationId === 'createRecord');
    expect(made?.responses[200]?.links.removeRecord).toEqual({
      operationId: 'removeRecord',
      parameters: {
        namespaceID: '$request.path.namespaceID',
        moduleID: '$request.path.moduleID',
        recordID: '$response.body#/response/recordID',
      },
    });
  });

  it('has an example for every operation and shape, and each fits its schema', () => {
    for (const { operationId, requestBody, responses } of openApi.operations) {
      const parts = [
        ...Object.values(requestBody?.content ?? {}),
        ...['200', '202'].flatMap((status) => Object.values(responses[status]?.content ?? {})),
      ];
      for (const part of parts) {
        // A workbook has none.
        if (Object.keys(part.schema).length === 0) continue;
        const examples = Object.entries(part.examples ?? {});
        expect([operationId, examples.length > 0]).toEqual([operationId, true]);
        for (const [name, { value }] of examples)
          expect([operationId, name, openApi.faults(part, value)]).toEqual([operationId, name, []]);
      }
    }
  });

  it('says what the schemas that parse requests say', () => {
    for (const { body = [], answers } of OPERATIONS)
      for (const { schema, example } of [...body, ...answers])
        expect(() => schema.parse(example)).not.toThrow();
  });

  it('names each operation once, and each parameter of its path', () => {
    const ids = openApi.operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, parameters } of openApi.operations) {
      const named = parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(named);
    }
  });
});

describe('real answers fit the description', () => {
  it.each(ROWS.filter(({ row }) => row !== 'sync status'))(
    '$row in $shape, done and refused',
    async (row) => {
      const { method, path, body, nodeToken } = await row.setup(world);
      const { credential } = row;
      const own = nodeToken ?? world.tokenB;
      const token = credential === 'anyone' ? undefined : credential.startsWith('node') ? own : admin();
      if (credential !== 'anyone') await check(method, path, { body });
      await check(method, path, { body, token });
      if (body !== undefined)
        await check(method, path, { token, body: '{', headers: { 'content-type': 'application/json' } });
    },
  );

  it('of a pull that is begun and not waited for', async () => {
    const answer = await check('POST', `/federation/nodes/${world.idB}/sync?wait=0`, { token: admin() });
    expect([answer.status, answer.body]).toEqual([202, {}]);
  });

  it('of what Footbridges say to each other', async () => {
    const { moduleID } = await world.exposed();
    const token = world.tokenB;
    const base = '/federation/footbridge';
    await check('GET', `${base}/hello`);
    await check('GET', `${base}/hello?token=e30.e30&challenge=${'0'.repeat(32)}`);
    await check('GET', `${base}/wait?timeout=0`, { token });
    await check('GET', `${base}/modules/${moduleID}/changes`, { token });
    const first = await check('GET', `${base}/modules/${moduleID}/changes?limit=1`, { token });
    const { epoch, next } = z.object({ response: changesAnswer }).parse(first.body).response;
    const behind = `after=${next}&epoch=${epoch}`;
    await check('GET', `${base}/modules/${moduleID}/changes?groups=1&${behind}`, { token });
    await check('GET', `${base}/modules/${moduleID}/changes?after=5`, { token });
    await check('POST', `${base}/modules/${moduleID}/rows`, { token, body: { recordIDs: ['5'] } });
    const sums = { fields: ['Phone'], blocks: 2 };
    await check('POST', `${base}/modules/${moduleID}/digest`, { token, body: sums });
    await check('POST', `${base}/modules/${moduleID}/digest`, { token, body: { ...sums, block: 1 } });
    const taken = { moduleID, wanted: 'yes', epoch: 'b1946ac92492d234', after: 12, held: 0, apart: 0 };
    await check('POST', `${base}/standing`, { token, body: { lists: [taken] } });
    await check('POST', `${base}/pairing`, { body: { nodeID: world.idB, proof: 'f'.repeat(64) } });
    const proof = await world.b.federation.handshakes
      .collectProof((await world.asking()).node.sharedNodeID)
      .catch(() => undefined);
    expect(proof).toBeUndefined();
    const asked = await world.asked();
    const nodeB = (await world.b.federation.nodes.list()).find(
      ({ sharedNodeID }) => sharedNodeID === asked.node.nodeID,
    );
    const known = await world.b.federation.handshakes.collectProof(nodeB?.nodeID ?? '');
    await check('POST', `${base}/pairing`, { body: { nodeID: known.sharedNodeID, proof: known.proof } });
    const other = await world.asked();
    await world.a.federation.pairing.confirm(other.node.nodeID);
    const nodeOther = (await world.b.federation.nodes.list()).find(
      ({ sharedNodeID }) => sharedNodeID === other.node.nodeID,
    );
    const theirs = await world.b.federation.tokens.tokenFor(nodeOther?.nodeID ?? '');
    const { body } = await check('POST', `${base}/token`, { token: theirs });
    const fresh = (body as { response: { token: string } }).response.token;
    await check('POST', `${base}/goodbye`, { token: fresh, body: {} });
  });

  it('of local data', async () => {
    const token = world.a.userToken('editor');
    const send = async (method: string, path: string, body?: unknown): Promise<Record<string, string>> => {
      const { body: answer } = await check(method, path, { token, body });
      return (answer as { response?: Record<string, string> } | undefined)?.response ?? {};
    };
    const spaces = '/compose/namespace/';
    const { namespaceID = '' } = await send('POST', spaces, { name: 'Second', slug: 'second' });
    await send('GET', spaces);
    await send('GET', spaces + namespaceID);
    await send('POST', spaces + namespaceID, { name: 'Other' });
    const modules = `${spaces}${namespaceID}/module/`;
    const fields = [
      { kind: 'String', name: 'Name' },
      { kind: 'Select', name: 'Stage', options: { options: ['a', 'b'] } },
    ];
    const { moduleID = '' } = await send('POST', modules, { name: 'Things', handle: 'things', fields });
    await send('GET', modules);
    await send('GET', modules + moduleID);
    await send('POST', modules + moduleID, { name: 'Renamed' });
    const records = `${modules}${moduleID}/record/`;
    const { recordID = '' } = await send('POST', records, { values: [{ name: 'Name', value: 'x' }] });
    await send('GET', `${records}?incTotal=1&limit=1`);
    await send('GET', records + recordID);
    await send('POST', records + recordID, { values: [{ name: 'Name', value: 'y' }] });
    await send('PATCH', records + recordID, { values: [{ name: 'Stage', value: 'a' }] });
    await send('DELETE', records + recordID);
    await send('POST', `${records}${recordID}/undelete`);
    const query = "Name = 'y'";
    await send('PATCH', records, { values: [{ name: 'Stage', value: 'b' }], query });
    await send('DELETE', records, { query });
    await send('PATCH', `${records}undelete`, { query });
    await check('POST', `${modules}${moduleID}/import`, {
      token,
      body: 'Name\nz\n',
      headers: { 'content-type': 'text/csv' },
    });
    await check('GET', `${modules}${moduleID}/export`, { token });
    await check('GET', `${modules}${moduleID}/export?format=xlsx`, { token });
    const { fields: made } = await world.a.lists.module(moduleID);
    await send('POST', modules + moduleID, { fields: made.slice(0, 1) });
    await send('GET', `${modules}${moduleID}/bin`);
    const stage = `${modules}${moduleID}/bin/${made[1]?.fieldID ?? ''}`;
    await send('POST', `${stage}/undelete`);
    await send('POST', modules + moduleID, { fields: made.slice(0, 1) });
    await check('DELETE', stage, { token: world.a.userToken('admin') });
    await send('DELETE', modules + moduleID);
    await send('GET', `${modules}?deleted=2`);
    await send('POST', `${modules}${moduleID}/undelete`);
    await check('DELETE', `${modules}${moduleID}?purge=1`, { token: world.a.userToken('admin') });
    await send('DELETE', spaces + namespaceID);
  });

  it('and every operation was seen to answer in every shape that it has', () => {
    const all = OPERATIONS.flatMap(({ id, answers }) => answers.map(({ shape }) => `${id}: ${shape}`));
    // What only a whole node has is asked in test/node/openapi.test.ts; routes are signed with an installation's key.
    const ofWholeNodes = [
      'syncNow: a list failed',
      'syncStatus: every',
      ...['announceRoutes: answer', 'announceRoutes: newer'],
      ...['health: every', 'health: it does not serve', 'describe: every'],
    ];
    expect(all.filter((each) => !answered.has(each))).toEqual(ofWholeNodes);
  });
});
