import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { Agent, buildConnector, Dispatcher } from 'undici';
import { withDeadline } from '../../base/deadline.ts';
import { guardedLookup, type Lookup } from '../../base/guarded-lookup.ts';
import { isLoopback } from '../../base/loopback.ts';
import { formatRoute, parseRoute } from '../../base/routes.ts';
import { plainAddress } from '../../base/plain-address.ts';
import { checkAddress, isPrivateAddress, type AddressRules } from './address.ts';
import { AddressRefusedError, PartnerUnreachableError } from '../guard/errors.ts';
import { MAIN_ROUTE, type ConnectionUse, type PartnerRoutes } from './partner-routes.ts';
import { raceRoutes, wrongCertificate, type Attempt } from './route-race.ts';
import { isCut } from './unreachable.ts';
import { said } from '../../words/said.ts';

export interface DispatcherOptions extends AddressRules {
  /** The partner's SHA-256 fingerprint; with it no authority is asked. */
  readonly certificate?: string;
  /** Returns this node's ports, never to be called. */
  readonly ownPorts: () => readonly number[];
  readonly connectTime: number;
  readonly lookup?: Lookup;
  readonly routes?: PartnerRoutes | undefined;
}

/**
 * Returns the dispatcher for requests to one partner, by its routes if known. The lookup checks every address of a name
 * (S2).
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return options.routes ? new RoutedDispatcher(options, options.routes) : createAgent(options);
}

/** Test result: ended connections; reached the partner; no route works. */
export type RouteTest = 'ended' | 'reached' | 'none';

const HTTPS_PORT = 443;
/** For a route in use to reopen after another has opened. */
const REOPEN_MS = 5_000;
/** First keep-alive probe on an idle connection; unanswered probes end it. */
const KEEP_ALIVE_MS = 60_000;
/** The same while nothing arrives, and the time of Node's ten probes, one a second. */
const PROBE_MS = 1_000;
const PROBED_MS = 13_000;

/** Replaces connections when a better route may exist; running requests keep theirs. */
export class RoutedDispatcher extends Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #routes: PartnerRoutes;
  readonly #ending = new Set<Dispatcher>();
  readonly #streams = new Map<Socket, string>();
  /** By the error of the failed connection. */
  readonly #failedRoutes = new WeakMap<object, string>();
  #current: { readonly agent: Dispatcher; readonly generation: number };

  constructor(options: DispatcherOptions, routes: PartnerRoutes) {
    super();
    this.#options = options;
    this.#routes = routes;
    this.#current = { agent: this.#createAgent(), generation: routes.generation };
  }

  /** Creates an agent, and records its open streams and their errors by route. */
  #createAgent(): Agent {
    return createAgent(this.#options, (stream, route) => {
      this.#streams.set(stream, route);
      stream.once('error', (error: Error) => this.#failedRoutes.set(error, route));
      stream.once('close', () => this.#streams.delete(stream));
    });
  }

  /**
   * Dispatches over the present connections; if the routes changed, over new ones: old ones close after their requests.
   */
  override dispatch(wanted: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { generation } = this.#routes;
    if (this.#current.generation !== generation) {
      const { agent: old } = this.#current;
      this.#ending.add(old);
      void old
        .close()
        .catch(() => undefined)
        .finally(() => this.#ending.delete(old));
      this.#current = { agent: this.#createAgent(), generation };
    }
    return this.#current.agent.dispatch(wanted, handler);
  }

  /**
   * Tests the routes, and ends silent connections: first of routes that can't be reopened while another opens. If that
   * ends none, ends and avoids indirect routes', once in ten minutes; else the working one's, if a router forgot one.
   * Their requests fail as if the partner had cut them. Returns `none`, and counts a failure, if no route opens.
   */
  async endSilentRoutes(baseURL: string): Promise<RouteTest> {
    const before = [...this.#streams].map(([stream, route]) => ({ stream, route, bytes: stream.bytesRead }));
    const attempts = listAttempts(
      this.#options,
      createMainConnector(this.#options),
      parseTarget(baseURL),
      'requests',
    );
    /** Returns the first route that opens within `ms`, closed again; undefined if none does. */
    const tryToOpen = (tried: readonly Attempt[], ms: number): Promise<string | undefined> =>
      raceRoutes(tried, AbortSignal.timeout(ms)).then(
        ({ id, stream }) => {
          stream.destroy();
          return id;
        },
        () => undefined,
      );
    const working = await tryToOpen(attempts, this.#options.connectTime);
    if (working === undefined) {
      this.#routes.recordFailure();
      return 'none';
    }
    /** Returns the route's open connections over which nothing came since the test began. */
    const findSilent = (route: string): Socket[] =>
      before
        .filter((each) => each.route === route && each.stream.bytesRead === each.bytes)
        .flatMap(({ stream }) => (stream.destroyed ? [] : stream));
    /** Ends the route's silent connections; returns whether there were any. */
    const endSilent = (route: string): boolean => {
      const silent = findSilent(route);
      for (const stream of silent) stream.destroy(Object.assign(new Error('silent'), { code: 'ECONNRESET' }));
      return silent.length > 0;
    };
    const used = [...new Set(before.map(({ route }) => route))];
    const ended = await Promise.all(
      used.map(async (route) => {
        if (route === working) return false;
        // A slow partner, unlike a firewall that drops everything, would be slow on every route.
        const same = attempts.filter(({ id }) => id === route);
        const isUseless = this.#routes.isAvoided(route) || (await tryToOpen(same, REOPEN_MS)) === undefined;
        return isUseless && endSilent(route);
      }),
    );
    if (ended.includes(true)) return 'ended';
    // Keep-alive probes, which a slow partner's computer answers, don't pass a relay.
    const useless = used.filter(
      (route) => !isDirect(route) && !this.#routes.isAvoided(route) && findSilent(route).length > 0,
    );
    for (const route of useless) this.#routes.avoid(route);
    const onWorking = before.flatMap(({ stream, route }) => (route === working ? stream : []));
    if (useless.length === 0 && isDirect(working) && (await isAnyForgotten(onWorking))) useless.push(working);
    return useless.map(endSilent).includes(true) ? 'ended' : 'reached';
  }

  /**
   * Avoids the route of the connection that failed with this error or a cause of it, else the one in use, as another
   * may have opened since.
   */
  avoidRouteOf(error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const route = this.#failedRoutes.get(cause);
      if (route === undefined) continue;
      this.#routes.avoid(route);
      return;
    }
    this.#routes.avoid();
  }

  /** Closes the present connections after their requests; replaced ones close on their own. */
  override async close(): Promise<void> {
    await this.#current.agent.close();
  }

  /** Ends all connections at once, also those that finish their requests. */
  override async destroy(): Promise<void> {
    await Promise.all([this.#current.agent, ...this.#ending].map((agent) => agent.destroy()));
  }
}

const isDirect = (id: string): boolean =>
  id === MAIN_ROUTE || ['direct', 'mapped'].includes(parseRoute(id)?.kind ?? '');

/**
 * Returns whether the system ended one of these connections, as nobody answered its probes. One with unacknowledged
 * bytes of ours isn't probed. Waits for a limited time.
 */
async function isAnyForgotten(streams: readonly Socket[]): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBED_MS);
  const isForgotten = streams.map(async (stream) => {
    stream.setKeepAlive(true, PROBE_MS);
    const isLost = await once(stream, 'close', { signal }).then(() => false, isCut);
    if (!stream.destroyed) stream.setKeepAlive(true, KEEP_ALIVE_MS);
    return isLost || Promise.reject(new Error('not forgotten'));
  });
  return Promise.any(isForgotten).catch(() => false);
}

/**
 * Creates an agent whose connections go over the first route that answers, at most eight at once; calls `onOpen` with
 * each and its route.
 */
function createAgent(
  options: DispatcherOptions,
  onOpen: (stream: Socket, route: string) => void = () => undefined,
): Agent {
  const openMain = createMainConnector(options);
  return new Agent({
    connections: 8,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 32 * 1024,
    /**
     * Opens the first route that answers within the time to connect, reports it by `onOpen`, and passes stream or error
     * to `callback`.
     */
    connect(target, callback) {
      openFirstRoute(options, openMain, target, AbortSignal.timeout(options.connectTime)).then(
        ({ id, stream }) => {
          onOpen(stream, id);
          callback(null, stream);
        },
        (error: unknown) => callback(asError(error), null),
      );
    },
  });
}

/**
 * Opens a connection that isn't for HTTP requests: for `registration` over any route but a reverse connection, for
 * `better` only over a route above the present one. Throws PartnerError or Node's error.
 */
export async function openConnection(
  options: DispatcherOptions,
  baseURL: string,
  signal: AbortSignal,
  use: Exclude<ConnectionUse, 'requests'> = 'registration',
): Promise<Socket> {
  const within = withDeadline(options.connectTime, signal);
  return (await openFirstRoute(options, createMainConnector(options), parseTarget(baseURL), within, use))
    .stream;
}

/** Returns the address as undici's target, an IPv6 host without brackets. */
function parseTarget(baseURL: string): buildConnector.Options {
  const { protocol, hostname, port, host } = new URL(baseURL);
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, host };
}

type OpenMain = (target: buildConnector.Options, signal: AbortSignal) => Promise<Socket>;

/**
 * Returns the ways to connect, in order: the main address alone, or with a partner's further routes. For
 * `registration` only encrypted ones.
 */
function listAttempts(
  options: DispatcherOptions,
  openMain: OpenMain,
  target: buildConnector.Options,
  use: ConnectionUse,
): readonly Attempt[] {
  const { routes, lookup } = options;
  const main: Attempt = { id: MAIN_ROUTE, open: (ending) => openMain(target, ending) };
  const host = hostOf(target);
  const isPrivate = isIP(host) !== 0 && isPrivateAddress(host);
  const check = (address: string, port: number): void =>
    checkReachedAddress(address, options, options.ownPorts().includes(port));
  // The partner announces its main address too: with the same pin, one attempt.
  const port = Number(target.port) || HTTPS_PORT;
  const again = options.certificate === undefined ? undefined : formatRoute({ kind: 'direct', host, port });
  const ordered = routes?.orderAttempts(main, isPrivate, { check, lookup }, use) ?? [main];
  const found = ordered.filter(({ id }) => id !== again);
  // Registration credentials never leave unencrypted.
  return use === 'registration' && target.protocol !== 'https:'
    ? found.filter((each) => each !== main)
    : found;
}

/**
 * Opens the first route that answers; for `requests` records which, or the failure. Throws like {@link raceRoutes}. Of
 * a paired partner an AddressRefusedError is explained.
 */
async function openFirstRoute(
  options: DispatcherOptions,
  openMain: OpenMain,
  target: buildConnector.Options,
  signal: AbortSignal,
  use: ConnectionUse = 'requests',
): ReturnType<typeof raceRoutes> {
  const { routes } = options;
  const attempts = listAttempts(options, openMain, target, use);
  const opened = await raceRoutes(attempts, signal).catch((error: unknown) => {
    if (use === 'requests') routes?.recordFailure();
    throw error instanceof AddressRefusedError && routes?.isPaired
      ? explainRefusal(error, hostOf(target), routes)
      : error;
  });
  if (use === 'requests') routes?.recordSuccess(opened.id);
  return opened;
}

/**
 * Returns a more helpful error if a connected partner's routes are gone, or its name leads only to forbidden addresses;
 * else the same.
 */
function explainRefusal(cause: AddressRefusedError, host: string, { isRouted }: PartnerRoutes): Error {
  // Routes are gone; an address in the partner's network is nobody's mistake.
  if (cause.problem === 'private' && isRouted)
    return new PartnerUnreachableError('refused', said('peer.not-connected'), { cause });
  // Some networks resolve every name to their login page: nobody should allow that.
  if (isIP(host) === 0 && ['private', 'loopback', 'forbidden'].includes(cause.problem))
    return new PartnerUnreachableError('elsewhere', said('peer.name-redirected'), { cause });
  return cause;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * Creates the function that connects to the main address. It checks the address (at our own ports that it isn't this
 * computer) and, with a pin, the certificate (certificate pinning); rejects with these errors or the connection's.
 */
function createMainConnector(options: DispatcherOptions): OpenMain {
  const pinned = options.certificate;
  /**
   * Checks looked-up addresses; with a pin accepts every certificate, for the caller to check. `ownPort`: refuse this
   * computer's addresses, where we listen.
   */
  const createConnector = (ownPort: boolean): buildConnector.connector =>
    buildConnector({
      timeout: options.connectTime,
      lookup: guardedLookup((address) => checkReachedAddress(address, options, ownPort), options.lookup),
      // The fingerprint decides, and resumed sessions don't show the certificate.
      ...(pinned === undefined ? {} : { rejectUnauthorized: false, maxCachedSessions: 0 }),
    });
  const connectors = { own: createConnector(true), other: createConnector(false) };
  return (target, signal) =>
    new Promise((resolve, reject) => {
      const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
      const ownPort = options.ownPorts().includes(port);
      checkTarget(target, options, ownPort);
      connectors[ownPort ? 'own' : 'other'](target, (error, socket) => {
        if (error) {
          reject(error);
        } else if (signal.aborted || (pinned !== undefined && fingerprint(socket as TLSSocket) !== pinned)) {
          socket.destroy();
          reject(signal.aborted ? asError(signal.reason) : wrongCertificate());
        } else {
          resolve(socket);
        }
      });
    });
}

const hostOf = (target: buildConnector.Options): string => target.hostname.replace(/^\[|\]$/g, '');

/** Throws AddressRefusedError for a pinned target without encryption, and for a forbidden numeric host. */
function checkTarget(target: buildConnector.Options, options: DispatcherOptions, ownPort: boolean): void {
  if (options.certificate !== undefined && target.protocol !== 'https:') {
    throw new AddressRefusedError('not-pinned', said('peer.promised-encryption'));
  }
  const host = hostOf(target);
  if (isIP(host) !== 0) checkReachedAddress(host, options, ownPort);
}

/** Throws AddressRefusedError unless the address may be called; with `ownPort` not if it is this computer's either. */
function checkReachedAddress(address: string, options: DispatcherOptions, ownPort: boolean): void {
  checkAddress(address, options);
  if (ownPort && isThisComputer(address)) {
    throw new AddressRefusedError('own', said('peer.own-address'));
  }
}

/** Returns whether an address is loopback or one of this computer's. */
function isThisComputer(address: string): boolean {
  const plain = plainAddress(address);
  if (isLoopback(plain)) return true;
  return Object.values(networkInterfaces()).some((list) =>
    list?.some((own) => plainAddress(own.address) === plain),
  );
}

/** Returns the SHA-256 fingerprint of the partner's certificate in lower-case hex; undefined without one. */
function fingerprint(socket: TLSSocket): string | undefined {
  return socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
}
