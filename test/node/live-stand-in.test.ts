import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { httpCall } from '../support/harness/served-parts.ts';
import { startLiveServer, type LiveServer } from '../support/partners/live-server.ts';
import { createIdMap, differences, recordings, type Exchange } from '../support/partners/recordings.ts';

/**
 * The stand-in is only worth what it has in common with the server it stands for: here it is asked what a real
 * one was asked, and has to answer the same.
 */
const exchanges = recordings('server-2022.3');
const exchangeOf = (step: string): Exchange => {
  const found = exchanges.find((each) => each.step === step);
  if (!found) throw new Error(`no recording of ${step}`);
  return found;
};

const column = z.object({ kind: z.string(), name: z.string(), label: z.string(), isMulti: z.boolean() });
const records = z.object({
  response: z.object({
    set: z.array(
      z.object({ values: z.array(z.object({ name: z.string(), value: z.string().default('') })) }),
    ),
  }),
});

let live: LiveServer;
const ids = createIdMap();
let token = '';
beforeAll(async () => {
  live = await startLiveServer();
  const { nodeID } = live.createNode('http://127.0.0.1:1/federation');
  const secret = new URL(live.invite(nodeID)).password;
  token = live.issueToken();
  const { fields } = z.object({ fields: z.array(column) }).parse(exchangeOf('expose').request.body);
  const exposure = live.expose('Contacts of A', fields, 'contacts_a');
  for (const { values } of records.parse(exchangeOf('records').response.body).response.set) {
    const columns: Record<string, string[]> = {};
    for (const { name, value } of values) (columns[name] ??= []).push(value);
    live.put(undefined, columns);
  }
  live.put(undefined, { name: 'a third one, for the recorded page had more behind it' });
  for (const recorded of ['523396525347307621', '523397686179659877']) ids.learn(recorded, nodeID);
  ids.learn('BCKUmnnFjI6Brg1DWE7glioBCG61mI1T', secret);
  ids.learn('523396536269406309', exposure.moduleID);
  ids.learn('523396524123226213', exposure.composeModuleID);
  ids.learn('523396524105859173', exposure.composeNamespaceID);
});
afterAll(() => live.close());

/** Steps, and in what the stand-in is simpler. */
const steps: readonly (readonly [step: string, simpler?: readonly string[]])[] = [
  ['structure'],
  ['structure without slash', [': "<!doctype html>" → a page']],
  ['records index'],
  // Whose records are left out, and where it goes on, are texts of the real one's own.
  [
    'records',
    ['response.filter.query: a filter → a filter', 'response.filter.nextPage: a cursor → a cursor'],
  ],
  [
    'records, no Accept',
    ['response.filter.query: a filter → a filter', 'response.filter.nextPage: a cursor → a cursor'],
  ],
  ['handshake, empty'],
  ['handshake, wrong secret'],
  ['handshake, unknown id'],
  ['handshake, wrong path'],
];

describe('what a real server answered, the stand-in answers', () => {
  it.each(steps.map(([step, simpler = []]) => ({ step, simpler })))('$step', async ({ step, simpler }) => {
    const { request, response } = exchangeOf(step);
    const path = ids.translate(request.path);
    const answer = await httpCall(new URL(path, live.base).href, request.method, {
      ...(request.method === 'GET' ? { token } : {}),
      body: request.body === undefined ? undefined : ids.translate(request.body),
      headers: request.accept === 'none' ? { accept: '*/*' } : {},
    });
    expect(answer.status).toBe(response.status);
    expect(
      answer.headers.get('content-type')?.replace('application/json; charset=utf-8', 'application/json'),
    ).toBe(response.contentType);
    const found = differences(response.body, answer.body ?? answer.text, ids).map((line) =>
      line
        .replace(/nextPage: .*/, 'nextPage: a cursor → a cursor')
        .replace(/→ "<!doctype html>.*/s, '→ a page'),
    );
    expect(found).toEqual(simpler);
  });

  it.each([
    ['no token', undefined, 200, 'not allowed to manage this node'],
    ['a made-up token', 'abc', 500, 'token is unauthorized'],
  ])('%s: as in the table of recorded errors', async (_, wrong, status, said) => {
    const path = `${live.base}/nodes/${live.nodes[0]?.nodeID}/modules/exposed/?limit=1`;
    const json = await httpCall(path, 'GET', { token: wrong });
    expect([json.status, json.body]).toMatchObject([status, { error: { message: said } }]);
    const text = await httpCall(path, 'GET', { token: wrong, headers: { accept: '*/*' } });
    expect([text.status, text.text.startsWith(`Error: ${said}`)]).toEqual([status, true]);
  });

  it('an ended token: 500, and one that is not in its table: 401', async () => {
    live.tokenLifetime = -5;
    const ended = live.issueToken();
    live.tokenLifetime = 7200;
    const path = `${live.base}/nodes/${live.nodes[0]?.nodeID}/modules/exposed/?limit=1`;
    expect(await httpCall(path, 'GET', { token: ended })).toMatchObject({
      status: 500,
      body: { error: { message: 'token is expired' } },
    });
    const forgotten = live.issueToken();
    live.revokeTokens();
    expect(await httpCall(path, 'GET', { token: forgotten })).toMatchObject({
      status: 401,
      body: { error: { message: 'unauthorized' } },
    });
  });
});
