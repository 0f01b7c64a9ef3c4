import { PassThrough } from 'node:stream';
import { connect, createServer, Socket, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { NameLookups } from '../../../server/base/guarded-lookup.ts';
import {
  AddressRefusedError,
  PartnerError,
  PartnerUnreachableError,
} from '../../../server/peer/guard/errors.ts';
import {
  raceRoutes,
  STAGGER_MS,
  wrongCertificate,
  type Attempt,
} from '../../../server/peer/transport/route-race.ts';
import {
  type ConnectionUse,
  PartnerRoutes,
  type RouteAccess,
} from '../../../server/peer/transport/partner-routes.ts';
import {
  createDispatcher,
  openConnection,
  RoutedDispatcher,
  type RouteTest,
} from '../../../server/peer/transport/dispatcher.ts';
import { isCut, toPartnerError } from '../../../server/peer/transport/unreachable.ts';
import { dialThroughRelay } from '../../../server/routes/dial.ts';
import { RouteError, type RouteProblem } from '../../../server/routes/route-error.ts';
import { WebSocketStream } from '../../../server/routes/websocket-stream.ts';
import { said } from '../../../server/words/said.ts';
import { startWire, type Wire } from '../../support/faults/wire.ts';
import { echoInTLS, officeCertificate, portOf, startFalseRelay } from '../../support/harness/relay.ts';

const never = new AbortController().signal;
const silent = (id: string): Attempt => ({
  id,
  open: (signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
    ),
});
const failing = (id: string, error: Error): Attempt => ({ id, open: () => Promise.reject(error) });
const refused = (): Error => new PartnerUnreachableError('refused', said('peer.nothing-listens'));

/** Answers after so many milliseconds, whatever becomes of the race. */
function answering(id: string, ms: number): Attempt & { readonly socket: Socket } {
  const socket = new Socket();
  return {
    id,
    socket,
    open: () => new Promise((resolve) => setTimeout(() => resolve(socket), ms)),
  };
}

describe('the race of routes', () => {
  it('takes the preferred route where it answers in time, and closes one that answers later', async () => {
    const [first, second] = [answering('lan', STAGGER_MS + 60), answering('relay', 200)];
    const { id } = await raceRoutes([first, second], never);
    expect(id).toBe('lan');
    await expect.poll(() => second.socket.destroyed).toBe(true);
    expect(first.socket.destroyed).toBe(false);
  });

  it('tries the next route at once after a failure, and beside one that stays silent', async () => {
    const began = performance.now();
    await raceRoutes([failing('lan', refused()), failing('main', refused()), answering('relay', 0)], never);
    expect(performance.now() - began).toBeLessThan(STAGGER_MS);
    expect((await raceRoutes([silent('lan'), answering('relay', 0)], never)).id).toBe('relay');
  });

  it('gives a slower route the time to answer before one that is to be avoided', async () => {
    const avoided = (): Attempt => ({ ...answering('relay', 0), isLate: true });
    const slow = [answering('main', 2 * STAGGER_MS), failing('mapped', refused())];
    expect((await raceRoutes([...slow, avoided()], never)).id).toBe('main');
    expect((await raceRoutes([failing('main', refused()), avoided()], never)).id).toBe('relay');
  });

  it('goes past somebody else who answers at an address', async () => {
    const found = await raceRoutes([failing('lan', wrongCertificate()), answering('relay', 0)], never);
    expect(found.id).toBe('relay');
  });

  it('raises the alarm of a wrong certificate only where every route shows one', async () => {
    const attempts = [failing('lan', wrongCertificate()), failing('relay', wrongCertificate())];
    await expect(raceRoutes(attempts, never)).rejects.toMatchObject({ why: 'certificate' });
    await expect(raceRoutes([...attempts, failing('main', refused())], never)).rejects.toMatchObject({
      why: 'refused',
    });
  });

  it('reports an address that must not be called only where no other route failed', async () => {
    const guarded = failing('lan', new AddressRefusedError('private', 'on a private network'));
    await expect(raceRoutes([guarded, failing('relay', refused())], never)).rejects.toMatchObject({
      why: 'refused',
    });
    await expect(raceRoutes([failing('relay', wrongCertificate()), guarded], never)).rejects.toMatchObject({
      kind: 'address',
    });
  });

  it('ends with its deadline', async () => {
    await expect(raceRoutes([silent('lan'), silent('relay')], AbortSignal.timeout(400))).rejects.toThrow();
  });
});

const PIN = '3f9c'.repeat(16);
const check = (): void => undefined;

const accessWith = (reversed: boolean, monotonic = (): number => 0): RouteAccess => ({
  isReversed: () => reversed,
  lookups: new NameLookups(),
  openReversed: () => Promise.resolve(new PassThrough()),
  createRelayDialer: (address) =>
    address.includes('forbidden')
      ? undefined
      : () => {
          const port = /:(\d+)\?/.exec(address)?.[1];
          if (address.includes('down')) return Promise.reject(refused());
          return Promise.resolve(port === undefined ? new PassThrough() : connect(Number(port), '127.0.0.1'));
        },
  clock: { monotonic },
});

function routesOf(
  texts: readonly string[],
  reversed = false,
): {
  readonly routes: PartnerRoutes;
  readonly order: (use?: ConnectionUse) => string[];
  readonly advance: (ms: number) => number;
} {
  let now = 0;
  const access = accessWith(reversed, () => now);
  const routes = new PartnerRoutes(access, { nodeID: '7', certificate: PIN, routes: { pin: PIN, texts } });
  const order = (use?: ConnectionUse): string[] =>
    routes.orderAttempts(silent('main'), false, { check }, use).map(({ id }) => id);
  return { routes, order, advance: (ms: number) => (now += ms) };
}

describe('announced routes', () => {
  it('may come again from a connected Footbridge that has none now, so that nobody’s address is blamed', () => {
    const isRouted = (node: { readonly certificate?: string; readonly status: string }): boolean =>
      new PartnerRoutes(accessWith(false), { nodeID: '7', ...node }).isRouted;
    expect(isRouted({ certificate: PIN, status: 'paired' })).toBe(true);
    expect(isRouted({ certificate: PIN, status: 'pending' })).toBe(false);
    expect(isRouted({ status: 'paired' })).toBe(false);
  });

  it.each([
    ['addresses', (at: number): string => `direct:127.0.0.${at + 2}:9`],
    ['relays', (at: number): string => `relay:footbridge-relay://down${at}.example?office=x`],
  ])(
    'that keep failing are left alone for a while: %s, other people’s servers perhaps',
    async (_what, address) => {
      const { routes, order, advance } = routesOf(Array.from({ length: 12 }, (_, at) => address(at)));
      const race = (): Promise<unknown> =>
        raceRoutes(routes.orderAttempts(failing('main', refused()), false, { check }), never).catch(
          () => 'failed',
        );
      for (let at = 0; at < 10; at++) expect(await race()).toBe('failed');
      expect(order()).toHaveLength(13);
      expect(await race()).toBe('failed');
      expect(order()).toEqual(['main']);
      advance(60_000);
      expect(order()).toHaveLength(13);
    },
  );
});

describe('the order of routes', () => {
  const texts = [
    'relay:footbridge-relay://relay.example?office=x',
    'relay:footbridge-relay://forbidden.example?office=x',
    'mapped:11.7.0.11:40112',
    'direct:11.7.0.12:7420',
    'direct:192.168.1.20:7420',
    'quic:192.168.1.20:7420',
  ];
  const preferred = ['direct:192.168.1.20:7420', 'main', 'direct:11.7.0.12:7420', 'mapped:11.7.0.11:40112'];

  it('is LAN, main address, public ones, mapped ports, relays that are allowed', () => {
    expect(routesOf(texts).order()).toEqual([...preferred, texts[0]]);
  });

  it('begins with an open reverse connection, then the route that worked last', () => {
    const { routes, order } = routesOf(texts, true);
    routes.recordSuccess('mapped:11.7.0.11:40112');
    expect(order().slice(0, 3)).toEqual(['reverse', 'mapped:11.7.0.11:40112', 'direct:192.168.1.20:7420']);
  });

  it('is the preferred one again once the network has changed', () => {
    const { routes, order } = routesOf(texts);
    const before = routes.generation;
    routes.recordSuccess(texts[0] ?? '');
    expect(order()[0]).toBe(texts[0]);
    routes.forgetLastRoute();
    expect(routes.generation).toBeGreaterThan(before);
    expect(order()[0]).toBe(preferred[0]);
  });

  it('leaves a worse route in use while the better ones are tried every ten minutes', () => {
    const { routes, order, advance } = routesOf(texts);
    const before = routes.generation;
    routes.recordSuccess('mapped:11.7.0.11:40112');
    expect(order('better')).toEqual(preferred.slice(0, -1));
    advance(599_000);
    expect(routes.claimRouteUpgrade()).toBe(false);
    advance(2_000);
    expect([routes.claimRouteUpgrade(), routes.claimRouteUpgrade()]).toEqual([true, false]);
    advance(600_000);
    expect(routes.claimRouteUpgrade()).toBe(true);
    expect(routes.generation).toBe(before);
    expect(order()[0]).toBe('mapped:11.7.0.11:40112');
  });

  it('lets the better ones be tried however often a worse one opens again, as a relay may cut its streams', () => {
    const { routes, order, advance } = routesOf(texts);
    for (let minute = 0; minute < 10; minute++) {
      routes.recordSuccess(texts[0] ?? '');
      expect(order()[0]).toBe(texts[0]);
      expect(routes.claimRouteUpgrade()).toBe(false);
      advance(60_000);
    }
    expect(order('better')).toEqual([...preferred]);
    expect(routes.claimRouteUpgrade()).toBe(true);
  });

  it('ends for ten minutes with one over which a pull failed, although it opens', () => {
    const { routes, order, advance } = routesOf(texts);
    const [lan = '', ...others] = [...preferred, texts[0]];
    routes.avoid();
    expect(order()).toEqual([lan, ...others]);
    routes.recordSuccess(lan);
    const before = routes.generation;
    routes.avoid();
    expect(routes.generation).toBeGreaterThan(before);
    expect(order()).toEqual([...others, lan]);
    routes.recordSuccess('main');
    expect(order('better')).toEqual([]);
    for (const each of others) routes.avoid(each);
    expect(order(), 'all failed').toEqual([lan, ...others]);
    routes.avoid(lan);
    expect(order(), 'the first one once more').toEqual([...others, lan]);
    advance(600_000);
    expect(order()).toEqual([lan, ...others]);
    routes.avoid(lan);
    routes.networkChanged();
    expect(order()).toEqual([lan, ...others]);
    routes.recordSuccess('main');
    expect(order('better')).toEqual([lan]);
  });

  it('stays the same where a pull failed because no connection could be opened', () => {
    const { routes, order } = routesOf(texts);
    routes.recordSuccess('main');
    routes.recordFailure();
    routes.avoid();
    expect(order()[0]).toBe('main');
  });

  it('has no better one than the best', () => {
    const { routes, order } = routesOf(texts);
    routes.recordSuccess(preferred[0] ?? '');
    expect(order('better')).toEqual([]);
  });
});

const servers: (() => void)[] = [];
afterEach(() => servers.splice(0).forEach((close) => close()));

/** Listens at an address and answers with what it gets, inside TLS. */
async function listening(host: string): Promise<{ readonly pin: string; readonly port: number }> {
  const certificate = officeCertificate();
  const server = createServer(echoInTLS(certificate)).listen(0, host);
  servers.push(() => server.close());
  await once(server, 'listening');
  return { pin: certificate.fingerprint, port: (server.address() as AddressInfo).port };
}

/** What comes back of a line. */
async function echoed(socket: Socket): Promise<string> {
  socket.write('Nordvik Timber AS');
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })) as [Buffer];
  socket.destroy();
  return String(answer);
}

type Leg = 'main' | 'mapped';

/** A partner that is reached over two wires, the main one first. */
async function twoLegs(
  onRequest: (answer: ServerResponse) => void,
  announce = (port: number): string => `mapped:127.0.0.1:${port}`,
): Promise<{
  readonly routes: PartnerRoutes;
  readonly legs: Readonly<Record<Leg, Wire>>;
  readonly dispatcher: RoutedDispatcher;
  readonly baseURL: string;
  readonly ask: () => Promise<string>;
}> {
  const { cert, key, fingerprint } = officeCertificate();
  const server = createHttpsServer({ cert, key }, (_request, answer) => onRequest(answer));
  const port = await portOf(server);
  const legs = { main: await startWire(() => port), mapped: await startWire(() => port) };
  const { routes } = routesOf([]);
  const announced = { pin: fingerprint, texts: [announce(legs.mapped.port)] };
  routes.update({ nodeID: '7', certificate: fingerprint, routes: announced });
  const dispatcher = new RoutedDispatcher(
    {
      ...{ certificate: fingerprint, ownNetwork: true, allowLoopback: true, connectTime: 5_000 },
      ...{ ownPorts: () => [], routes },
    },
    routes,
  );
  servers.push(() => {
    void dispatcher.destroy();
    for (const leg of Object.values(legs)) void leg.close();
    server.closeAllConnections();
    server.close();
  });
  const baseURL = `https://127.0.0.1:${legs.main.port}/federation`;
  const ask = async (): Promise<string> => {
    const { origin, pathname: path } = new URL(baseURL);
    const { body } = await dispatcher.request({ origin, path, method: 'GET' });
    return body.text();
  };
  return { routes, legs, dispatcher, baseURL, ask };
}

describe('a connection', () => {
  it('over an announced address stays open when the race is over', async () => {
    const { pin, port } = await listening('127.0.0.1');
    const { routes } = routesOf([]);
    routes.update({ nodeID: '7', routes: { pin, texts: [`mapped:127.0.0.1:${port}`] } });
    const { id, stream } = await raceRoutes(
      routes.orderAttempts(failing('main', refused()), false, { check }),
      never,
    );
    expect(id).toBe(`mapped:127.0.0.1:${port}`);
    expect(await echoed(stream)).toBe('Nordvik Timber AS');
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
  ])('for a registration opens at an address of %s', async (host, written) => {
    const { pin, port } = await listening(host);
    const rules = { certificate: pin, ownNetwork: true, allowLoopback: true, connectTime: 5_000 };
    const socket = await openConnection(
      { ...rules, ownPorts: () => [] },
      `https://${written}:${port}/federation`,
      never,
    );
    expect(await echoed(socket)).toBe('Nordvik Timber AS');
  });

  it.each([
    ['paired', 'unreachable'],
    ['pending', 'address'],
  ])(
    'to an address of a network that is not ours fails for a partner that is %s as %s',
    async (status, kind) => {
      const { routes } = routesOf([]);
      routes.update({ nodeID: '7', status, routes: { pin: PIN, texts: ['reverse'] } });
      const rules = { certificate: PIN, ownNetwork: false, allowLoopback: false, connectTime: 5_000 };
      const opened = openConnection(
        { ...rules, ownPorts: () => [], routes },
        'https://192.168.16.18:7420/federation',
        never,
      );
      await expect(opened).rejects.toMatchObject({ kind });
    },
  );

  it.each([
    ['paired', '10.1.1.1', 'unreachable'],
    ['paired', '0.0.0.0', 'unreachable'],
    ['pending', '10.1.1.1', 'address'],
  ])(
    'to a name, for a partner that is %s, that this network leads to %s fails as %s',
    async (status, address, kind) => {
      const { routes } = routesOf([]);
      routes.update({ nodeID: '7', status });
      const rules = { ownNetwork: false, allowLoopback: false, connectTime: 5_000 };
      const opened = openConnection(
        {
          ...{ ...rules, ownPorts: () => [], routes },
          lookup: (_name, _options, callback) => callback(null, [{ address, family: 4 }]),
        },
        'https://nordvik.example/federation',
        never,
        'better',
      );
      await expect(opened).rejects.toMatchObject({ kind });
    },
  );

  it('is tried once at the main address, which is announced too', async () => {
    let calls = 0;
    const server = createServer((socket) => {
      calls += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    servers.push(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { routes } = routesOf([`direct:127.0.0.1:${port}`]);
    const rules = { certificate: PIN, ownNetwork: true, allowLoopback: true };
    const dispatcher = createDispatcher({ ...rules, connectTime: 5_000, ownPorts: () => [], routes });
    const request = { origin: `https://127.0.0.1:${port}`, path: '/federation', method: 'GET' } as const;
    await expect(dispatcher.request(request)).rejects.toThrow();
    expect(calls).toBe(1);
    await dispatcher.close();
  });

  it('goes on for the request that it carries when another route becomes the better one', async () => {
    const certificate = officeCertificate();
    const held: ServerResponse[] = [];
    const server = createHttpsServer({ cert: certificate.cert, key: certificate.key }, (_request, answer) => {
      held.push(answer);
    }).listen(0, '127.0.0.1');
    servers.push(() => server.close());
    await once(server, 'listening');
    const connections: unknown[] = [];
    server.on('secureConnection', (socket) => connections.push(socket));
    const { routes } = routesOf(['reverse']);
    const rules = { certificate: certificate.fingerprint, ownNetwork: true, allowLoopback: true };
    const dispatcher = createDispatcher({ ...rules, connectTime: 5_000, ownPorts: () => [], routes });
    const { port } = server.address() as AddressInfo;
    const ask = async (): Promise<string> => {
      const { body } = await dispatcher.request({
        ...{ origin: `https://127.0.0.1:${port}`, path: '/federation', method: 'GET' },
      });
      return body.text();
    };
    const pull = ask();
    await expect.poll(() => held.length).toBe(1);
    held[0]?.write('Nordvik Timber AS');
    routes.forgetLastRoute();
    const next = ask();
    await expect.poll(() => held.length).toBe(2);
    expect(connections, 'the next request has a connection of its own').toHaveLength(2);
    held[1]?.end('Café Lumière');
    expect(await next).toBe('Café Lumière');
    held[0]?.end('; Hansen & Söhne');
    expect(await pull).toBe('Nordvik Timber AS; Hansen & Söhne');
    await dispatcher.destroy();
  });

  it.each<[string, { readonly dead: readonly Leg[]; readonly found: RouteTest }]>([
    [
      'is ended where its route swallows everything and another one works',
      { dead: ['main'], found: 'ended' },
    ],
    ['stays open where the partner is slow', { dead: [], found: 'reached' }],
    ['stays open where no route works', { dead: ['main', 'mapped'], found: 'none' }],
  ])('on which nothing arrives %s', { timeout: 40_000 }, async (_what, { dead, found }) => {
    const held: ServerResponse[] = [];
    const { legs, dispatcher, ask, baseURL } = await twoLegs((answer) => held.push(answer));
    const pull = ask();
    pull.catch(() => undefined);
    await expect.poll(() => held.length).toBe(1);
    for (const leg of dead) legs[leg].swallow();
    expect(await dispatcher.endSilentRoutes(baseURL)).toBe(found);
    const ends = found === 'ended';
    for (const leg of ends ? [] : dead) legs[leg].mend();
    if (ends) {
      expect(isCut(await pull.catch((error: unknown) => error))).toBe(true);
      const again = ask();
      await expect.poll(() => held.length).toBe(2);
      held[1]?.end('Nordvik Timber AS');
      expect(await again).toBe('Nordvik Timber AS');
    } else {
      held[0]?.end('Nordvik Timber AS');
      expect(await pull).toBe('Nordvik Timber AS');
    }
  });

  it('that a router forgot is ended with the silent ones beside it, also where the system probes only one', async () => {
    const held: ServerResponse[] = [];
    const { dispatcher, ask, baseURL } = await twoLegs((answer) => held.push(answer));
    const pulls = [ask(), ask()];
    for (const pull of pulls) pull.catch(() => undefined);
    await expect.poll(() => held.length).toBe(2);
    let isProbed = false;
    vi.spyOn(Socket.prototype, 'setKeepAlive').mockImplementation(function (this: Socket, _on, ms = 0) {
      const isFirst = !isProbed && ms < 5_000;
      isProbed ||= isFirst;
      const lost = { code: 'ETIMEDOUT', syscall: 'read' };
      return isFirst ? this.destroy(Object.assign(new Error('read ETIMEDOUT'), lost)) : this;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await dispatcher.endSilentRoutes(baseURL)).toBe('ended');
    for (const pull of pulls) expect(isCut(await pull.catch((error: unknown) => error))).toBe(true);
    expect(isCut({ code: 'ETIMEDOUT', syscall: 'connect' })).toBe(false);
  });

  it('through a relay on which nothing arrives is ended once, and the next one takes another route', async () => {
    const held: ServerResponse[] = [];
    const relayAt = (port: number): string => `relay:footbridge-relay://127.0.0.1:${port}?office=x`;
    const { routes, legs, dispatcher, ask, baseURL } = await twoLegs((answer) => held.push(answer), relayAt);
    const relay = relayAt(legs.mapped.port);
    routes.recordSuccess(relay);
    const pull = ask();
    pull.catch(() => undefined);
    await expect.poll(() => held.length).toBe(1);
    expect(routes.inUse).toBe(relay);
    expect(await dispatcher.endSilentRoutes(baseURL)).toBe('ended');
    expect(isCut(await pull.catch((error: unknown) => error))).toBe(true);
    const again = ask();
    await expect.poll(() => held.length).toBe(2);
    expect(routes.inUse).toBe('main');
    held[1]?.end('Nordvik Timber AS');
    expect(await again).toBe('Nordvik Timber AS');
    legs.main.cut();
    const last = ask();
    last.catch(() => undefined);
    await expect.poll(() => held.length).toBe(3);
    expect(routes.inUse).toBe(relay);
    expect(await dispatcher.endSilentRoutes(baseURL)).toBe('reached');
    legs.main.mend();
    expect(await dispatcher.endSilentRoutes(baseURL)).toBe('ended');
    expect(isCut(await last.catch((error: unknown) => error))).toBe(true);
  });

  it('that is cut has its own route avoided, not the one on which another connection opened since', async () => {
    const held: ServerResponse[] = [];
    const { routes, legs, dispatcher, ask } = await twoLegs((answer) => held.push(answer));
    const mapped = `mapped:127.0.0.1:${legs.mapped.port}`;
    const pull = ask();
    pull.catch(() => undefined);
    await expect.poll(() => held.length).toBe(1);
    legs.main.swallow();
    const other = ask();
    await expect.poll(() => held.length).toBe(2);
    expect(routes.inUse).toBe(mapped);
    legs.main.cut();
    const error = await pull.catch((cause: unknown) => toPartnerError(cause));
    dispatcher.avoidRouteOf(error);
    expect(['main', mapped].map((id) => routes.isAvoided(id))).toEqual([true, false]);
    held[1]?.end('Nordvik Timber AS');
    await other;
  });

  it('on which something arrives meanwhile stays open', async () => {
    const held: ServerResponse[] = [];
    const { legs, dispatcher, ask, baseURL } = await twoLegs((answer) => held.push(answer));
    const pull = ask();
    await expect.poll(() => held.length).toBe(1);
    legs.main.swallow();
    const ended = dispatcher.endSilentRoutes(baseURL);
    held[0]?.write('Nordvik ');
    // The other route has opened by then, and the main one is tried once more.
    await wait(1_000);
    legs.main.mend();
    expect(await ended).toBe('reached');
    held[0]?.end('Timber AS');
    expect(await pull).toBe('Nordvik Timber AS');
  });

  it.each<
    [
      RouteProblem,
      `peer.${'relay-silent' | 'relay-busy' | 'not-at-relay' | 'relay-refuses' | 'proxy-login' | 'proxy-refuses'}`,
    ]
  >([
    ['network', 'peer.relay-silent'],
    ['busy', 'peer.relay-busy'],
    ['proxy', 'peer.proxy-refuses'],
    ['proxy-login', 'peer.proxy-login'],
    ['timeout', 'peer.relay-silent'],
    ['aborted', 'peer.relay-silent'],
    ['absent', 'peer.not-at-relay'],
    ['no-answer', 'peer.not-at-relay'],
    ['denied', 'peer.relay-refuses'],
    ['certificate', 'peer.relay-refuses'],
  ])('over a relay that fails with %s blames nobody else', (problem, key) => {
    const refusal = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const { words } = toPartnerError(new RouteError(problem, 'relay.example', refusal));
    expect(words).toEqual(said(key));
  });

  it('over a reverse connection that the partner does not answer blames no relay', async () => {
    const access: RouteAccess = {
      isReversed: () => true,
      lookups: new NameLookups(),
      openReversed: () => Promise.reject(new RouteError('no-answer', 'the office did not answer')),
      createRelayDialer: () => undefined,
      clock: { monotonic: () => 0 },
    };
    const routes = new PartnerRoutes(access, {
      nodeID: '7',
      certificate: PIN,
      routes: { pin: PIN, texts: [] },
    });
    const attempts = routes.orderAttempts(failing('main', refused()), false, { check });
    const error: unknown = await raceRoutes(attempts, never).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ words: said('peer.silent') });
  });

  it.each<[string, (socket: WebSocket) => void, (error: unknown) => unknown, unknown]>([
    [
      'something else than TLS',
      (socket) => socket.send(Buffer.from('HTTP/1.1 400 Bad Request')),
      (error) => (error instanceof PartnerError ? error : toPartnerError(error)).words,
      said('peer.something-else'),
    ],
    ['a text within the stream', (socket) => socket.send('x'), isCut, true],
    ['too large a message', (socket) => socket.send(Buffer.alloc(1_000_000)), isCut, true],
  ])('over a relay that sends %s says nothing untrue of the partner', async (what, send, find, found) => {
    const { cert, key, fingerprint } = officeCertificate();
    const server = createHttpsServer({ cert, key }, (_request, answer) => void answer.write('Nordvik'));
    servers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const port = await portOf(server);
    const isFirst = what.includes('TLS');
    const relay = await startFalseRelay({
      onControl: (socket) => {
        const stream = new WebSocketStream(socket);
        if (isFirst) send(socket);
        else stream.pipe(connect(port, '127.0.0.1')).pipe(stream);
      },
    });
    const access: RouteAccess = {
      ...{ isReversed: () => false, lookups: new NameLookups(), clock: { monotonic: () => 0 } },
      openReversed: () => Promise.reject(refused()),
      createRelayDialer: () => () => dialThroughRelay(relay.address, 'o'.repeat(43), { checkAddress: check }),
    };
    const texts = ['relay:footbridge-relay://relay.example?office=x'];
    const routes = new PartnerRoutes(access, { nodeID: '7', routes: { pin: fingerprint, texts } });
    const rules = { certificate: fingerprint, ownNetwork: false, allowLoopback: false, connectTime: 5_000 };
    const dispatcher = createDispatcher({ ...rules, ownPorts: () => [], routes });
    servers.push(() => void dispatcher.destroy());
    const answer = dispatcher.request({
      origin: 'https://192.168.16.18',
      path: '/federation',
      method: 'GET',
    });
    const error: unknown = await answer
      .then(({ body }) => {
        relay.controls.forEach(send);
        return body.text();
      })
      .catch((cause: unknown) => cause);
    expect(find(error)).toEqual(found);
  });
});
