import { networkInterfaces } from 'node:os';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { formatRoute } from '../../base/routes.ts';
import type { Settings } from '../../contract/app/settings.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Node } from '../../federation/model.ts';
import type { Partition, Table } from '../../store/store.ts';
import { ACCESS_KEY_HEADER } from '../../routes/dial.ts';
import {
  formatRelayAddress,
  newRegistrationSecret,
  officeIDOf,
  parseRelayAddress,
  type RelayAddress,
} from '../../routes/relay-address.ts';
import type { RegistrationState } from '../../routes/rendezvous-client.ts';
import { hasStatus } from '../../peer/guard/errors.ts';
import { REVERSE_ROUTE } from '../../peer/transport/partner-routes.ts';
import { Registrations, type WantedRegistration } from './registrations.ts';
import type { RouteBook } from './route-book.ts';

export interface OfficeRoutesDeps {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly book: RouteBook;
  readonly system: Partition;
  readonly settings: () => Settings;
  readonly federation: Pick<Federation, 'nodes' | 'tokens' | 'announcements'>;
  /** Sends our routes to a partner. @throws PartnerError, Refusal */
  readonly announce: (nodeID: string) => Promise<void>;
  /** Opens a connection to a partner for the registration there. */
  readonly connect: (node: Node, signal: AbortSignal) => Promise<Socket>;
  /** Called when there may be routes for the first time, so that there is a certificate for them. */
  readonly prepare: () => Promise<void>;
  /** Serves a stream that arrived by a route. */
  readonly take: (stream: Duplex, route: string) => void;
  /** The network is another one: what waits for the old one is tried again at once. */
  readonly onNetworkChanged: () => void;
  /** Which routes there are, or how a registration goes, has changed. */
  readonly onChange: () => void;
}

const WATCH_MS = 5_000;
/** A partner that called us directly within this time needs no reverse connection. */
const CALLED_MS = 150_000;
/** At the start partners get so long to call before they count as unable to. */
const WAIT_FOR_CALLS_MS = 20_000;
const RETRY_MS = 15_000;

/** The secret by which we are registered at a relay, by the relay's host and port. */
const REGISTRATION_SECRETS: Table<{ readonly secret: string }> = { name: 'relay-registration' };

/**
 * The ways on which partners reach this office beside its listener: the registration at a relay, the reverse connections to
 * partners that cannot call us, and the announcements that tell partners of all of them.
 */
export class OfficeRoutes {
  readonly #deps: OfficeRoutesDeps;
  readonly #registrations: Registrations;
  readonly #startedAt: number;
  /** When each partner last called directly, by the monotonic clock. */
  readonly #calledAt = new Map<string, number>();
  /** The revision that each partner is known to have. */
  readonly #announced = new Map<string, number>();
  readonly #triedAt = new Map<string, number>();
  /** The token that each partner knows us by, as of the last look. */
  readonly #tokens = new Map<string, string>();
  #network = networkNow();
  #relay: { readonly address: RelayAddress; readonly secret: string } | undefined;
  #cancel: (() => void) | undefined;
  #isEnded = false;
  #working: Promise<void> | undefined;

  constructor(deps: OfficeRoutesDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.monotonic();
    this.#registrations = new Registrations(deps.clock, deps.take, (key, state) => {
      deps.log.info({ key, state: state.kind }, 'registration');
      if (state.kind === 'registered') this.look();
      deps.onChange();
    });
  }

  start(): void {
    this.look();
  }

  stop(): void {
    this.#isEnded = true;
    this.#cancel?.();
    this.#registrations.set([]);
    this.#deps.book.rendezvous.close();
  }

  /** The texts of our routes beside the addresses of the listener. */
  texts(): string[] {
    const { reverse } = this.#deps.settings();
    const relay = this.#relayRoute();
    return [...(relay === undefined ? [] : [relay]), ...(reverse ? [REVERSE_ROUTE] : [])];
  }

  /** How the registration at our relay goes; undefined without one. */
  relayState(): RegistrationState | undefined {
    return this.#registrations.stateOf(RELAY_KEY);
  }

  /** Whether we hold a reverse connection to this partner. */
  isReversedTo(nodeID: string): boolean {
    return this.#registrations.stateOf(nodeID)?.kind === 'registered';
  }

  /** A partner called: by which route, or directly. */
  called(nodeID: string, route: string | undefined): void {
    if (route === undefined) this.#calledAt.set(nodeID, this.#deps.clock.monotonic());
  }

  /** The computer woke up, or its network is another one. */
  networkChanged(): void {
    this.#deps.book.networkChanged();
    this.#registrations.networkChanged();
    this.#triedAt.clear();
    this.#deps.onNetworkChanged();
    this.look();
  }

  /** Brings everything in line with settings, partners and network; also called by itself every few seconds. */
  look(): void {
    if (this.#isEnded) return;
    this.#cancel?.();
    this.#cancel = this.#deps.clock.after(WATCH_MS, () => {
      const network = networkNow();
      const hasChanged = network !== this.#network;
      this.#network = network;
      if (hasChanged) this.networkChanged();
      else this.look();
    });
    this.#working ??= this.#work()
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'the routes could not be looked after'))
      .finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    await this.#openRelay();
    await this.#deps.prepare();
    const nodes = await this.#deps.federation.nodes.list();
    const paired = nodes.filter(({ status, footbridge }) => status === 'paired' && footbridge);
    const reverse = await Promise.all(
      paired.filter((node) => this.#needsReverse(node)).map((node) => this.#reverseTo(node)),
    );
    if (this.#isEnded) return;
    this.#registrations.set([...this.#atRelay(), ...reverse.flatMap((one) => one ?? [])]);
    await this.#announceTo(paired);
  }

  async #openRelay(): Promise<void> {
    const address = parseRelayAddress(this.#deps.settings().relay);
    if (!address) {
      this.#relay = undefined;
      return;
    }
    const { system } = this.#deps;
    const key = `${address.host}:${address.port}${address.path}`;
    const known = await system.get(REGISTRATION_SECRETS, key);
    const secret = known?.secret ?? newRegistrationSecret();
    if (!known) await system.transaction((tx) => tx.put(REGISTRATION_SECRETS, key, { secret }));
    this.#relay = { address, secret };
  }

  #relayRoute(): string | undefined {
    if (!this.#relay || this.#deps.settings().relay === '') return undefined;
    const { address, secret } = this.#relay;
    const officeID = officeIDOf(secret);
    return formatRoute({ kind: 'relay', address: formatRelayAddress({ ...address, officeID }, true) });
  }

  #atRelay(): WantedRegistration[] {
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
        dial: this.#deps.book.dialOptions(true),
      },
    ];
  }

  #needsReverse({ nodeID, certificate, routes, reach }: Node): boolean {
    if (!this.#deps.settings().reverse) return false;
    // Only where the partner proves who it is.
    if (certificate === undefined && (routes?.pin ?? '') === '') return false;
    if (reach === 'we-call-them' || this.isReversedTo(nodeID)) return true;
    const now = this.#deps.clock.monotonic();
    const calledAt = this.#calledAt.get(nodeID);
    if (calledAt === undefined) return now - this.#startedAt >= WAIT_FOR_CALLS_MS;
    return now - calledAt >= CALLED_MS;
  }

  async #reverseTo(node: Node): Promise<WantedRegistration | undefined> {
    const token = await this.#deps.federation.tokens.held(node.nodeID).catch(() => undefined);
    if (token === undefined) return undefined;
    this.#tokens.set(node.nodeID, token);
    const { hostname, port } = new URL(node.baseURL);
    const host = hostname.replace(/^\[|\]$/g, '');
    return {
      key: node.nodeID,
      route: REVERSE_ROUTE,
      endpoint: { host, port: Number(port) || 443, path: '/federation' },
      headers: () => ({ authorization: `Bearer ${this.#tokens.get(node.nodeID) ?? token}` }),
      dial: {
        checkAddress: () => undefined,
        // Over whichever route leads there, with the certificate checked.
        openSecure: (signal) => this.#deps.connect(node, signal),
      },
    };
  }

  async #announceTo(nodes: readonly Node[]): Promise<void> {
    const { clock, federation, announce, log } = this.#deps;
    const revision = await federation.announcements.revision();
    const now = clock.monotonic();
    for (const { nodeID } of nodes) {
      const triedAt = this.#triedAt.get(nodeID) ?? -Infinity;
      if (this.#announced.get(nodeID) === revision || now - triedAt < RETRY_MS) continue;
      this.#triedAt.set(nodeID, now);
      announce(nodeID).then(
        () => this.#announced.set(nodeID, revision),
        (error: unknown) => {
          // An older version, which will not learn it before it is replaced.
          if (hasStatus(error, 404)) this.#announced.set(nodeID, revision);
          else log.info({ err: error, nodeID }, 'our routes could not be announced');
        },
      );
    }
  }
}

const RELAY_KEY = 'relay';

/** The addresses of this computer, as one text. */
const networkNow = (): string =>
  JSON.stringify(
    Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
    ),
  );
