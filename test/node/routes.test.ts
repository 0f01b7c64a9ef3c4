import { createServer as createHTTPSServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { InviteAnswer, InviteCheck } from '../../server/contract/app/invites.ts';
import { createWebSocketStream, type WebSocket } from 'ws';
import type { PartnerDetail } from '../../server/contract/app/overview.ts';
import type { Reachability } from '../../server/contract/app/pages.ts';
import type { RelayHost } from '../../server/node/relay-host.ts';
import { formatRelayAddress } from '../../server/routes/relay-address.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';
import { startWire, type Wire } from '../support/faults/wire.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';
import { withoutChecksum } from '../support/harness/pairing.ts';
import {
  echoInTLS,
  officeCertificate,
  portOf,
  startFalseRelay,
  startRelay,
} from '../support/harness/relay.ts';

const EVERY_ADDRESS = '0.0.0.0';
/** Nobody answers there: the address of an office behind a router. */
const UNREACHABLE = 'https://127.0.0.1:1';
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function office(name: string, options: Parameters<typeof startNode>[1]): Promise<NodeOffice> {
  const made = await startNode(name, { syncIntervalMs: 2_000, ...options });
  ends.push(() => made.stop());
  return made;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An office that everybody can call. */
async function publicOffice(name: string): Promise<NodeOffice> {
  const port = await freePort();
  return office(name, { host: EVERY_ADDRESS, port, publicUrl: `https://127.0.0.1:${port}` });
}

async function relayFor(): Promise<{ readonly host: RelayHost; readonly address: string }> {
  const host = await startRelay();
  return { host, address: formatRelayAddress(host.address) };
}

const SUPPLIERS = [
  { Name: 'Nordvik Timber AS', City: 'Bergen' },
  { Name: 'Sandnes Paint', City: 'Sandnes' },
];
const CUSTOMERS = [
  { Name: 'Hotel Aurora', City: 'Tromsø' },
  { Name: 'Café Lumière', City: 'Lyon' },
  { Name: 'Müller & Söhne', City: 'Kiel' },
];
const COLUMNS = ['Name', 'City'];

/** Shares a list each way, and changes a row of each afterwards. */
async function expectBothWays(a: NodeOffice, atA: string, b: NodeOffice, atB: string): Promise<void> {
  const [ofA, ofB] = [
    await a.list('Suppliers', COLUMNS, SUPPLIERS),
    await b.list('Customers', COLUMNS, CUSTOMERS),
  ];
  const [hereA, hereB] = [
    { office: a, partner: atA },
    { office: b, partner: atB },
  ];
  const atBergen = await shareAndReceive({ ...hereA, list: ofA }, COLUMNS, hereB);
  const atOslo = await shareAndReceive({ ...hereB, list: ofB }, COLUMNS, hereA);
  expect(await rowsOf(b, atBergen.list)).toHaveLength(SUPPLIERS.length);
  expect(await rowsOf(a, atOslo.list)).toHaveLength(CUSTOMERS.length);
  const later = { values: { Name: ['Later Ltd'], City: ['Leeds'] } };
  await a.app('POST', `/app/lists/${ofA}/rows`, later);
  await b.app('POST', `/app/lists/${ofB}/rows`, later);
  await expect.poll(() => rowsOf(b, atBergen.list), { timeout: 5_000 }).toHaveLength(SUPPLIERS.length + 1);
  await expect.poll(() => rowsOf(a, atOslo.list), { timeout: 5_000 }).toHaveLength(CUSTOMERS.length + 1);
}

const routeOf = async (at: NodeOffice, partner: string): Promise<unknown> =>
  (await at.app<{ route?: unknown }>('GET', `/app/partners/${partner}`)).route;

describe('two offices of which one can be called', () => {
  it('exchange rows both ways over a connection that the other one keeps open', async () => {
    const oslo = await publicOffice('Oslo');
    const bergen = await office('Bergen', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    await bergen.app('PATCH', '/app/settings', { reverse: true });
    const { atInviter, atInvited } = await pairNodes(oslo, bergen);
    await expectConnected(bergen, atInvited);
    await expect
      .poll(() => oslo.logged.some((line) => line.includes('reverse connection opened')), { timeout: 10_000 })
      .toBe(true);
    await expectBothWays(oslo, atInviter, bergen, atInvited);
    expect(await routeOf(oslo, atInviter)).toEqual({ kind: 'reverse' });
    expect(await routeOf(bergen, atInvited)).toEqual({ kind: 'direct' });
    await bergen.app('PATCH', `/app/partners/${atInvited}`, { baseURL: '' });
    expect(await routeOf(bergen, atInvited)).toBeUndefined();
  });

  it('are not said to be unencrypted because the address of the other one is of its own computer only', async () => {
    const oslo = await publicOffice('Oslo');
    const bergen = await office('Bergen', { host: EVERY_ADDRESS, publicUrl: 'http://127.0.0.1:1' });
    await bergen.app('PATCH', '/app/settings', { reverse: true });
    const { nodeID, uri } = await oslo.app<InviteAnswer>('POST', '/app/invites', { name: 'Bergen' });
    await bergen.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    const detail = (): Promise<PartnerDetail> => oslo.app('GET', `/app/partners/${nodeID}`);
    expect((await oslo.node.overview()).inbox.map(({ message }) => message).join()).not.toContain(
      'encrypted',
    );
    expect(await detail()).toMatchObject({ baseURL: 'http://127.0.0.1:1/federation' });
    expect(await detail()).not.toHaveProperty('asksUnencrypted');
    await oslo.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
    await expect
      .poll(detail, { timeout: 20_000 })
      .toMatchObject({ route: { kind: 'reverse' }, transport: 'pinned', reachable: 'both' });
    const [atBergen] = await bergen.app<PartnerDetail[]>('GET', '/app/partners');
    await expect
      .poll(() => bergen.app('GET', `/app/partners/${atBergen?.nodeID ?? ''}`), { timeout: 10_000 })
      .toMatchObject({ reachable: 'both' });
  });
});

describe('two offices that cannot be called', () => {
  it('pair and exchange rows both ways through the relay of one of them', async () => {
    const { address, host } = await relayFor();
    const oslo = await office('Oslo', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    const bergen = await office('Bergen', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    await oslo.app('PATCH', '/app/settings', { relay: address });
    await expect.poll(() => host.counts().offices, { timeout: 10_000 }).toBe(1);
    await bergen.app('PATCH', '/app/settings', { reverse: true, partnerRelays: true });
    const { atInviter, atInvited } = await pairNodes(oslo, bergen);
    await expectConnected(bergen, atInvited);
    await expect
      .poll(() => oslo.logged.some((line) => line.includes('reverse connection opened')), { timeout: 10_000 })
      .toBe(true);
    await expectBothWays(oslo, atInviter, bergen, atInvited);
    expect(await routeOf(bergen, atInvited)).toEqual({ kind: 'relay', relay: '127.0.0.1' });
    const { checks } = await oslo.app<Reachability>('GET', '/app/reachability');
    expect(checks.find(({ name }) => name === 'relay')).toMatchObject({
      ok: true,
      message: 'Partners can reach you through 127.0.0.1.',
    });
  });

  it(
    'pair through a partner of both that carries their connections, which it cannot read',
    { tags: 'nightly-orders' },
    async () => {
      const oslo = await publicOffice('Oslo');
      await oslo.app('PATCH', '/app/settings', { carry: true });
      const behind = { host: EVERY_ADDRESS, publicUrl: UNREACHABLE };
      const bergen = await office('Bergen', behind);
      const cadiz = await office('Cadiz', behind);
      for (const each of [bergen, cadiz]) {
        await each.app('PATCH', '/app/settings', { reverse: true, partnerRelays: true });
        const { atInvited } = await pairNodes(oslo, each);
        await expectConnected(each, atInvited);
      }
      const isCarried = async (): Promise<boolean> => {
        const { uri } = await bergen.app<{ uri: string }>('POST', '/app/invites', { name: 'Cadiz' });
        return uri.includes('r=relay');
      };
      await expect.poll(isCarried, { timeout: 20_000, interval: 500 }).toBe(true);
      const { atInviter, atInvited } = await pairNodes(bergen, cadiz);
      await expectConnected(cadiz, atInvited);
      await expect
        .poll(() => bergen.logged.some((line) => line.includes('reverse connection opened')), {
          timeout: 30_000,
        })
        .toBe(true);
      await expectBothWays(bergen, atInviter, cadiz, atInvited);
    },
  );

  it('is told nothing through a relay that nobody allowed', async () => {
    const { address, host } = await relayFor();
    const oslo = await office('Oslo', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    const bergen = await office('Bergen', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    await oslo.app('PATCH', '/app/settings', { relay: address });
    await expect.poll(() => host.counts().offices, { timeout: 10_000 }).toBe(1);
    await expect(pairNodes(oslo, bergen)).rejects.toThrow();
    expect(host.counts().bytes).toBe(0);

    const invite = await oslo.app<InviteAnswer>('POST', '/app/invites', { name: 'Bergen' });
    // A relay of another network is never called, and so not named.
    const uri = withoutChecksum(invite.uri).replace(
      '&r=',
      `&r=relay:footbridge-relay://192.168.1.1?office=${'o'.repeat(43)}&r=`,
    );
    const check = await bergen.app<InviteCheck>('POST', '/app/invites/check', { uri: invite.uri });
    expect(await bergen.app('POST', '/app/invites/check', { uri })).toEqual(check);
    expect(check).toMatchObject({ relay: '127.0.0.1', reachesElsewhere: true });
    await bergen.app('POST', '/app/invites/accept', { uri: invite.uri, relay: true });
    expect(host.counts().bytes).toBeGreaterThan(0);
  });
});

describe('two offices with a direct route and a relay', () => {
  it('go on with a pull over another route when the direct one swallows everything in its middle', async () => {
    const { direct, bergen, path, arrived, rows, receive } = await twoRoutes();
    await receive();
    await expect.poll(arrived, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0);
    direct.swallow();
    expect(await arrived()).toBeLessThan(rows);
    const shown = new Set<string>();
    await expect
      .poll(
        async () => {
          const { state, reason } = await bergen.app<{ state: string; reason: string }>('GET', path);
          shown.add(`${state}: ${reason}`);
          return arrived();
        },
        { timeout: 30_000, interval: 250 },
      )
      .toBe(rows);
    const [order, looking] = [[...shown], 'syncing: Checking the connection to Oslo.'];
    expect(order).toContain(looking);
    expect(order.slice(0, order.indexOf(looking)).filter((each) => each.startsWith('offline'))).toEqual([]);
  });

  it('pull over the relay where the direct one opens, and is cut whenever much goes over it', async () => {
    const { direct, arrived, rows, receive } = await twoRoutes();
    direct.cutEachAfter(8_000);
    await receive();
    await expect.poll(arrived, { timeout: 50_000, interval: 250 }).toBe(rows);
  });
});

/** Oslo is called directly or over its relay, and shares a long list that Bergen has not received yet. */
async function twoRoutes(): Promise<{
  readonly direct: Wire;
  readonly bergen: NodeOffice;
  readonly path: string;
  readonly rows: number;
  readonly receive: () => Promise<void>;
  readonly arrived: () => Promise<number>;
}> {
  const { address, host } = await relayFor();
  const port = await freePort();
  const direct = await startWire(() => port);
  ends.push(() => direct.close());
  const publicUrl = `https://127.0.0.1:${direct.port}`;
  const oslo = await office('Oslo', { host: EVERY_ADDRESS, port, publicUrl });
  const bergen = await office('Bergen', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
  await oslo.app('PATCH', '/app/settings', { relay: address });
  await expect.poll(() => host.counts().offices, { timeout: 10_000 }).toBe(1);
  await bergen.app('PATCH', '/app/settings', { partnerRelays: true });
  const { atInviter, atInvited } = await pairNodes(oslo, bergen);
  await expectConnected(bergen, atInvited);

  const made = customers({ rows: 20_000 });
  const headers = { 'content-type': 'text/csv' };
  await oslo.fetch('/app/import?list=Customers', { method: 'POST', headers, body: csvOf(made) });
  const [list] = await oslo.app<{ moduleID: string }[]>('GET', '/app/lists');
  await oslo.app('PUT', `/app/partners/${atInviter}/shares/${list?.moduleID}`, { fields: made.columns });
  const path = `/app/partners/${atInvited}`;
  const offers = (): Promise<{ sharedModuleID: string }[]> => bergen.app('GET', `${path}/offers`);
  await expect.poll(offers, { timeout: 20_000 }).toHaveLength(1);
  const [offer] = await offers();
  let moduleID = '';
  return {
    ...{ direct, bergen, path, rows: made.rows.length },
    async receive() {
      const like = `${path}/offers/${offer?.sharedModuleID}/list`;
      ({ moduleID } = await bergen.app<{ moduleID: string }>('POST', like, {}));
    },
    arrived: async () =>
      (await bergen.app<{ total: number }>('GET', `/app/lists/${moduleID}/rows?offset=0&limit=1`)).total,
  };
}

describe('whether partners reach this computer through its relay', () => {
  const said = async (oslo: NodeOffice): Promise<string | undefined> => {
    const { checks } = await oslo.app<Reachability>('GET', '/app/reachability');
    return checks.find(({ name }) => name === 'relay')?.message;
  };
  const SILENT = 'but a test through it failed, so partners may not reach you.';

  it.each([
    ['joins no call', undefined],
    ['answers itself', echoInTLS(officeCertificate())],
  ])('is not said of a relay that %s', async (_what, answer) => {
    const takeCall = (socket: WebSocket): void => answer?.(createWebSocketStream(socket));
    const { address, controls } = await startFalseRelay({ onControl: takeCall });
    const oslo = await office('Oslo', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    await oslo.app('PATCH', '/app/settings', { relay: formatRelayAddress(address) });
    await expect.poll(() => controls.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await expect.poll(() => said(oslo), { timeout: 20_000 }).toContain(SILENT);
  });

  it('is said while the relay passes calls on, and no longer once it is down', async () => {
    const { address, host } = await relayFor();
    const oslo = await office('Oslo', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    await oslo.app('PATCH', '/app/settings', { relay: address });
    await expect.poll(() => said(oslo), { timeout: 10_000 }).toMatch(/^Partners can reach you/);
    await host.close();
    await expect.poll(() => said(oslo), { timeout: 10_000 }).toMatch(/^Footbridge isn’t connected to/);
  });
});

describe('a relay that was allowed and no longer is', () => {
  it('carries nothing more, over connections that are open either', async () => {
    const { address, host } = await relayFor();
    const oslo = await office('Oslo', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    const bergen = await office('Bergen', { host: EVERY_ADDRESS, publicUrl: UNREACHABLE });
    await oslo.app('PATCH', '/app/settings', { relay: address });
    await expect.poll(() => host.counts().offices, { timeout: 10_000 }).toBe(1);
    await bergen.app('PATCH', '/app/settings', { reverse: true, partnerRelays: true });
    const { atInviter, atInvited } = await pairNodes(oslo, bergen);
    await expectConnected(bergen, atInvited);
    await expect.poll(() => routeOf(oslo, atInviter), { timeout: 20_000 }).toEqual({ kind: 'reverse' });
    await bergen.app('PATCH', '/app/settings', { partnerRelays: false });
    await expect.poll(() => host.counts().joined, { timeout: 10_000 }).toBe(0);
    expect(await routeOf(bergen, atInvited)).not.toMatchObject({ kind: 'relay' });
    await bergen.app('PATCH', '/app/settings', { partnerRelays: true });
    await expect.poll(() => host.counts().joined, { timeout: 30_000 }).toBeGreaterThan(0);
  });
});

async function expectConnected(at: NodeOffice, partner: string): Promise<void> {
  const status = async (): Promise<string> =>
    (await at.app<{ status: string }>('GET', `/app/partners/${partner}`)).status;
  await expect.poll(status, { timeout: 20_000 }).toBe('paired');
}

/** A stranger's server that passes for a Footbridge. Collects the calls that carry a token. */
async function stranger(): Promise<{
  readonly port: number;
  readonly pin: string;
  readonly asked: string[];
  readonly withToken: string[];
}> {
  const { key, cert, fingerprint } = officeCertificate();
  const [asked, withToken]: [string[], string[]] = [[], []];
  const server = createHTTPSServer({ key, cert }, ({ url = '', headers }, response) => {
    asked.push(url);
    if (headers.authorization !== undefined) withToken.push(url);
    const answers = { hello: { footbridge: 1 }, pairing: { state: 'waiting' } };
    const [, last = ''] = /\/(hello|pairing)$/.exec(url) ?? [];
    const known = Object.entries(answers).find(([name]) => name === last);
    response.setHeader('content-type', 'application/json');
    const answer = { response: known?.[1] ?? { filter: {}, set: [] } };
    response.end(url.endsWith('/handshake') ? '{}' : JSON.stringify(answer));
  });
  const port = await portOf(server);
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port, pin: fingerprint, asked, withToken };
}

describe('an invite that names a connected partner and has routes to a stranger', () => {
  it('takes no call of the connection there, while it is pending', async () => {
    const [oslo, bergen] = [await publicOffice('Oslo'), await publicOffice('Bergen')];
    const { atInviter, atInvited, uri } = await pairNodes(bergen, oslo);
    await expectConnected(oslo, atInvited);
    const { port, pin, asked, withToken } = await stranger();
    const forged = new URL(uri);
    forged.host = `127.0.0.1:${port}`;
    forged.password = 'A'.repeat(32);
    forged.searchParams.set('fp', pin);
    forged.searchParams.set('rp', pin);
    forged.searchParams.set('r', `direct:127.0.0.1:${port}`);
    await oslo.app('POST', `/federation/nodes/${atInvited}`, { nodeURI: forged.href });
    await oslo.app('POST', `/federation/nodes/${atInvited}/pair`).catch(() => undefined);
    const list = await bergen.list('Suppliers', COLUMNS, SUPPLIERS);
    await shareAndReceive({ office: bergen, partner: atInviter, list }, COLUMNS, {
      office: oslo,
      partner: atInvited,
    });
    const polls = (): number => asked.filter((url) => url.endsWith('/pairing')).length;
    await expect.poll(polls, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(withToken).toEqual([]);
  });
});
