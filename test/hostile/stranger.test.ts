import { randomBytes } from 'node:crypto';
import { request } from 'node:https';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../support/harness/http.ts';
import { shareAndReceive, startNode, type NodeOffice, type Pair } from '../support/harness/node.ts';

/**
 * A stranger on the same network: knows every address and port, the ids of partners and lists, and has an
 * invite in hand that was used. Speaks TLS and trusts every certificate.
 */
const CANARY = 'Canary-of-the-customer-list';
let a: NodeOffice;
let b: NodeOffice;
let pair: Pair;
let exposureID: string;
let listID: string;

interface Answer {
  status: number;
  text: string;
}

beforeAll(async () => {
  a = await startNode('Oslo', { host: '0.0.0.0' });
  b = await startNode('Bergen');
  pair = await pairByLoopback();
  listID = await a.list('Customers', ['Name'], [{ Name: CANARY }]);
  await shareAndReceive({ office: a, partner: pair.atInviter, list: listID }, ['Name'], {
    office: b,
    partner: pair.atInvited,
  });
  const shares = await a.app<{ exposureID: string }[]>('GET', `/app/partners/${pair.atInviter}/shares`);
  exposureID = shares[0]?.exposureID ?? '';
});
afterAll(() => Promise.all([a.stop(), b.stop()]));

/** Pairs them by an invite that names the address at which the test reaches the first one. */
async function pairByLoopback(): Promise<Pair> {
  const { nodeID: atInviter } = await a.app<{ nodeID: string }>('POST', '/federation/nodes', {
    myDomain: `127.0.0.1:${a.port}`,
    domain: `127.0.0.1:${b.port}`,
    name: 'Bergen',
  });
  const { uri } = await a.app<{ uri: string }>('POST', `/app/partners/${atInviter}/reinvite`);
  const accept = { uri, ownNetwork: true };
  const { nodeID: atInvited } = await b.app<{ nodeID: string }>('POST', '/app/invites/accept', accept);
  await a.app('POST', `/federation/nodes/${atInviter}/handshake-confirm`);
  return { atInviter, atInvited, uri };
}

/** @param localAddress the stranger's: one that guesses too often is told nothing but that */
function ask(
  method: string,
  path: string,
  body?: unknown,
  token?: string,
  localAddress = '127.0.0.1',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port: a.port,
        path,
        method,
        localAddress,
        rejectUnauthorized: false,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (part: string) => (text += part));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text }));
      },
    );
    req.on('error', reject);
    req.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Everything there is to ask for, on the partners' port. */
const addresses = (): [string, string, unknown?][] => {
  const n = pair.atInviter;
  const m = exposureID;
  return [
    ['GET', '/federation/nodes'],
    ['POST', '/federation/nodes', { baseURL: 'https://evil.example/federation', name: 'evil' }],
    ['GET', `/federation/nodes/${n}`],
    ['DELETE', `/federation/nodes/${n}`],
    ['POST', `/federation/nodes/${n}/uri`],
    ['POST', `/federation/nodes/${n}/pair`],
    ['POST', `/federation/nodes/${n}/handshake-confirm`],
    ['POST', `/federation/nodes/${n}/handshake-complete`, { token: 'stolen' }],
    ['POST', `/federation/nodes/${n}/sync`],
    ['POST', `/federation/nodes/${n}/revoke`, {}],
    ['GET', `/federation/nodes/${n}/modules`],
    ['GET', `/federation/nodes/${n}/modules/?exposed=1`],
    ['PUT', `/federation/nodes/${n}/modules/`, { composeModuleID: listID, fields: [] }],
    ['GET', `/federation/nodes/${n}/modules/exposed/`],
    ['GET', `/federation/nodes/${n}/modules/${m}/exposed`],
    ['GET', `/federation/nodes/${n}/modules/${m}/records`],
    ['GET', `/federation/nodes/${n}/modules/${m}/records/`],
    ['GET', '/federation/exposed/modules'],
    ['GET', `/federation/exposed/modules/${m}`],
    ['GET', '/federation/exposed/records'],
    ['GET', `/federation/exposed/modules/${m}/records`],
    ['GET', `/exposed/modules/${m}/records`],
    ['GET', `/api/exposed/modules/${m}/records`],
    ['GET', `/federation/footbridge/modules/${m}/changes`],
    ['POST', `/federation/footbridge/modules/${m}/rows`, { recordIDs: ['1'] }],
    ['POST', `/federation/footbridge/modules/${m}/digest`, { fields: ['Name'], blocks: 1 }],
    ['GET', '/federation/footbridge/wait?timeout=0'],
    ['POST', '/federation/footbridge/token', {}],
    ['POST', '/federation/footbridge/goodbye', {}],
    ['POST', '/federation/footbridge/pairing', { nodeID: n, proof: '0'.repeat(64) }],
    ['GET', '/compose/namespace/'],
    ['GET', '/app/overview'],
    ['GET', '/app/lists'],
    ['GET', `/app/lists/${listID}/rows?offset=0&limit=10`],
    ['GET', '/app/support-bundle'],
    ['GET', '/'],
  ];
};

const REFUSED = [400, 401, 403, 404, 410, 429];

function expectNothing({ status, text }: Answer, what: string): void {
  expect(REFUSED, `${what} answered ${status} ${text}`).toContain(status);
  expect(text, what).not.toContain(CANARY);
  expect(text, what).not.toMatch(/eyJ/);
}

describe('a stranger on the same network gets nothing', () => {
  it('without a credential, from no address', async () => {
    for (const [method, path, body] of addresses())
      expectNothing(await ask(method, path, body), `${method} ${path}`);
  });

  it('but that a Footbridge is there, and how its interface works', async () => {
    expect((await ask('GET', '/healthz')).text).toBe('{"status":"ok"}');
    expect((await ask('GET', '/federation/footbridge/hello')).text).toBe('{"response":{"footbridge":1}}');
    const { text } = await ask('GET', '/openapi.json');
    expect(text).toContain('"openapi"');
    for (const told of [CANARY, 'Customers', pair.atInviter, exposureID, listID])
      expect(text).not.toContain(told);
  });

  it('with tokens of its own making', async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { sub: pair.atInviter, aud: 'federation', jti: 'x', iat: now, exp: now + 1000 };
    const forged = jwt.sign(claims, randomBytes(32), { algorithm: 'HS256' });
    for (const [method, path, body] of addresses())
      expectNothing(await ask(method, path, body, forged), `${method} ${path}`);
  });

  it('A1: with an invite that was used', async () => {
    const handshake = `/federation/nodes/${pair.atInviter}/handshake`;
    const used = { nodeURI: pair.uri, token: 'a-token-of-the-strangers', nodeIDB: '4711' };
    expect(await ask('POST', handshake, used)).toMatchObject({ status: 410 });
    const live = {
      pairToken: new URL(pair.uri).password,
      authToken: 'a-token-of-the-strangers',
      sharedNodeID: pair.atInviter,
    };
    expect(await ask('POST', handshake, live)).toMatchObject({ status: 410 });
    expect(await a.app('GET', `/app/partners/${pair.atInviter}`)).toMatchObject({ status: 'paired' });
    expect(await b.app('POST', `/app/partners/${pair.atInvited}/sync`)).toMatchObject({ failed: 0 });
  });

  it('A3: learns of no partner by trying: known and unknown ids and invites are answered alike', async () => {
    const body = (uri: string): object => ({ nodeURI: uri, token: 'x', nodeIDB: '1' });
    const wrong = pair.uri.replace(/:[A-Za-z0-9]{32}@/, `:${'A'.repeat(32)}@`);
    const guess = (path: string, guessed: unknown): Promise<Answer> =>
      ask('POST', path, guessed, undefined, '127.0.0.31');
    const known = await guess(`/federation/nodes/${pair.atInviter}/handshake`, body(wrong));
    const unknown = await guess(
      '/federation/nodes/123456789/handshake',
      body(wrong.replace(pair.atInviter, '123456789')),
    );
    expect(known).toEqual(unknown);
    expect(known.status).toBe(401);
    const proof = (nodeID: string): Promise<Answer> =>
      guess('/federation/footbridge/pairing', { nodeID, proof: '1'.repeat(64) });
    expect(await proof(pair.atInviter)).toEqual(await proof('123456789'));
  });

  it('finds the window’s port closed to the network', async () => {
    const port = Number(new URL(a.ready.window).port);
    expect(
      (await rawRequest(port, '/app/overview', { headers: { host: `192.168.1.5:${port}` } })).status,
    ).toBe(403);
  });
});

describe('a stranger is seen trying', () => {
  it('in the inbox and in the log, with what it tried', async () => {
    await ask('POST', `/federation/nodes/${pair.atInviter}/handshake`, {
      nodeURI: pair.uri,
      token: 'again',
      nodeIDB: '4711',
    });
    await expect
      .poll(async () => (await a.node.overview()).inbox.map(({ message }) => message).join('\n'), {
        timeout: 20_000,
      })
      .toMatch(/tried an invite that was used/);
    const { inbox } = await a.node.overview();
    const messages = inbox.filter(({ kind }) => kind === 'stranger').map(({ message }) => message);
    expect(messages.join('\n')).toMatch(/sent a key that isn’t valid/);
    expect(messages.join('\n')).toMatch(/tried an invite that does not exist/);
    expect(a.logged.join('\n')).toMatch(/"what":"old-invite".*somebody was turned away/);
  });

  it('A6: and nothing of what it sent is written down', () => {
    expect(a.logged.join('\n')).not.toContain(new URL(pair.uri).password);
    expect(a.logged.join('\n')).not.toContain('a-token-of-the-strangers');
  });
});
