import { networkInterfaces } from 'node:os';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { RelayFacts } from '../../app/reachability.ts';
import type { Clock } from '../../base/clock.ts';
import { keepOnly } from '../../base/keep-only.ts';
import { formatRoute, MAX_ROUTE_CHARS } from '../../base/routes.ts';
import type { ROUTE_SETTINGS, Settings } from '../../contract/app/settings.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Node } from '../../federation/model.ts';
import type { Partition, Table } from '../../store/store.ts';
import { ACCESS_KEY_HEADER, dialThroughRelay } from '../../routes/dial.ts';
import {
  formatRelayAddress,
  newRegistrationSecret,
  officeIDOf,
  parseRelayAddress,
  type RelayAddress,
} from '../../routes/relay-address.ts';
import { maintainMapping, type MaintainedMapping, type MappingState } from '../../routes/port-mapping.ts';
import { isPrivateAddress } from '../../peer/transport/address.ts';
import { REVERSE_ROUTE } from '../../peer/transport/partner-routes.ts';
import { securePinned } from '../../peer/transport/route-race.ts';
import { Announcer, type AnnouncerDeps, type Carrier } from './announcer.ts';
import { Registrations, type WantedRegistration } from './registrations.ts';
import type { RouteBook } from './route-book.ts';
import { RouteNotes, type RouteNotesDeps } from './route-notes.ts';

export interface OfficeRoutesDeps extends RouteNotesDeps, Omit<AnnouncerDeps, 'log'> {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly book: RouteBook;
  readonly system: Partition;
  readonly settings: () => Pick<Settings, (typeof ROUTE_SETTINGS)[number]>;
  readonly federation: Pick<Federation, 'nodes' | 'tokens' | 'announcements' | 'invites'>;
  /** Connects to a partner to register there, or over a better route. */
  readonly connect: (node: Node, signal: AbortSignal, use: 'registration' | 'better') => Promise<Socket>;
  /** Returns the port to forward; undefined unless it shows our own certificate. */
  readonly directPort: () => number | undefined;
  /** Makes the routes' certificate before announcements. */
  readonly prepare: () => Promise<void>;
  readonly take: (stream: Duplex, route: string) => void;
  /** The network changed: start waiting retries. */
  readonly onNetworkChanged: () => void;
  /** A partner is callable again: start its waiting retries. */
  readonly onReached: (nodeID: string) => void;
  /** The routes or a registration's state changed. */
  readonly onChange: () => void;
}

interface Mapped {
  readonly port: number;
  readonly ending: AbortController;
  readonly kept: MaintainedMapping;
  readonly state: MappingState;
}

const WATCH_MS = 5_000;
/** Direct callers within this time need no reverse connection. */
const CALLED_DIRECTLY_MS = 150_000;
/** After the start, until partners count as unable to call. */
const WAIT_FOR_CALLS_MS = 20_000;
/** Keeps us announced through a partner despite ended registrations: each change goes to all. */
const CARRIED_MS = 600_000;

/** By the relay's host, port and path; others under {@link CARRY_KEY} and {@link MAPPING_KEY}. */
const REGISTRATION_SECRETS: Table<{ readonly secret: string }> = { name: 'relay-registration' };

/** Maintains the routes to this office: relay, router port, reverse connections. */
export class OfficeRoutes {
  readonly #deps: OfficeRoutesDeps;
  readonly #registrations: Registrations;
  readonly #startedAt: number;
  /** Last direct calls; monotonic. */
  readonly #calledAt = new Map<string, number>();
  /** Last openings; monotonic. */
  readonly #registeredAt = new Map<string, number>();
  readonly #announcer: Announcer;
  /** Partners with a reverse connection, and our tokens for them, as of the last update. */
  readonly #reversed = new Map<string, { readonly node: Node; readonly token: string }>();
  /** Partners for which we carry connections, by the ID for others. */
  #carried = new Map<string, string>();
  #isCarrying: boolean | undefined;
  readonly #notes: RouteNotes;
  #network = networkFingerprint();
  #relay: { readonly address: RelayAddress; readonly secret: string } | undefined;
  #mapping: Mapped | undefined;
  #cancel: (() => void) | undefined;
  readonly #ending = new AbortController();
  #working: Promise<void> | undefined;

  constructor(deps: OfficeRoutesDeps) {
    this.#deps = deps;
    this.#notes = new RouteNotes(deps);
    this.#announcer = new Announcer(deps);
    this.#startedAt = deps.clock.monotonic();
    this.#registrations = new Registrations(deps.clock, deps.take, (key, state) => {
      deps.log.info({ key, state: state.kind }, 'registration');
      if (state.kind === 'registered') this.#onRegistered(key);
      deps.onChange();
    });
    deps.book.isRegisteredAt = (nodeID) => this.isReversedTo(nodeID);
  }

  /**
   * Handles a registration that succeeded: replaces connections of each partner reached by it, announces our routes
   * and retries the sync.
   */
  #onRegistered(key: string): void {
    const { book, clock, onReached } = this.#deps;
    this.#registeredAt.set(key, clock.monotonic());
    this.update();
    // Relayed connections may have broken unnoticed.
    for (const nodeID of key === RELAY_KEY ? book.relayed() : [key]) {
      // The partner may have become, or ceased to be, a way to us.
      this.#announcer.announceAgain(nodeID);
      book.renewConnections(nodeID);
      onReached(nodeID);
    }
  }

  /** Starts the routes; they stay updated until {@link stop}. */
  start(): void {
    this.update();
  }

  /** Ends all routes. Resolves once the router's port is closed, or couldn't be. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#cancel?.();
    this.#registrations.set([]);
    this.#deps.book.rendezvous.close();
    this.#mapping?.ending.abort();
    await this.#mapping?.kept.ended;
  }

  /**
   * Returns our routes as texts, without the listener's addresses: mapped port, relay, carriers, reverse connection.
   */
  routeTexts(): string[] {
    const { reverse } = this.#deps.settings();
    const relay = this.#relayRoute();
    const carriers = reverse ? this.#announcer.carriers().flatMap((one) => this.#carrierRoutes(one)) : [];
    return [
      ...this.#mappedRoutes(),
      ...(relay === undefined ? [] : [relay]),
      ...carriers.slice(0, MAX_CARRIERS),
      ...(reverse ? [REVERSE_ROUTE] : []),
    ];
  }

  /**
   * Returns the partner that others may call through us under this ID; undefined for an unknown ID or while carrying
   * is off.
   */
  carriedNode(carryID: string): string | undefined {
    return this.#deps.settings().carry ? this.#carried.get(carryID) : undefined;
  }

  /** Returns the port mapping's state; undefined if it is off. */
  mappingState(): MappingState | undefined {
    return this.#mapping?.state;
  }

  /** Returns the registration's state at our relay, undefined without one; `callOurselves` tests a call through it. */
  relayState(): RelayFacts | undefined {
    const state = this.#registrations.stateOf(RELAY_KEY);
    if (!state || !this.#relay) return undefined;
    const { address, secret } = this.#relay;
    return {
      host: address.host,
      state,
      callOurselves: async (signal) => {
        try {
          const options = { ...this.#deps.book.createDialOptions(true), signal };
          const stream = await dialThroughRelay(address, officeIDOf(secret), options);
          (await securePinned(stream, this.#deps.federation.invites.ownRoutes().pin, signal)).destroy();
          return true;
        } catch {
          return false;
        }
      },
    };
  }

  /** Returns whether we hold a reverse connection to this partner. */
  isReversedTo(nodeID: string): boolean {
    return this.#registrations.stateOf(nodeID)?.kind === 'registered';
  }

  /**
   * Records a partner's direct call; the first one also in a record that says that it can't call us, in the background;
   * ignores routed calls.
   */
  recordDirectCall(nodeID: string, route: string | undefined): void {
    if (route !== undefined) return;
    const isFirst = !this.#calledAt.has(nodeID);
    this.#calledAt.set(nodeID, this.#deps.clock.monotonic());
    if (!isFirst || this.#reversed.get(nodeID)?.node.reach !== 'we-call-them') return;
    this.#deps.federation.nodes.recordReached(nodeID).catch((error: unknown) => {
      this.#calledAt.delete(nodeID);
      this.#deps.log.warn({ err: error, nodeID }, 'a call could not be noted');
    });
  }

  /** Tests all routes and retries failed calls at once. */
  networkChanged(): void {
    this.#deps.book.networkChanged();
    this.#registrations.networkChanged();
    this.#mapping?.kept.networkChanged();
    this.#announcer.retryFailed();
    this.#calledAt.clear();
    this.#deps.onNetworkChanged();
    this.update();
  }

  /** Updates the routes in the background, then every 5 seconds; not while an update runs. */
  update(): void {
    if (this.#ending.signal.aborted || this.#working) return;
    this.#cancel?.();
    this.#working = this.#updateAll()
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'the routes could not be updated'))
      .finally(() => {
        this.#working = undefined;
        // Only now: a computer that slept looks once.
        if (!this.#ending.signal.aborted)
          this.#cancel = this.#deps.clock.after(WATCH_MS, () => this.#checkNetwork());
      });
  }

  /** Updates the routes; if this computer's addresses have changed, tests all and retries failed calls. */
  #checkNetwork(): void {
    const network = networkFingerprint();
    const hasChanged = network !== this.#network;
    this.#network = network;
    if (hasChanged) this.networkChanged();
    else this.update();
  }

  /**
   * Applies settings and partners to relay, port mapping, reverse connections and carrying; forgets deleted partners.
   * Starts looking for better routes to paired Footbridges, and announces ours to them.
   */
  async #updateAll(): Promise<void> {
    this.#deps.book.endDisallowed();
    await this.#loadRelay();
    await this.#updatePortMapping();
    await this.#deps.prepare();
    const nodes = await this.#deps.federation.nodes.list();
    this.#forgetAllBut(new Set(nodes.map(({ nodeID }) => nodeID)));
    const paired = nodes.filter(({ status, footbridge }) => status === 'paired' && footbridge);
    this.#deps.book.rendezvous.keepOnly(new Set(paired.map(({ nodeID }) => nodeID)));
    const reverse = await Promise.all(
      paired.filter((node) => this.#needsReverse(node)).map((node) => this.#reverseRegistration(node)),
    );
    if (this.#ending.signal.aborted) return;
    this.#registrations.set([...this.#relayRegistrations(), ...reverse.flatMap((one) => one ?? [])]);
    for (const node of paired) this.#tryBetterRoute(node);
    await this.#applyCarrying(paired);
    await this.#announcer.announceTo(paired);
    this.#recordRoutesInUse(paired);
  }

  /** Forgets all about partners other than these: a restored one must not count as carrying us. */
  #forgetAllBut(nodeIDs: ReadonlySet<string>): void {
    for (const map of [this.#calledAt, this.#registeredAt, this.#reversed]) keepOnly(map, nodeIDs);
    this.#announcer.forgetAllBut(nodeIDs);
    this.#deps.book.forgetAllBut(nodeIDs);
  }

  /** Sets `#relay` to the chosen relay and our secret for it, made if missing; to undefined without a valid address. */
  async #loadRelay(): Promise<void> {
    const address = parseRelayAddress(this.#deps.settings().relay);
    if (!address) {
      this.#relay = undefined;
      return;
    }
    const secret = await this.#loadSecret(`${address.host}:${address.port}${address.path}`);
    this.#relay = { address, secret };
  }

  /** Returns the stored secret of this name; makes and stores one if it is missing. */
  async #loadSecret(key: string): Promise<string> {
    const { system } = this.#deps;
    const known = await system.get(REGISTRATION_SECRETS, key);
    const secret = known?.secret ?? newRegistrationSecret();
    if (!known) await system.transaction((tx) => tx.put(REGISTRATION_SECRETS, key, { secret }));
    return secret;
  }

  /**
   * Starts or ends the port mapping, as setting and port require: the router forwards the listener's port while the
   * setting is on. A no-op for the same port.
   */
  async #updatePortMapping(): Promise<void> {
    const secret = await this.#loadSecret(MAPPING_KEY);
    const { settings, directPort, clock, log, onChange } = this.#deps;
    const port = settings().mapPort ? directPort() : undefined;
    if (port === this.#mapping?.port || this.#ending.signal.aborted) return;
    this.#mapping?.ending.abort();
    this.#mapping = undefined;
    if (port === undefined) return;
    const ending = new AbortController();
    const kept = maintainMapping({
      ...{ port, secret, clock, signal: ending.signal },
      onState: (state) => {
        log.info({ state: state.kind }, 'port at the router');
        if (this.#mapping?.ending !== ending) return;
        this.#mapping = { ...this.#mapping, state };
        onChange();
        this.update();
      },
    });
    this.#mapping = { port, ending, kept, state: { kind: 'searching' } };
  }

  /** Returns the mapped port as a route; [] without one. */
  #mappedRoutes(): string[] {
    const state = this.#mapping?.state;
    if (state?.kind !== 'mapped') return [];
    return [formatRoute({ kind: 'mapped', host: state.address, port: state.port })];
  }

  /** Returns the route through our relay; undefined without one. */
  #relayRoute(): string | undefined {
    if (!this.#relay || this.#deps.settings().relay === '') return undefined;
    const { address, secret } = this.#relay;
    const officeID = officeIDOf(secret);
    return formatRoute({ kind: 'relay', address: formatRelayAddress({ ...address, officeID }, true) });
  }

  /** Returns the registration wanted at our relay; [] without one. */
  #relayRegistrations(): WantedRegistration[] {
    if (!this.#relay) return [];
    const { address, secret } = this.#relay;
    const { accessKey } = address;
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(accessKey === undefined ? {} : { [ACCESS_KEY_HEADER]: accessKey }),
    };
    return [
      {
        key: RELAY_KEY,
        route: `relay ${address.host}`,
        endpoint: address,
        headers: () => headers,
        dial: this.#deps.book.createDialOptions(true),
      },
    ];
  }

  /**
   * Returns whether a partner needs a reverse connection: if allowed and its address and certificate are known, when it
   * has one, can't call us, or hasn't called us directly for a while (after our start a shorter one).
   */
  #needsReverse({ nodeID, baseURL, certificate, routes, reach }: Node): boolean {
    if (!this.#deps.settings().reverse || baseURL === '') return false;
    if (certificate === undefined && (routes?.pin ?? '') === '') return false;
    if (reach === 'we-call-them' || this.isReversedTo(nodeID)) return true;
    const now = this.#deps.clock.monotonic();
    const calledAt = this.#calledAt.get(nodeID);
    if (calledAt === undefined) return now - this.#startedAt >= WAIT_FOR_CALLS_MS;
    return now - calledAt >= CALLED_DIRECTLY_MS;
  }

  /**
   * Returns the registration wanted at a partner, which sends the latest record's token at each try; undefined without
   * a token for it.
   */
  async #reverseRegistration(node: Node): Promise<WantedRegistration | undefined> {
    const token = await this.#deps.federation.tokens.tokenFor(node.nodeID).catch(() => undefined);
    if (token === undefined) return undefined;
    this.#reversed.set(node.nodeID, { node, token });
    const now = (): { readonly node: Node; readonly token: string } =>
      this.#reversed.get(node.nodeID) ?? { node, token };
    return {
      key: node.nodeID,
      route: `${REVERSE_ROUTE} ${node.nodeID}`,
      endpoint: { ...addressOf(node), path: '/federation' },
      headers: () => ({ authorization: `Bearer ${now().token}` }),
      dial: {
        checkAddress: () => undefined,
        // By any route, with the certificate checked.
        openSecure: (signal) => this.#deps.connect(now().node, signal, 'registration'),
      },
    };
  }

  /**
   * Tries a better route in the background after a worse one was used for a while; if one works, the next connections
   * use it and a sync starts.
   */
  #tryBetterRoute(node: Node): void {
    const { book, connect, onReached } = this.#deps;
    if (!book.claimRouteUpgrade(node)) return;
    connect(node, this.#ending.signal, 'better').then(
      (socket) => {
        socket.destroy();
        book.renewConnections(node.nodeID);
        onReached(node.nodeID);
      },
      () => undefined,
    );
  }

  /**
   * Returns our route through a carrier; [] unless we are registered at it, or were lately and try to be again, and its
   * certificate and a public address that shows it are known.
   */
  #carrierRoutes({ node, officeID }: Carrier): string[] {
    const shown = node.routes?.pin ?? '';
    const pin = shown === '' ? node.certificate : shown;
    if (pin === undefined || pin === '' || !this.#isCallableThrough(node.nodeID)) return [];
    const { host, port } = addressOf(node);
    if (isIP(host) !== 0 && isPrivateAddress(host)) return [];
    // Proxies show their own certificate, unless the partner announces this address.
    const main = formatRoute({ kind: 'direct', host, port });
    if (node.certificate === undefined && !node.routes?.texts.includes(main)) return [];
    const address = formatRelayAddress({ host, port, path: '/federation', pin, officeID }, true);
    const text = formatRoute({ kind: 'relay', address });
    // The partner names its host: an overlong one would void our routes and invites.
    return text.length > MAX_ROUTE_CHARS ? [] : [text];
  }

  /** Returns whether we are registered at the partner, or were lately and try to be again. */
  #isCallableThrough(nodeID: string): boolean {
    if (this.isReversedTo(nodeID)) return true;
    const at = this.#registeredAt.get(nodeID) ?? -Infinity;
    const isTried = this.#registrations.stateOf(nodeID) !== undefined;
    return isTried && this.#deps.clock.monotonic() - at < CARRIED_MS;
  }

  /**
   * While the setting is on, gives each partner a permanent ID by which others' calls are carried to it, else ends all
   * carried connections. A changed setting makes partners register again.
   */
  async #applyCarrying(nodes: readonly Node[]): Promise<void> {
    const { settings, federation } = this.#deps;
    const { carry } = settings();
    // Partners ask again at their registration.
    if (this.#isCarrying !== undefined && this.#isCarrying !== carry) this.#deps.book.rendezvous.restart();
    this.#isCarrying = carry;
    if (!carry) {
      federation.announcements.carriedAs = () => undefined;
      this.#deps.book.rendezvous.endCarried();
      return;
    }
    const secret = await this.#loadSecret(CARRY_KEY);
    const idOf = (nodeID: string): string => officeIDOf(`${secret} ${nodeID}`);
    this.#carried = new Map(nodes.map(({ nodeID }) => [idOf(nodeID), nodeID]));
    federation.announcements.carriedAs = (nodeID) => (settings().carry ? idOf(nodeID) : undefined);
  }

  /** Adds activities about routes in use to the partners' activity, each once. */
  #recordRoutesInUse(nodes: readonly Node[]): void {
    const mapping = this.#mapping?.state;
    for (const node of nodes) {
      if (this.isReversedTo(node.nodeID)) this.#notes.recordReverse(node);
      if (mapping?.kind === 'mapped') this.#notes.recordMapping(node, mapping.port);
      this.#notes.recordCall(node, this.#deps.book.inUse(node.nodeID));
    }
  }
}

const RELAY_KEY = 'relay';
const CARRY_KEY = 'carry';
const MAPPING_KEY = 'port-mapping';
/** We announce at most so many partners as ways to us. */
const MAX_CARRIERS = 2;

/** Returns an address's host, without brackets, and port; 443 if it has none, whatever the scheme. */
function addressOf({ baseURL }: Pick<Node, 'baseURL'>): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(baseURL);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 443 };
}

/** Returns a text that changes with this computer's addresses. */
const networkFingerprint = (): string =>
  JSON.stringify(
    Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
    ),
  );
