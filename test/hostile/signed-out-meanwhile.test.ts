import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedSession } from '../../server/contract/app/settings.ts';
import { readUserKey } from '../../server/federation/partners/user-key.ts';
import { createUserTokens } from '../../server/federation/partners/user-tokens.ts';
import { rawRequest } from '../support/harness/http.ts';
import { rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';

/** Somebody who was let in sends a body slowly, and is let in no more before its end. */
let office: NodeOffice;
let windowPort: number;
let list: string;
let path: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  office = await startNode('Turku');
  windowPort = Number(new URL(office.ready.window).port);
  list = await office.list('Customers', ['Name'], [{ Name: 'Aalto Brass' }]);
  const { namespaceID } = await office.app<{ namespaceID: string }>('GET', `/app/lists/${list}`);
  path = `/compose/namespace/${namespaceID}/module/${list}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await office.stop();
});

/** What proves who asks, and the way in which that is taken back. */
interface LetIn {
  readonly headers: Readonly<Record<string, string>>;
  readonly takeBack: () => Promise<unknown>;
}

async function withWindow(): Promise<LetIn> {
  const link = new URL(office.node.windowLink());
  const { headers } = await rawRequest(windowPort, link.pathname + link.search);
  const cookie = (headers['set-cookie'] ?? []).join().split(';')[0] ?? '';
  const session = await rawRequest(windowPort, '/app/session', { headers: { cookie } });
  const { response } = JSON.parse(session.text) as { response: { csrfToken: string } };
  const listed = await rawRequest(windowPort, '/app/sessions', { headers: { cookie } });
  const own = (JSON.parse(listed.text) as { response: ListedSession[] }).response.find((each) => each.own);
  const sessionIDs = [own?.sessionID ?? ''];
  return {
    headers: { cookie, 'x-csrf-token': response.csrfToken },
    takeBack: () => office.app('POST', '/app/sessions/end', { sessionIDs }),
  };
}

async function withToken(): Promise<LetIn> {
  const tokens = createUserTokens(office.dataDir);
  const { token, ...made } = (await readUserKey(office.dataDir)).make('admin', 3_600_000);
  await tokens.add(made);
  return {
    headers: { authorization: `Bearer ${token}` },
    takeBack: () => tokens.revoke(made.jti, new Date().toISOString()),
  };
}

interface Sent {
  readonly method: string;
  readonly path: () => string;
  readonly type: string;
  readonly body: string;
}

const row = (Name: string): string => JSON.stringify({ values: { Name: [Name] } });
const csv = 'Name\nVirtanen Shipping\nLehto & Sons\n';
const SENT: readonly Sent[] = [
  { method: 'POST', path: () => `/app/lists/${list}/rows`, type: 'application/json', body: row('Saari Oy') },
  { method: 'POST', path: () => `/app/import?moduleID=${list}`, type: 'text/csv', body: csv },
  { method: 'POST', path: () => '/app/import?list=Others', type: 'text/csv', body: csv },
  {
    method: 'POST',
    path: () => `${path}/record`,
    type: 'application/json',
    body: '{"values":[{"name":"Name","value":"Koski Tools"}]}',
  },
  { method: 'POST', path: () => `${path}/import`, type: 'text/csv', body: csv },
  { method: 'POST', path: () => '/app/invites', type: 'application/json', body: '{"name":"Somebody"}' },
  { method: 'POST', path: () => '/federation/nodes/', type: 'application/json', body: '{"name":"Somebody"}' },
  { method: 'POST', path: () => '/app/restore', type: 'application/octet-stream', body: 'no backup' },
];

/** A request of which all but the last byte is there; `end` sends that one, and gives what comes back. */
async function held(
  { method, path, type, body }: Sent,
  headers: LetIn['headers'],
): Promise<() => Promise<string>> {
  const socket = connect(windowPort, '127.0.0.1');
  sockets.push(socket);
  let got = '';
  socket.setEncoding('utf8').on('data', (part: string) => (got += part));
  socket.on('error', () => undefined);
  const lines = Object.entries({ ...headers, 'content-type': type }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head =
    `${method} ${path()} HTTP/1.1\r\nHost: 127.0.0.1:${windowPort}\r\nConnection: close\r\n` +
    `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n${lines.join('\r\n')}\r\n\r\n`;
  socket.write(head);
  // The server has the head once it asks for the rest.
  await expect.poll(() => got).toContain('100 Continue');
  socket.write(body.slice(0, -1));
  return async () => {
    const closed = new Promise((done) => socket.once('close', done));
    socket.write(body.slice(-1));
    await closed;
    return got.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  };
}

const standing = async (): Promise<unknown> => [
  await rowsOf(office, list),
  (await office.app<{ name: string }[]>('GET', '/app/lists')).map(({ name }) => name),
  (await office.app<{ set: { name: string }[] }>('GET', '/federation/nodes/?shape=1')).set.map(
    ({ name }) => name,
  ),
];

describe.each([
  ['a window', withWindow],
  ['a token', withToken],
])('%s that is let in no more before the body is whole', (_who, letIn) => {
  it.each(SENT)('changes nothing by $method of $type', async (sent) => {
    const before = await standing();
    const { headers, takeBack } = await letIn();
    const end = await held(sent, headers);
    await takeBack();
    expect(await end()).toMatch(/^HTTP\/1\.1 401 /);
    expect(await standing()).toEqual(before);
  });
});

it('a body that comes slowly from who stays let in is taken', async () => {
  const { headers } = await withWindow();
  const [first] = SENT;
  if (!first) throw new Error('nothing to send');
  expect(await (await held(first, headers))()).toMatch(/^HTTP\/1\.1 200 /);
  expect((await rowsOf(office, list)).map(({ Name }) => Name)).toContain('Saari Oy');
});

it.each([
  ['a window', withWindow],
  ['a token', withToken],
])(
  'a link into the window that %s made signs nobody in once that one is let in no more',
  async (_who, letIn) => {
    const { headers, takeBack } = await letIn();
    const newLink = async (): Promise<string> => {
      const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const made = await rawRequest(windowPort, '/app/sessions/link', sent);
      const { response } = JSON.parse(made.text) as { response: { link: string } };
      return new URL(response.link).search;
    };
    const follow = async (search: string): Promise<unknown> =>
      (await rawRequest(windowPort, `/${search}`)).headers['set-cookie'];
    const [before, after] = [await newLink(), await newLink()];
    expect(await follow(before)).toBeDefined();
    await takeBack();
    expect(await follow(after)).toBeUndefined();
  },
);
