import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Node } from '../../../server/federation/model.ts';
import { NODES } from '../../../server/federation/tables.ts';
import { announcedRoutes } from '../../../server/contract/wire/footbridge.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { omit } from '../../../server/base/omit.ts';
import type { Identity } from '../../../server/federation/partners/identity.ts';
import { listenOnFirstFree } from '../../../server/http/listeners/listen.ts';
import { OfficeRoutes, type OfficeRoutesDeps } from '../../../server/node/routes/office-routes.ts';
import { Announcer } from '../../../server/node/routes/announcer.ts';
import { Registrations, type WantedRegistration } from '../../../server/node/routes/registrations.ts';
import { createFailedLoginLimiter } from '../../../server/http/auth/failed-login-limiter.ts';
import { parseTrustedProxies } from '../../../server/http/listeners/trusted-proxies.ts';
import { RouteBook, createRendezvousHost } from '../../../server/node/routes/route-book.ts';
import type { PartnerRoutes } from '../../../server/peer/transport/partner-routes.ts';
import { SUBPROTOCOL } from '../../../server/routes/dial.ts';
import { newRegistrationSecret, type RelayAddress } from '../../../server/routes/relay-address.ts';
import { CLOSE, Rendezvous } from '../../../server/routes/rendezvous.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { ANY_ADDRESS, startRelay, type TestRelay } from '../../support/harness/relay.ts';
import { soon } from '../../support/harness/soon.ts';
import { connect as joinOffices, noLists, testOffice, type TestOffice } from '../federation/two-offices.ts';

function at({ address }: TestRelay, accessKey = address.accessKey ?? ''): WantedRegistration {
  const secret = newRegistrationSecret();
  const endpoint: RelayAddress = { ...address, accessKey };
  return {
    ...{ key: 'relay', route: 'relay 127.0.0.1', endpoint },
    headers: () => ({ authorization: `Bearer ${secret}`, 'footbridge-relay-key': accessKey }),
    dial: ANY_ADDRESS,
  };
}

describe('the registrations of an office', () => {
  const registrations = (): Registrations => {
    const made = new Registrations(
      systemClock,
      (stream) => stream.destroy(),
      () => undefined,
    );
    onTestFinished(() => made.set([]));
    return made;
  };

  it('leave a relay that our user replaced by another one', async () => {
    const [oslo, bergen] = [await startRelay(), await startRelay()];
    const made = registrations();
    made.set([at(oslo)]);
    await soon(() => expect(oslo.counts().offices).toBe(1));
    made.set([at(bergen)]);
    await soon(() => expect([oslo.counts().offices, bergen.counts().offices]).toEqual([0, 1]));
  });

  it('use a new access key of the same relay', async () => {
    const relay = await startRelay();
    const made = registrations();
    made.set([at(relay, 'the-key-of-before-it-was-changed')]);
    await soon(() => expect(made.stateOf('relay')?.kind).toBe('refused'));
    made.set([at(relay)]);
    await soon(() => expect(made.stateOf('relay')?.kind).toBe('registered'));
  });
});

const PIN = 'ab'.repeat(32);
const NO_ROUTES_ALLOWED = { relay: '', partnerRelays: false, reverse: false, mapPort: false, carry: false };

/** The routes of an office. What is not given finds nothing. */
function officeRoutes(
  office: TestOffice,
  given: Partial<OfficeRoutesDeps> & Pick<OfficeRoutesDeps, 'clock'>,
  settings = NO_ROUTES_ALLOWED,
): OfficeRoutes {
  const { clock } = given;
  const routes = new OfficeRoutes({
    ...{ log: pino({ level: 'silent' }), system: office.system, federation: office.federation },
    book: new RouteBook({
      ...{ clock, allowLoopback: true, settings: () => settings, onReverse: () => undefined },
    }),
    settings: () => settings,
    announce: () => Promise.resolve({}),
    connect: () => Promise.reject(new Error('not there')),
    ...{ note: () => Promise.resolve(), openedBy: () => ({}), directPort: () => undefined },
    ...{ prepare: () => Promise.resolve(), take: (stream) => stream.destroy() },
    ...{ onNetworkChanged: () => undefined, onReached: () => undefined, onChange: () => undefined },
    ...given,
  });
  onTestFinished(() => routes.stop());
  return routes;
}

/** Bergen, paired with Oslo, and Oslo's ID there. */
async function pairedWithOslo(): Promise<{ readonly bergen: TestOffice; readonly nodeID: string }> {
  const [oslo, bergen] = [await testOffice('Oslo', noLists), await testOffice('Bergen', noLists)];
  onTestFinished(async () => {
    await Promise.all([oslo.close(), bergen.close()]);
  });
  oslo.address = { listener: 'https://oslo.local:7420/federation', certificate: 'ab'.repeat(32) };
  joinOffices(oslo, bergen);
  const { nodeID: atOslo } = await oslo.federation.nodes.create({ name: 'Bergen' }, '1');
  const { uri } = await oslo.federation.invites.create(atOslo);
  const { nodeID } = await bergen.federation.invites.accept(uri, {}, '1');
  await bergen.federation.pairing.pair(nodeID);
  await oslo.federation.pairing.confirm(atOslo);
  return { bergen, nodeID };
}

describe('the reverse connections of an office', () => {
  it('go by what the partner’s record says now, not when the first one was opened', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const calledWith: (string | undefined)[] = [];
    const routes = officeRoutes(
      bergen,
      {
        clock,
        connect({ certificate }) {
          calledWith.push(certificate);
          return Promise.reject(new Error('not there'));
        },
      },
      { ...NO_ROUTES_ALLOWED, reverse: true },
    );
    clock.advance(30_000);
    routes.update();
    await soon(() => expect(calledWith).toEqual(['ab'.repeat(32)]));
    await bergen.federation.nodes.update(nodeID, { certificate: 'cd'.repeat(32) }, '1');
    await soon(() => {
      clock.advance(5_000);
      expect(calledWith.at(-1)).toBe('cd'.repeat(32));
    });
  });

  it('leave the other partners alone where our user removed the address of one', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const { nodeID: other } = await bergen.federation.nodes.create({ name: 'Hamar' }, '1');
    const oslo = await bergen.federation.nodes.get(nodeID);
    await bergen.system.transaction((tx) => tx.put(NODES, other, { ...oslo, nodeID: other, baseURL: '' }));
    const announced: string[] = [];
    const registered: string[] = [];
    const routes = officeRoutes(
      bergen,
      {
        clock,
        announce: (id) => (announced.push(id), Promise.resolve({})),
        connect: (node) => (registered.push(node.nodeID), Promise.reject(new Error('not there'))),
      },
      { ...NO_ROUTES_ALLOWED, reverse: true },
    );
    clock.advance(30_000);
    routes.update();
    await soon(() => expect(announced).toContain(nodeID));
    await soon(() => expect(registered).toEqual([nodeID]));
  });

  it('are announced again after a new pairing, which brings back those of its invite', async () => {
    const clock = manualClock();
    const announced: string[] = [];
    const announcer = new Announcer({
      clock,
      log: pino({ level: 'silent' }),
      federation: { announcements: { revision: () => Promise.resolve(7) } },
      announce(nodeID) {
        announced.push(nodeID);
        return Promise.resolve({});
      },
    });
    const { bergen, nodeID } = await pairedWithOslo();
    const partner = await bergen.federation.nodes.get(nodeID);
    for (const node of [partner, partner, { ...partner, sealedToken: 'sealed: other' }]) {
      await announcer.announceTo([node]);
      await Promise.resolve();
      clock.advance(20_000);
    }
    expect(announced).toEqual([nodeID, nodeID]);
  });

  it('forget that a partner cannot call once it calls directly', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const reach = async (): Promise<unknown> => (await bergen.federation.nodes.get(nodeID)).reach;
    const node = await bergen.federation.nodes.get(nodeID);
    await bergen.system.transaction((tx) => {
      tx.put(NODES, nodeID, { ...node, reach: 'we-call-them' });
    });
    let tries = 0;
    const connect = (): Promise<never> => Promise.reject(new Error(`not there ${(tries += 1)}`));
    const routes = officeRoutes(bergen, { clock, connect }, { ...NO_ROUTES_ALLOWED, reverse: true });
    routes.update();
    await soon(() => expect(tries).toBeGreaterThan(0));
    routes.recordDirectCall(nodeID, 'relay 203.0.113.7:7422');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await reach()).toBe('we-call-them');
    routes.recordDirectCall(nodeID, undefined);
    await soon(async () => expect(await reach()).toBeUndefined());
  });

  it('stay announced as they are where a partner that carries us answers with another ID each time', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const node = await bergen.federation.nodes.get(nodeID);
    let revision = 0;
    let announced = 0;
    const announcer: Announcer = new Announcer({
      clock,
      log: pino({ level: 'silent' }),
      // Each other carrier is another route, and another number.
      federation: { announcements: { revision: () => Promise.resolve(revision) } },
      announce() {
        announced += 1;
        return Promise.resolve({ carried: `${announced}`.padStart(43, 'o') });
      },
    });
    let carrier = '';
    for (let looks = 0; looks < 240; looks += 1) {
      await announcer.announceTo([node]);
      await Promise.resolve();
      const [now] = announcer.carriers();
      if (now && now.officeID !== carrier) revision += 1;
      carrier = now?.officeID ?? carrier;
      clock.advance(15_000);
    }
    // Six at once and six in the hour, in place of 240.
    expect(announced).toBeGreaterThan(5);
    expect(announced).toBeLessThan(15);
  });

  it('to a partner that was removed and restored are not announced before one is open', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const node = { ...(await bergen.federation.nodes.get(nodeID)), reach: 'we-call-them' as const };
    const store = (record: Node): Promise<void> =>
      bergen.system.transaction((tx) => {
        tx.put(NODES, nodeID, record);
      });
    await store(node);
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => SUBPROTOCOL });
    await once(server, 'listening');
    const end = (): void => {
      server.clients.forEach((socket) => socket.terminate());
      server.close();
    };
    onTestFinished(end);
    const { port } = server.address() as AddressInfo;
    let tries = 0;
    const routes = officeRoutes(
      bergen,
      {
        ...{ clock, announce: () => Promise.resolve({ carried: 'o'.repeat(43) }) },
        connect() {
          tries += 1;
          return Promise.resolve(connect({ port, host: '127.0.0.1' }));
        },
      },
      { ...NO_ROUTES_ALLOWED, reverse: true },
    );
    const carried = (): boolean => routes.routeTexts().some((text) => text.startsWith('relay:'));
    const updatedUntil = (check: () => void): Promise<unknown> =>
      soon(() => {
        routes.update();
        check();
      });
    await updatedUntil(() => expect(carried()).toBe(true));
    end();
    await store({ ...node, deletedAt: '2026-01-01T00:00:00.000Z' });
    await updatedUntil(() => expect(routes.isReversedTo(nodeID)).toBe(false));
    await updatedUntil(() => expect(carried()).toBe(false));
    const before = tries;
    await store(node);
    clock.advance(20_000);
    await updatedUntil(() => expect(tries).toBeGreaterThan(before));
    expect(carried()).toBe(false);
  });

  it.each([
    ['where its certificate shows', true, {}, 1],
    [
      'where its certificate shows as its routes say',
      false,
      { routes: { pin: PIN, texts: ['direct:oslo.local:7420'], revision: 1 } },
      1,
    ],
    [
      'where a proxy shows another one than its routes',
      false,
      { routes: { pin: PIN, texts: ['mapped:203.0.113.7:7420'], revision: 1 } },
      0,
    ],
    ['at a name that no route can hold', true, { baseURL: `https://${'a.'.repeat(200)}oslo/federation` }, 0],
  ])('announce the address of a partner that carries us %s', async (_where, isPinned, change, count) => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const node = await bergen.federation.nodes.get(nodeID);
    const known = isPinned ? node : omit(node, 'certificate');
    await bergen.system.transaction((tx) => {
      tx.put(NODES, nodeID, { ...known, ...change, reach: 'we-call-them' });
    });
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => SUBPROTOCOL });
    await once(server, 'listening');
    onTestFinished(() => {
      server.clients.forEach((socket) => socket.terminate());
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    let isTold = false;
    const routes = officeRoutes(
      bergen,
      {
        clock,
        announce() {
          isTold = true;
          return Promise.resolve({ carried: 'o'.repeat(43) });
        },
        connect: () => Promise.resolve(connect({ port, host: '127.0.0.1' })),
      },
      { ...NO_ROUTES_ALLOWED, reverse: true },
    );
    await soon(() => {
      routes.update();
      expect([routes.isReversedTo(nodeID), isTold]).toEqual([true, true]);
    });
    const texts = routes.routeTexts();
    expect(texts.filter((text) => text.startsWith('relay:'))).toHaveLength(count);
    // Else no invite of ours could be read, and no partner would take our routes.
    expect(announcedRoutes.safeParse({ pin: PIN, texts }).success).toBe(true);
  });

  it('that end again and again leave announced that we can be called through them', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const node = await bergen.federation.nodes.get(nodeID);
    await bergen.system.transaction((tx) => {
      tx.put(NODES, nodeID, { ...node, reach: 'we-call-them' });
    });
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => SUBPROTOCOL });
    await once(server, 'listening');
    onTestFinished(() => {
      server.clients.forEach((socket) => socket.terminate());
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const routes = officeRoutes(
      bergen,
      {
        ...{ clock, announce: () => Promise.resolve({ carried: 'o'.repeat(43) }) },
        connect: () => Promise.resolve(connect({ port, host: '127.0.0.1' })),
      },
      { ...NO_ROUTES_ALLOWED, reverse: true },
    );
    const carried = (): boolean => routes.routeTexts().some((text) => text.startsWith('relay:'));
    const end = async (): Promise<void> => {
      server.clients.forEach((socket) => socket.terminate());
      await soon(() => expect(routes.isReversedTo(nodeID)).toBe(false));
    };
    await soon(() => {
      routes.update();
      expect(carried()).toBe(true);
    });
    for (let times = 0; times < 3; times++) {
      await end();
      expect(carried()).toBe(true);
      clock.advance(30_000);
      await soon(() => expect(routes.isReversedTo(nodeID)).toBe(true));
    }
    server.close();
    await end();
    clock.advance(599_000);
    expect(carried()).toBe(true);
    clock.advance(1_000);
    expect(carried()).toBe(false);
  });

  it('open again when carrying is switched, so that partners ask whether they are carried', async () => {
    const clock = manualClock();
    const office = await testOffice('Oslo', noLists);
    onTestFinished(() => office.close());
    const settings = { ...NO_ROUTES_ALLOWED };
    const restarts: boolean[] = [];
    const book = new RouteBook({
      ...{ clock, allowLoopback: true, settings: () => settings, onReverse: () => undefined },
    });
    book.rendezvous.restart = () => void restarts.push(settings.carry);
    const routes = officeRoutes(office, { clock, book }, settings);
    let looks = 0;
    book.rendezvous.endCarried = () => {
      looks++;
    };
    const looksUntil = (check: () => void): Promise<unknown> =>
      soon(() => {
        routes.update();
        check();
      });
    await looksUntil(() => expect(looks).toBeGreaterThan(1));
    expect(restarts).toEqual([]);
    settings.carry = true;
    await looksUntil(() => expect(restarts).toEqual([true]));
    settings.carry = false;
    await looksUntil(() => expect(restarts).toEqual([true, false]));
  });

  it('that a former partner holds end with the connection, and so do its streams', async () => {
    const rendezvous = new Rendezvous({ clock: systemClock });
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => rendezvous.acceptRegistration('7', socket));
    onTestFinished(() => {
      rendezvous.close();
      server.close();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const control = new WebSocket(`ws://127.0.0.1:${port}`);
    const closed = once(control, 'close');
    await soon(() => expect(rendezvous.isRegistered('7')).toBe(true));
    rendezvous.keepOnly(new Set(['7']));
    expect(rendezvous.isRegistered('7')).toBe(true);
    rendezvous.keepOnly(new Set(['8']));
    expect(rendezvous.isRegistered('7')).toBe(false);
    expect((await closed)[0]).toBe(CLOSE.removed);
  });
});

describe('a better route to a partner', () => {
  it('is moved to once it works, and a worse one goes on in use until then', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const book = new RouteBook({
      ...{ clock, allowLoopback: true, settings: () => NO_ROUTES_ALLOWED, onReverse: () => undefined },
    });
    const toOslo = book.routesFor(await bergen.federation.nodes.get(nodeID));
    toOslo.recordSuccess('mapped:11.7.0.11:40112');
    const [asked, reached]: [string[], string[]] = [[], []];
    let isThere = false;
    const routes = officeRoutes(bergen, {
      ...{ clock, book, onReached: (id) => void reached.push(id) },
      connect(_node, _signal, use) {
        asked.push(use);
        return isThere ? Promise.resolve(new Socket()) : Promise.reject(new Error('not there'));
      },
    });
    const { generation } = toOslo;
    for (const tries of [1, 2]) {
      isThere = tries === 2;
      clock.advance(600_000);
      await soon(() => {
        // Does nothing while the look before still runs.
        routes.update();
        expect(asked).toEqual(Array.from({ length: tries }, () => 'better'));
      });
      if (!isThere) expect([toOslo.inUse, reached]).toEqual(['mapped:11.7.0.11:40112', []]);
    }
    await soon(() => expect(reached).toEqual([nodeID]));
    expect(toOslo.generation).toBeGreaterThan(generation);
  });

  it('is not looked for where the partner announced others since: new requests try all', async () => {
    const clock = manualClock();
    const { bergen, nodeID } = await pairedWithOslo();
    const book = new RouteBook({
      ...{ clock, allowLoopback: true, settings: () => NO_ROUTES_ALLOWED, onReverse: () => undefined },
    });
    const oslo = await bergen.federation.nodes.get(nodeID);
    const toOslo = book.routesFor({ ...oslo, routes: { pin: '', texts: ['direct:11.7.0.12:7420'] } });
    toOslo.recordSuccess('mapped:11.7.0.11:40112');
    let tries = 0;
    const routes = officeRoutes(bergen, {
      ...{ clock, book },
      connect() {
        tries++;
        return Promise.reject(new Error('not there'));
      },
    });
    clock.advance(600_000);
    await soon(() => {
      routes.update();
      expect(toOslo.inUse).toBeUndefined();
    });
    expect(tries).toBe(0);
  });
});

describe('the relay of an invite', () => {
  it('is named only if it can be called', () => {
    const settings = { relay: '', partnerRelays: false };
    const book = new RouteBook({
      ...{ clock: systemClock, allowLoopback: false, settings: () => settings, onReverse: () => undefined },
    });
    const at = (host: string): string => `relay:footbridge-relay://${host}?office=${'o'.repeat(43)}`;
    const unusable = ['direct:11.7.0.12:7420', 'relay:footbridge-relay://relay.example', at('192.168.1.1')];
    expect(book.findCallableRelay(unusable)).toBeUndefined();
    expect(book.findCallableRelay([...unusable, at('11.7.0.9:7422'), at('relay.example')])).toEqual({
      ...{ host: '11.7.0.9', port: 7422 },
    });
    expect(book.findCallableRelay([at('relay.example')])).toEqual({ host: 'relay.example', port: 443 });
    settings.relay = 'footbridge-relay://192.168.1.1';
    expect(book.findCallableRelay(unusable), 'our own one may be in our network').toMatchObject({
      port: 443,
    });
  });
});

describe('a yes to call a partner through a relay', () => {
  it('is for the relay that was shown, and for none that the partner names later', () => {
    const settings = { relay: '', partnerRelays: false };
    const book = new RouteBook({
      ...{ clock: systemClock, allowLoopback: false, settings: () => settings, onReverse: () => undefined },
    });
    const hosts = ['relay.example:7422', 'tracker.example:7422', 'relay.example:7423'];
    const texts = hosts.map((host) => `relay:footbridge-relay://${host}?office=${'o'.repeat(43)}`);
    const oslo = { nodeID: '7', routes: { pin: '3f9c'.repeat(16), texts } };
    const main = { id: 'main', open: () => Promise.reject(new Error('not there')) };
    const relaysOf = (routes: PartnerRoutes): string[] =>
      routes
        .orderAttempts(main, false, { check: () => undefined })
        .flatMap(({ id }) => hosts.filter((host) => id.includes(`/${host}?`)));
    const connection = book.routesFor({ ...oslo, relayConsent: { host: 'relay.example', port: 7422 } });
    expect(relaysOf(connection)).toEqual(['relay.example:7422']);
    const pairing = book.createPairingRoutes({
      ...oslo,
      relayConsent: { host: 'tracker.example', port: 7422 },
    });
    expect(relaysOf(pairing)).toEqual(['tracker.example:7422']);
    expect(relaysOf(book.createPairingRoutes(oslo))).toEqual([]);
    expect(relaysOf(connection), 'a pairing changes nothing for the connection').toEqual([
      'relay.example:7422',
    ]);
    expect(relaysOf(book.routesFor({ ...oslo, nodeID: '8' }))).toEqual([]);
  });
});

interface Host {
  readonly port: number;
  readonly asked: string[];
  readonly errors: unknown[];
  /** The networks that wrong tokens were counted under. */
  readonly failed: string[];
}

/** A partners' listener whose look at a token takes a moment. `show` changes how its connections show themselves. */
async function startHost(show: (socket: Socket) => void = () => undefined): Promise<Host> {
  const asked: string[] = [];
  const errors: unknown[] = [];
  const failed: string[] = [];
  const attempts = createFailedLoginLimiter(systemClock, 2);
  const serve = createRendezvousHost({
    rendezvous: new Rendezvous({ clock: systemClock }),
    clock: systemClock,
    attempts: {
      fail(key) {
        failed.push(key);
        return attempts.fail(key);
      },
    },
    isProxy: parseTrustedProxies(['127.0.0.1']),
    verify: async (token): Promise<Identity> => {
      asked.push(token);
      await new Promise((resolve) => setTimeout(resolve, 200));
      throw new Error('not known');
    },
    carried: () => undefined,
    recordOwner: () => undefined,
  });
  const listener = await listenOnFirstFree((_request, response) => response.writeHead(426).end(), {
    host: '127.0.0.1',
    port: 0,
    onUpgrade: (request, socket, head) => {
      show(socket);
      return serve(request, socket, head);
    },
  });
  const note = (error: unknown): void => void errors.push(error);
  process.prependListener('uncaughtException', note);
  onTestFinished(async () => {
    process.off('uncaughtException', note);
    await listener.close(0);
  });
  return { port: listener.port, asked, errors, failed };
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-protocol': SUBPROTOCOL,
  authorization: 'Bearer a-stolen-token',
};

describe('the partners’ listener, asked for a reverse connection', () => {
  it('lives on when the caller breaks off while its token is looked at', async () => {
    const { port, asked, errors } = await startHost();
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const lines = Object.entries(UPGRADE).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /federation/footbridge/register HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
    await soon(() => expect(asked).toHaveLength(1));
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(errors).toEqual([]);
  });

  it('takes no token in the clear that another process got from the network', async () => {
    const { port, asked } = await startHost((socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: '198.51.100.7' });
      Object.defineProperty(socket, 'encrypted', { value: false });
    });
    const request = httpRequest({
      ...{ port, host: '127.0.0.1', path: '/federation/footbridge/register' },
      headers: UPGRADE,
    }).end();
    const [response] = (await once(request, 'response')) as [{ statusCode?: number }];
    expect([response.statusCode, asked]).toEqual([426, []]);
  });

  it('counts wrong tokens by the address that a trusted load balancer says, and refuses too many', async () => {
    const { port, failed } = await startHost();
    const register = async (forwardedFor: string): Promise<number | undefined> => {
      const headers = { ...UPGRADE, 'x-forwarded-for': forwardedFor, 'x-forwarded-proto': 'https' };
      const path = '/federation/footbridge/register';
      const request = httpRequest({ port, host: '127.0.0.1', path, headers }).end();
      const [response] = (await once(request, 'response')) as [{ statusCode?: number }];
      return response.statusCode;
    };
    // What a caller claims itself stands before.
    for (const expected of [401, 401, 429]) expect(await register('10.0.0.1, 198.51.100.7')).toBe(expected);
    expect(await register('203.0.113.9')).toBe(401);
    expect(failed).toEqual([...Array<string>(3).fill('198.51.100.7'), '203.0.113.9']);
  });

  it('takes no token that came to the load balancer in the clear', async () => {
    const { port, asked } = await startHost();
    const headers = { ...UPGRADE, 'x-forwarded-for': '198.51.100.7' };
    const request = httpRequest({
      ...{ port, host: '127.0.0.1', path: '/federation/footbridge/register', headers },
    }).end();
    const [response] = (await once(request, 'response')) as [{ statusCode?: number }];
    expect([response.statusCode, asked]).toEqual([426, []]);
  });
});
