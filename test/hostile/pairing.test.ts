import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import {
  askNode,
  scriptedPartner,
  type Said,
  type ScriptedPartner,
} from '../support/partners/scripted-partner.ts';

let later = 0;
let a: NodeOffice;
let b: ScriptedPartner;
let c: ScriptedPartner;
beforeAll(async () => {
  a = await startNode('Oslo', { clock: { ...systemClock, now: () => Date.now() + later } });
  b = await scriptedPartner(a, 'Bergen');
  c = await scriptedPartner(a, 'Copenhagen');
});
afterAll(() => Promise.all([a.stop(), b.close(), c.close()]));

async function invite(): Promise<{ nodeID: string; uri: string }> {
  return a.app('POST', '/app/invites', { name: 'Somebody' });
}
const shake = (nodeID: string, uri: string, token: string): Promise<Said> =>
  askNode(a.port, 'POST', `/federation/nodes/${nodeID}/handshake`, {
    body: { nodeURI: uri, token, nodeIDB: '99' },
  });

describe('A1: an invite', () => {
  it('raced for by twenty is won by exactly one; the others hear that it is gone', async () => {
    const { nodeID, uri } = await invite();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => shake(nodeID, uri, `token-${at}`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...new Array<number>(19).fill(410)]);
  });

  it('is void when a newer one was made, when the partner was removed, and after 24 hours', async () => {
    const first = await invite();
    await a.app('POST', `/federation/nodes/${first.nodeID}/uri`);
    expect(await shake(first.nodeID, first.uri, 'x')).toMatchObject({ status: 410 });

    const removed = await invite();
    await a.app('DELETE', `/federation/nodes/${removed.nodeID}`);
    expect(await shake(removed.nodeID, removed.uri, 'x')).toMatchObject({ status: 410 });

    const old = await invite();
    later = 24 * 3_600_000 + 1000;
    expect(await shake(old.nodeID, old.uri, 'x')).toMatchObject({ status: 410 });
    later = 0;
  });

  it('opens nothing by itself: before our user confirms, the new partner sees no list', async () => {
    const { nodeID, uri } = await invite();
    expect(await shake(nodeID, uri, 'a-token-for-oslo')).toMatchObject({ status: 200 });
    const feed = await askNode(a.port, 'GET', '/federation/exposed/modules', { token: 'a-token-for-oslo' });
    expect(feed.status).toBe(401);
  });
});

describe('A2: an invite that is used for a partner that is paired already', () => {
  it('changes nothing of the connection, and opens nothing, until our user says yes', async () => {
    const d = await scriptedPartner(a, 'Drammen');
    const feed = async (): Promise<number> => (await d.ask('GET', '/federation/exposed/modules')).status;
    expect(await feed()).toBe(200);
    const uri = await a.app<string>('POST', `/federation/nodes/${d.nodeID}/uri`);
    expect(await feed()).toBe(200);
    expect(await shake(d.nodeID, uri, 'whoever-had-the-invite')).toMatchObject({ status: 200 });
    expect(await feed()).toBe(200);
    const asking = await askNode(a.port, 'GET', '/federation/exposed/modules', {
      token: 'whoever-had-the-invite',
    });
    expect(asking.status).toBe(401);
    const { inbox } = await a.node.overview();
    expect(inbox.filter(({ kind, nodeID }) => kind === 'pair-request' && nodeID === d.nodeID)).toHaveLength(
      1,
    );
    await a.app('POST', `/app/partners/${d.nodeID}/decline`);
    expect(await feed()).toBe(200);
    expect((await a.node.overview()).inbox.filter(({ nodeID }) => nodeID === d.nodeID)).toEqual([]);
    await d.close();
  });
});

describe('A3: guessing', () => {
  interface Guess {
    readonly path: string;
    readonly body?: unknown;
    readonly token?: string;
  }
  /** How often each status came, for so many guesses from one of this computer's addresses. */
  async function guesses(
    times: number,
    localAddress: string,
    one: (at: number) => Guess,
  ): Promise<Record<number, number>> {
    const counts: Record<number, number> = {};
    for (let at = 0; at < times; at += 50) {
      const batch = Array.from({ length: Math.min(50, times - at) }, async (_, more) => {
        const { path, body, token } = one(at + more);
        const headers = { 'x-forwarded-for': `203.0.113.${(at + more) % 250}`, 'x-real-ip': '203.0.113.1' };
        const method = body === undefined ? 'GET' : 'POST';
        return (await askNode(a.port, method, path, { body, token, headers, localAddress })).status;
      });
      for (const status of await Promise.all(batch)) counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }
  /** Ids of partners, known ones among them: whoever guesses may write any. */
  const anyID = (at: number): string => (at % 3 === 0 ? b.nodeID : at % 3 === 1 ? c.nodeID : `${7e15 + at}`);
  const wrongToken = (at: number): Guess => ({
    path: `/federation/nodes/${anyID(at)}/modules/exposed/`,
    token: `guess-${at}`,
  });
  const wrongInvite = (at: number): Guess => ({
    path: `/federation/nodes/${anyID(at)}/handshake`,
    body: {
      nodeURI: `https://${anyID(at)}:${at.toString().padStart(32, 'x')}@oslo.example/federation`,
      token: `token-${at}`,
      nodeIDB: `${at}`,
    },
  });
  const wrongLiveInvite = (at: number): Guess => ({
    path: `/federation/nodes/${anyID(at)}/handshake`,
    body: { pairToken: at.toString().padStart(32, 'y'), authToken: `token-${at}`, sharedNodeID: anyID(at) },
  });
  const wrongProof = (at: number): Guess => ({
    path: '/federation/footbridge/pairing',
    body: { nodeID: anyID(at), proof: at.toString(16).padStart(64, '0') },
  });

  it('3,000 wrong tokens with any ids: 429 from the 21st on; a right one is let in, from there too', async () => {
    expect(await guesses(3000, '127.0.0.21', wrongToken)).toEqual({ 401: 20, 429: 2980 });
    const path = `/federation/nodes/${b.nodeID}/modules/exposed/`;
    const right = { token: b.token, localAddress: '127.0.0.21' };
    expect(await askNode(a.port, 'GET', path, right)).toMatchObject({ status: 200 });
    const elsewhere = { token: 'guess', localAddress: '127.0.0.25' };
    expect(await askNode(a.port, 'GET', path, elsewhere)).toMatchObject({ status: 401 });
  });

  it.each([
    ['secrets of invites', '127.0.0.22', wrongInvite],
    ['secrets of invites as live servers send them', '127.0.0.23', wrongLiveInvite],
    ['proofs of a pairing', '127.0.0.24', wrongProof],
  ])('200 %s with any ids: 429 from the 21st on', async (_what, address, guess) => {
    expect(await guesses(200, address, guess)).toEqual({ 401: 20, 429: 180 });
  });

  it('one of each in turn counts as one guesser, and a right invite still wins', async () => {
    const kinds = [wrongToken, wrongInvite, wrongLiveInvite, wrongProof];
    const inTurn = (at: number): Guess => (kinds[at % kinds.length] ?? wrongToken)(at);
    expect(await guesses(200, '127.0.0.26', inTurn)).toEqual({ 401: 20, 429: 180 });
    const { nodeID, uri } = await invite();
    const body = { nodeURI: uri, token: 'a-token-for-oslo', nodeIDB: '4242' };
    const path = `/federation/nodes/${nodeID}/handshake`;
    expect(await askNode(a.port, 'POST', path, { body, localAddress: '127.0.0.26' })).toMatchObject({
      status: 200,
    });
  });
});

describe('S5: consent to a private address', () => {
  it('goes by the address that the request came from, whatever the request says of it', async () => {
    const asked = async (baseURL: string): Promise<boolean> => {
      const { nodeID, uri } = await invite();
      const footbridge = { baseURL, installation: 'elsewhere', office: 'Elsewhere' };
      const answer = await askNode(a.port, 'POST', `/federation/nodes/${nodeID}/handshake`, {
        body: { nodeURI: uri, token: 'a-token-for-oslo', nodeIDB: '99', footbridge },
        headers: { 'x-forwarded-for': '192.168.77.5', forwarded: 'for=192.168.77.5' },
      });
      expect(answer.status).toBe(200);
      await a.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
      return (await a.app<{ ownNetwork: boolean }>('GET', `/app/partners/${nodeID}`)).ownNetwork;
    };
    expect(await asked('http://127.0.0.1:1/federation')).toBe(true);
    expect(await asked('https://192.168.77.5/federation')).toBe(false);
  });
});

describe('A4: a credential opens only what it is for', () => {
  it('another partner’s paths: 403', async () => {
    for (const path of ['modules/exposed/', 'modules/1/records', 'modules/1/records/'])
      expect(await b.ask('GET', `/federation/nodes/${c.nodeID}/${path}`)).toMatchObject({ status: 403 });
    const complete = `/federation/nodes/${c.nodeID}/handshake-complete`;
    expect(await b.ask('POST', complete, { body: { token: 'x' } })).toMatchObject({ status: 403 });
  });

  it('another partner’s list by its id: 404, as if it were not there', async () => {
    const list = await a.list('For Copenhagen', ['Name'], [{ Name: 'x' }]);
    await a.app('PUT', `/app/partners/${c.nodeID}/shares/${list}`, { fields: ['Name'] });
    const [share] = await a.app<{ exposureID: string }[]>('GET', `/app/partners/${c.nodeID}/shares`);
    const path = `/federation/exposed/modules/${share?.exposureID ?? ''}/records`;
    expect(await c.ask('GET', path)).toMatchObject({ status: 200 });
    const foreign = await b.ask('GET', path);
    const unknown = await b.ask('GET', '/federation/exposed/modules/123456789/records');
    expect(foreign.status).toBe(404);
    expect(foreign.text.replace(/\d+/g, '')).toBe(unknown.text.replace(/\d+/g, ''));
  });

  it.each([
    ['GET', '/federation/nodes'],
    ['POST', '/federation/nodes'],
    ['POST', '/federation/nodes/1/uri'],
    ['POST', '/federation/nodes/1/sync'],
    ['GET', '/compose/namespace/'],
    ['PUT', '/federation/nodes/1/modules/'],
  ])('a partner’s token on %s %s of this office: 403', async (method, path) => {
    expect(await b.ask(method, path, { body: method === 'GET' ? undefined : {} })).toMatchObject({
      status: 403,
    });
  });

  it.each([
    '/federation/exposed/modules',
    '/federation/exposed/records',
    '/federation/footbridge/wait?timeout=0',
  ])('a user’s token on %s, which is for partners: 403', async (path) => {
    const token = a.node.userToken('admin', 60_000);
    expect(await askNode(a.port, 'GET', path, { token })).toMatchObject({ status: 403 });
  });
});

describe('A7: revoking', () => {
  it('in the middle of a pull ends it with the next page; the ledger keeps what had left', async () => {
    const partner = await scriptedPartner(a, 'Too curious');
    const rows = Array.from({ length: 30 }, (_, at) => ({ Name: `Name ${at}` }));
    const list = await a.list('Members', ['Name'], rows);
    await a.app('PUT', `/app/partners/${partner.nodeID}/shares/${list}`, { fields: ['Name'] });
    const [share] = await a.app<{ exposureID: string }[]>('GET', `/app/partners/${partner.nodeID}/shares`);
    const pages = `/federation/exposed/modules/${share?.exposureID ?? ''}/records?limit=10`;
    const first = await partner.ask('GET', pages);
    const { filter, set } = first.response as { filter: { nextPage: string }; set: { recordID: string }[] };
    expect(set).toHaveLength(10);

    await a.app('POST', `/federation/nodes/${partner.nodeID}/revoke`);
    const next = await partner.ask('GET', `${pages}&pageCursor=${encodeURIComponent(filter.nextPage)}`);
    expect(next.status).toBe(401);
    const ledger = await a.app<{ total: number; lines: { recordIDs: string[]; rows: number }[] }>(
      'GET',
      `/app/partners/${partner.nodeID}/ledger`,
    );
    expect(ledger.total).toBe(1);
    expect(ledger.lines[0]?.recordIDs).toEqual(set.map(({ recordID }) => recordID));
    await partner.close();
  });
});

describe('A8: renewing a token', () => {
  it('whose answer got lost leaves the old one good, until a new one is used once', async () => {
    const feed = async (token: string): Promise<number> =>
      (await b.ask('GET', '/federation/exposed/modules', { token })).status;
    const old = b.token;
    await b.ask('POST', '/federation/footbridge/token', { body: {} });
    expect(await feed(old)).toBe(200);
    const { response } = await b.ask('POST', '/federation/footbridge/token', { body: {} });
    const { token } = response as { token: string };
    expect(await feed(old)).toBe(200);
    expect(await feed(token)).toBe(200);
    expect(await feed(old)).toBe(401);
    b.token = token;
  });

  it('S7: is answered a few times in an hour, so that nobody fills the disk with what is kept of each', async () => {
    const noted = async (): Promise<number> =>
      (await readFile(join(a.dataDir, 'withdrawn.jsonl'), 'utf8')).split('\n').length;
    const before = await noted();
    const answers = [];
    for (let at = 0; at < 60; at++)
      answers.push((await b.ask('POST', '/federation/footbridge/token', { body: {} })).status);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(48);
    expect((await noted()) - before).toBeLessThan(40);
    expect((await b.ask('GET', '/federation/exposed/modules')).status).toBe(200);
  });

  it('is heard some times a minute with new routes, so that it keeps nobody busy with them', async () => {
    const body = {
      revision: 1,
      routes: { pin: '', texts: [] },
      proof: { publicKey: 'k'.repeat(43), signature: 'f'.repeat(86) },
    };
    const answers = [];
    for (let at = 0; at < 40; at++)
      answers.push((await b.ask('POST', '/federation/footbridge/routes', { body })).status);
    expect(answers.filter((status) => status === 429)).toHaveLength(20);
    expect((await b.ask('GET', '/federation/exposed/modules')).status).toBe(200);
  });
});
