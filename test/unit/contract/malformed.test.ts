import { createHmac, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../../server/contract/common.ts';
import type { HttpCall } from '../../support/harness/served-parts.ts';
import { federationState, startWorld, type World } from './world.ts';

let world: World;
let shared: { moduleID: string; listID: string; namespaceID: string };
let offer: string;
beforeAll(async () => {
  world = await startWorld();
  const { module, moduleID } = await world.exposed();
  shared = { moduleID, listID: module.moduleID, namespaceID: module.namespaceID };
  offer = (await world.offered()).moduleID;
});
afterAll(() => world.close());

interface Wrong {
  readonly what: string;
  readonly method: string;
  readonly path: () => string;
  readonly more?: () => HttpCall;
  readonly status: number;
  readonly code?: string;
}

/** Sends it as `a`'s admin, or as partner `b` where the address is a feed. */
async function expectRefused({ what, method, path, more, status, code }: Wrong): Promise<void> {
  const isFeed = /records|exposed\/modules|footbridge|modules\/exposed/.test(path());
  const token = isFeed ? world.tokenB : world.a.userToken('admin');
  const before = await federationState(world.a);
  const answer = await world.a.call(method, path(), { token, ...more?.() });
  expect([what, answer.status]).toEqual([what, status]);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const { error } = errorBody.strict().parse(answer.body);
  if (code !== undefined) expect(error.code).toBe(code);
  expect(error.message).not.toMatch(/undefined|\[object|at \w+ \(/);
  expect(await federationState(world.a)).toEqual(before);
}

const n = (): string => `/federation/nodes/${world.idB}`;
const records = (query: string) => () => `${n()}/modules/${shared.moduleID}/records${query}`;
const body = (value: unknown) => (): HttpCall => ({ body: value });
const raw =
  (text: string, type = 'application/json') =>
  (): HttpCall => ({
    body: text,
    headers: { 'content-type': type },
  });
const uri = (secret = 'a'.repeat(32)): string => `https://5:${secret}@b.example/federation`;
const expose = (more: object) => (): HttpCall => ({
  body: {
    composeModuleID: shared.listID,
    composeNamespaceID: shared.namespaceID,
    fields: [{ name: 'Phone' }],
    ...more,
  },
});

const bodies: Wrong[] = [
  ...[
    ['broken JSON', '{"name": "x"', 400],
    ['a bare text', '"x"', 400],
    ['a number', '5', 400],
    ['an array where an object belongs', '[]', 400],
    ['an empty object', '{}', 400],
    ['no body', '', 400],
    ['null', 'null', 400],
    ['100,000 brackets', '['.repeat(100_000), 400],
  ].map(([what, text, status]): Wrong => ({
    what: String(what),
    method: 'POST',
    path: () => '/federation/nodes',
    more: raw(String(text)),
    status: Number(status),
  })),
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'].map(
    (type): Wrong => ({
      what: type,
      method: 'POST',
      path: () => '/federation/nodes',
      more: raw('{}', type),
      status: 415,
    }),
  ),
  {
    what: 'an unknown charset',
    method: 'POST',
    path: () => '/federation/nodes',
    more: raw('{}', 'application/json; charset=klingon'),
    status: 415,
  },
  {
    what: 'one byte over 1 MiB',
    method: 'POST',
    path: () => '/federation/nodes',
    more: () => ({ body: JSON.stringify({ name: 'x'.repeat(1024 * 1024 - 10) }) }),
    status: 413,
  },
  {
    what: 'a handshake over 64 KiB',
    method: 'POST',
    path: () => `${n()}/handshake`,
    more: body({ nodeURI: uri(), token: 'x'.repeat(65_536), nodeIDB: '5' }),
    status: 413,
  },
];

const nodes: Wrong[] = [
  { what: 'a name that is a number', body: { baseURL: 'https://b.example', name: 5 } },
  { what: 'a name that is too long', body: { name: 'x'.repeat(201) } },
  { what: 'an address that is none', body: { baseURL: 'not an address', name: 'x' } },
  ...['file:///etc/passwd', 'ftp://b.example', 'gopher://b.example', 'javascript:alert(1)'].map(
    (baseURL) => ({
      what: `S4: ${baseURL}`,
      body: { baseURL, name: 'x' },
    }),
  ),
  { what: 'credentials in a domain', body: { myDomain: 'a.example', domain: 'u:p@b.example', name: 'x' } },
  { what: 'an invite without a node', body: { baseURL: `https://:${'a'.repeat(32)}@b.example`, name: 'x' } },
  { what: 'an invite with id 0', body: { baseURL: uri().replace('5:', '0:'), name: 'x' } },
  {
    what: 'an invite beyond 64 bits',
    body: { baseURL: uri().replace('5:', `${'9'.repeat(20)}:`), name: 'x' },
  },
  { what: 'an invite with a short secret', body: { baseURL: uri('a'.repeat(31)), name: 'x' } },
  { what: 'an invite with a long secret', body: { myDomain: 'a', nodeURI: uri('a'.repeat(33)) } },
  { what: 'an invite with other signs', body: { pairingURI: uri('a'.repeat(31) + '-') } },
  {
    what: 'two hosts',
    body: { baseURL: `https://5:${'a'.repeat(32)}@good.example@evil.example/`, name: 'x' },
  },
  { what: 'an invite of another scheme', body: { pairingURI: uri().replace('https', 'ssh') } },
].map(({ what, body: value }): Wrong => ({
  what,
  method: 'POST',
  path: () => '/federation/nodes',
  more: body(value),
  status: 400,
}));

const steps: Wrong[] = [
  {
    what: 'handshake: no token',
    method: 'POST',
    path: () => `${n()}/handshake`,
    more: body({ nodeURI: uri(), nodeIDB: '5' }),
    status: 400,
  },
  {
    what: 'handshake: id as number',
    method: 'POST',
    path: () => `${n()}/handshake`,
    more: body({ nodeURI: uri(), token: 'x', nodeIDB: 5 }),
    status: 400,
  },
  {
    what: 'handshake: token with blanks',
    method: 'POST',
    path: () => `${n()}/handshake`,
    more: body({ nodeURI: uri(), token: 'a b', nodeIDB: '5' }),
    status: 400,
  },
  {
    what: 'handshake: unknown secret',
    method: 'POST',
    path: () => `${n()}/handshake`,
    more: body({ nodeURI: uri(), token: 'x', nodeIDB: '5' }),
    status: 401,
  },
  {
    what: 'handshake: unknown partner',
    method: 'POST',
    path: () => '/federation/nodes/77/handshake',
    more: body({ nodeURI: uri(), token: 'x', nodeIDB: '5' }),
    status: 401,
  },
  {
    what: 'handshake, live: empty secret',
    method: 'POST',
    path: () => `${n()}/handshake`,
    more: () => ({ body: { pairToken: '', authToken: 'x', sharedNodeID: world.idB } }),
    status: 401,
  },
  { what: 'A2: pair without an invite', method: 'POST', path: () => `${n()}/pair`, status: 409 },
  { what: 'A2: confirm twice', method: 'POST', path: () => `${n()}/handshake-confirm`, status: 409 },
  {
    what: 'A2: complete on the inviter',
    method: 'POST',
    path: () => `${n()}/handshake-complete`,
    more: () => ({ token: world.tokenB, body: { token: 'x' } }),
    status: 409,
  },
  {
    what: 'complete without a token',
    method: 'POST',
    path: () => `${n()}/handshake-complete`,
    more: () => ({ token: world.tokenB, body: {} }),
    status: 400,
  },
  {
    what: 'pause until never',
    method: 'POST',
    path: () => `${n()}/pause`,
    more: body({ until: 'tomorrow' }),
    status: 400,
  },
];

const sharing: Wrong[] = [
  { what: 'exposing with a numeric id', more: expose({ composeModuleID: 5 }), status: 400 },
  { what: 'exposing without columns', more: expose({ fields: [] }), status: 422 },
  { what: 'all columns unticked', more: expose({ fields: [{ name: 'Phone', value: false }] }), status: 422 },
  { what: 'a column twice', more: expose({ fields: [{ name: 'Phone' }, { name: 'Phone' }] }), status: 422 },
  { what: 'an unknown column', more: expose({ fields: [{ name: '__proto__' }] }), status: 422 },
  { what: 'an unknown kind', more: expose({ fields: [{ name: 'Phone', kind: 'Colour' }] }), status: 400 },
  { what: 'a flag that is text', more: expose({ fields: [{ name: 'Phone', isMulti: 'yes' }] }), status: 400 },
  { what: 'a flag of 2', more: expose({ fields: [{ name: 'Phone', is_multi: 2 }] }), status: 400 },
  {
    what: '501 columns',
    more: expose({ fields: Array.from({ length: 501 }, (_, i) => ({ name: `c${i}` })) }),
    status: 400,
  },
  { what: 'exposing twice', more: expose({}), status: 409 },
  { what: 'an array without a list', more: body([{ name: 'Phone' }]), status: 400 },
].map((wrong) => ({ method: 'PUT', path: () => `${n()}/modules`, ...wrong }));

const mapping: Wrong[] = [
  {
    what: 'a mapping without a list',
    more: body([{ origin: { name: 'Phone' }, destination: { name: 'Phone' } }]),
    status: 422,
  },
  {
    what: 'a mapping of an unknown column',
    more: () => ({
      body: {
        composeModuleID: shared.listID,
        fields: [{ origin: { name: 'No' }, destination: { name: 'Phone' } }],
      },
    }),
    status: 422,
  },
  {
    what: 'a mapping into an unknown column',
    more: () => ({
      body: {
        composeModuleID: shared.listID,
        fields: [{ origin: { name: 'Phone' }, destination: { name: 'No' } }],
      },
    }),
    status: 422,
  },
  {
    what: 'a column filled twice',
    more: () => ({
      body: {
        composeModuleID: shared.listID,
        fields: ['Phone', 'LinkedIn'].map((name) => ({ origin: { name }, destination: { name: 'Phone' } })),
      },
    }),
    status: 422,
  },
  {
    what: 'an empty mapping',
    more: () => ({ body: { composeModuleID: shared.listID, fields: [] } }),
    status: 422,
  },
  { what: 'a mapping without destinations', more: body([{ origin: { name: 'Phone' } }]), status: 400 },
  {
    what: 'another workspace',
    more: () => ({
      body: {
        composeModuleID: shared.listID,
        composeNamespaceID: '5',
        fields: [{ origin: { name: 'Phone' }, destination: { name: 'Phone' } }],
      },
    }),
    status: 422,
  },
].map((wrong) => ({ method: 'PUT', path: () => `${n()}/modules/${offer}/mapped`, ...wrong }));

const queries: Wrong[] = [
  ...[
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'perPage=0',
    'perPage=1001',
    'limit=0',
    'limit=1001',
    'limit=1&page=1',
    'pageCursor=x&perPage=5',
    'page=1&page=2',
  ],
  ...[
    'lastSync=yesterday',
    'lastSync=-5',
    'lastSync=1.5',
    'lastSync=2026-13-45T00:00:00Z',
    'lastSync=2026-01-01',
    'lastSync=',
  ],
  ...[
    'sort=Nope',
    'sort=Phone+SIDEWAYS',
    'sort=Phone;drop',
    'limit=5&pageCursor=bogus',
    `limit=5&pageCursor=${Buffer.from('{"K":["id"]}').toString('base64')}`,
  ],
  ...['deleted=1', 'lastSync=0&deleted=0', 'lastSync=0&deleted=2', 'incTotal=true', 'labels%5Ba%5D=b'],
  ...['incPageNavigation=1', 'meta=x', 'status=paired', 'handle=x'],
  ...['query=Nope+%3D+1', "query=(Phone+%3D+'1'", 'query=constructor+%3D+1'],
].map((query): Wrong => ({ what: query, method: 'GET', path: records(`?${query}`), status: 400 }));

const addresses: Wrong[] = [
  ...['..%2f', '%00', 'constructor', '__proto__', '-1', '1e3', '0x10', '99999999999999999999', 'ä'].map(
    (id): Wrong => ({
      what: `S8: node ${id}`,
      method: 'GET',
      path: () => `/federation/nodes/${id}/modules/5/shared`,
      status: 400,
    }),
  ),
  { what: 'S8: a bad escape', method: 'GET', path: () => '/federation/nodes/%zz', status: 400 },
  {
    what: 'S8: a bad escape in the query',
    method: 'GET',
    path: () => '/federation/nodes?query=5%',
    status: 400,
  },
  {
    what: 'S8: a module of dots',
    method: 'GET',
    path: () => `/federation/exposed/modules/..%2f..`,
    status: 400,
  },
  { what: 'an unknown node', method: 'GET', path: () => '/federation/nodes/77', status: 404 },
  { what: 'an unknown exposure', method: 'GET', path: () => `${n()}/modules/77/exposed`, status: 404 },
  { what: 'an unknown offer', method: 'GET', path: () => `${n()}/modules/77/shared`, status: 404 },
  {
    what: 'an offer that is not matched',
    method: 'GET',
    path: () => `${n()}/modules/${offer}/mapped`,
    status: 404,
  },
  { what: 'removing what is not there', method: 'DELETE', path: () => `${n()}/modules/77`, status: 404 },
  { what: 'two selectors', method: 'DELETE', path: () => `${n()}/modules/77?exposed&shared`, status: 400 },
  { what: 'an unknown address', method: 'GET', path: () => '/federation/nowhere', status: 404 },
  {
    what: 'a page that is no number, of a list by its selector',
    method: 'GET',
    path: () => `${n()}/modules?exposed&page=null`,
    status: 400,
  },
  ...[
    ['', 'sort=name'],
    ['', 'incTotal=true'],
    ['', 'deleted=2'],
    ['', 'labels=a%3Db'],
    ['/modules', 'incTotal=1'],
    ...['deleted=1', 'deleted=2', 'labels=a%3Db', 'labels%5Ba%5D=b', 'status=paired'].flatMap((query) => [
      ['/modules', query],
      ['/modules', `exposed&${query}`],
      ['/modules', `shared=1&${query}`],
      ['/modules', `mapped&${query}`],
      ['/modules/exposed/', query],
      ['/modules/exposed/records/', query],
    ]),
    ['/modules/exposed/records/', 'limit=1'],
    ['/modules/exposed/records/', 'sort=name'],
    ['/modules', 'exposed&sort=name'],
    ['/modules', 'mapped&query=Sales'],
    ['/modules', 'exposed&shared'],
    ['/modules', 'shared=1&limit=1'],
    ['/modules/exposed/', 'sort=name'],
    ['/modules/exposed/', 'query=Sales'],
    ['/modules/exposed/', 'page=2&perPage=1'],
    ['/modules/exposed/', 'incTotal=true'],
  ].map(([at = '', query = '']): Wrong => ({
    what: `what would be ignored: ${at}?${query}`,
    method: 'GET',
    path: () => `${at === '' ? '/federation/nodes' : n() + at}?${query}`,
    status: 400,
  })),
  {
    what: 'the time of the other shape',
    method: 'GET',
    path: records('?after=2026-01-01T00:00:00Z'),
    status: 400,
    code: 'query.unsupported',
  },
  { what: 'an unknown shape', method: 'GET', path: () => `${n()}?shape=3`, status: 400 },
  { what: 'a pause in an unknown shape', method: 'POST', path: () => `${n()}/pause?shape=3`, status: 400 },
  { what: 'the end in an unknown shape', method: 'DELETE', path: () => `${n()}?shape=3`, status: 400 },
  {
    what: 'a mapping filter that is no id',
    method: 'GET',
    path: () => `${n()}/modules/${offer}/mapped?composeModuleID=x`,
    status: 400,
  },
  { what: 'a feed of another list', method: 'GET', path: () => '/exposed/modules/77/records', status: 404 },
  {
    what: 'a live limit that is no number',
    method: 'GET',
    path: () => `${n()}/modules/exposed/?limit=x`,
    status: 400,
  },
  {
    what: 'a live cursor that is none',
    method: 'GET',
    path: () => `${n()}/modules/exposed/?limit=1&pageCursor=bogus`,
    status: 400,
  },
  {
    what: 'a live time that is none',
    method: 'GET',
    path: () => `${n()}/modules/exposed/?lastSync=soon`,
    status: 400,
  },
  {
    what: 'a wait that is too long',
    method: 'GET',
    path: () => '/federation/footbridge/wait?timeout=56',
    status: 400,
  },
];

describe.each(Object.entries({ bodies, nodes, steps, sharing, mapping, queries, addresses }))(
  '%s',
  (_name, wrongs) => {
    it.each(wrongs)('$what → $status', expectRefused);
  },
);

describe('parameters that ask for nothing', () => {
  const empty =
    'limit=&pageCursor=&page=&perPage=&sort=&query=&name=&handle=&status=&labels=&deleted=&incTotal=';
  it.each([
    ['partners', 'nodes', ''],
    ['offers', 'modules', ''],
    ['exposures', 'modules', 'exposed&'],
    ['rows', 'records', ''],
    ['rows, live', 'records/', ''],
    ['definitions, live', 'modules/exposed/', ''],
  ])('are taken by the list of %s', async (_name, list, selector) => {
    const paths: Record<string, string> = {
      nodes: '/federation/nodes',
      records: records('')(),
      'records/': `${records('')()}/`,
    };
    const path = paths[list] ?? `${n()}/${list}`;
    const token = /records|exposed/.test(list) ? world.tokenB : world.a.userToken('admin');
    const call = async (query: string): Promise<unknown> => {
      const answer = await world.a.call('GET', `${path}?${selector}${query}`, { token });
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    expect(await call(empty)).toEqual(await call(''));
    await call(`incTotal=0&labels=&incPageNavigation=false&deleted=${list === 'records/' ? '1' : '0'}`);
  });
});

describe('A5: tokens that are not ours', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = (): object =>
    JSON.parse(Buffer.from(world.tokenB.split('.')[1] ?? '', 'base64url').toString()) as object;
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = keys.publicKey.export({ type: 'spki', format: 'pem' });
  const forge = (header: object, more: object): string => {
    const head = `${part(header)}.${part({ ...claims(), ...more })}`;
    return `${head}.${createHmac('sha256', 'guess').update(head).digest('base64url')}`;
  };

  it.each([
    ['alg none', () => `${part({ alg: 'none', typ: 'JWT' })}.${world.tokenB.split('.')[1] ?? ''}.`],
    [
      'alg none with the signature',
      () => [part({ alg: 'none' }), ...world.tokenB.split('.').slice(1)].join('.'),
    ],
    ['RS256 signed by a stranger', () => jwt.sign(claims(), keys.privateKey, { algorithm: 'RS256' })],
    [
      'HS256 keyed with a public key',
      () =>
        jwt.sign(claims(), createSecretKey(Buffer.from(pem)), {
          algorithm: 'HS256',
        }),
    ],
    ['a foreign key', () => jwt.sign(claims(), createSecretKey(randomBytes(32)))],
    ['another audience', () => forge({ alg: 'HS256' }, { aud: 'user', role: 'admin' })],
    ['another subject', () => forge({ alg: 'HS256' }, { sub: world.idC })],
    ['a later end', () => forge({ alg: 'HS256' }, { exp: 9_999_999_999 })],
    ['a changed signature', () => `${world.tokenB.slice(0, -4)}AAAA`],
    ['cut off', () => world.tokenB.slice(0, 40)],
    ['8 kB of noise', () => 'x'.repeat(8000)],
    ['not yet', () => forge({ alg: 'HS256' }, { nbf: 9_999_999_999 })],
  ])('%s → 401', async (_name, token) => {
    const answer = await world.a.call('GET', '/federation/exposed/modules', { token: token() });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('a user’s token of this office that has ended → 401', async () => {
    const ended = world.a.federation.tokens.issueUserToken('admin', -1000);
    expect((await world.a.call('GET', '/federation/nodes', { token: ended })).status).toBe(401);
  });
});
