import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { NameLookups } from '../../base/guarded-lookup.ts';
import { keepOnly } from '../../base/keep-only.ts';
import { isLoopback } from '../../base/loopback.ts';
import { networkOf } from '../../base/network-of.ts';
import { parseRoute } from '../../base/routes.ts';
import type { Identity } from '../../federation/partners/identity.ts';
import type { FailedLoginLimiter } from '../../http/auth/failed-login-limiter.ts';
import { callerAddress, type IsTrustedProxy } from '../../http/listeners/trusted-proxies.ts';
import { checkAddress } from '../../peer/transport/address.ts';
import {
  isAllowed,
  PartnerRoutes,
  type RelayConsent,
  type RouteAccess,
  type RoutedNode,
} from '../../peer/transport/partner-routes.ts';
import { dialThroughRelay, type DialOptions } from '../../routes/dial.ts';
import { firstProxy, proxyFromVariables, urlOf } from '../../routes/proxy.ts';
import { bearerOf, Relay } from '../../routes/relay.ts';
import { parseRelayAddress, type RelayAddress } from '../../routes/relay-address.ts';
import { Rendezvous } from '../../routes/rendezvous.ts';

export interface RouteBookDeps {
  readonly clock: Clock;
  readonly allowLoopback: boolean;
  /** Returns the system's proxies, in Chromium's format. */
  readonly resolveProxy?: (url: string) => Promise<string>;
  /** Returns the relays that our user allows. */
  readonly settings: () => { readonly relay: string; readonly partnerRelays: boolean };
  /** A reverse connection opened or ended. */
  readonly onReverse: (nodeID: string, isOpen: boolean) => void;
}

/** A partner's streams for others. */
const MAX_CARRIED_STREAMS = 64;

/** Routes to partners, and their reverse connections to us. */
export class RouteBook implements RouteAccess {
  readonly clock: Clock;
  readonly rendezvous: Rendezvous;
  readonly lookups = new NameLookups();
  readonly #deps: RouteBookDeps;
  readonly #partners = new Map<string, PartnerRoutes>();
  /** Each ends a relayed stream that isn't allowed any more. */
  readonly #relayed = new Set<() => void>();

  constructor(deps: RouteBookDeps) {
    this.#deps = deps;
    this.clock = deps.clock;
    this.rendezvous = new Rendezvous({
      clock: deps.clock,
      limits: { maxCarriedPerOffice: MAX_CARRIED_STREAMS },
      onRegistration: (nodeID, isOpen) => {
        this.renewConnections(nodeID);
        deps.onReverse(nodeID, isOpen);
      },
    });
  }

  /** Returns the routes of a partner's connection, always the same object, updated to its present record. */
  routesFor(node: RoutedNode): PartnerRoutes {
    const known = this.#partners.get(node.nodeID);
    if (!known) {
      const made = this.createPairingRoutes(node);
      this.#partners.set(node.nodeID, made);
      return made;
    }
    known.update(node);
    return known;
  }

  /** Forgets the routes of other partners. */
  forgetAllBut(nodeIDs: ReadonlySet<string>): void {
    keepOnly(this.#partners, nodeIDs);
  }

  /** Returns new routes for a pairing's calls, not the connection's: the invite may be from anybody. */
  createPairingRoutes(node: RoutedNode): PartnerRoutes {
    return new PartnerRoutes(this, node);
  }

  /** Returns the route of the latest connection to a partner, if any. */
  inUse(nodeID: string): string | undefined {
    return this.#partners.get(nodeID)?.inUse;
  }

  /** Marks the partner's connections as possibly dead: new requests open new ones. */
  renewConnections(nodeID: string): void {
    this.#partners.get(nodeID)?.forgetLastRoute();
  }

  /** Set by {@link OfficeRoutes}. */
  isRegisteredAt: (nodeID: string) => boolean = () => false;

  /** Returns whether a ping shows the partner reachable: by a registration, or through a relay. */
  isWatched(nodeID: string): boolean {
    return this.isRegisteredAt(nodeID) || this.isReversed(nodeID) || this.#isRelayed(nodeID);
  }

  /** Returns the partners called through a relay. */
  relayed(): string[] {
    return [...this.#partners.keys()].filter((nodeID) => this.#isRelayed(nodeID));
  }

  /** Returns whether the latest connection to the partner is through a relay. */
  #isRelayed(nodeID: string): boolean {
    const used = this.inUse(nodeID);
    return used !== undefined && parseRoute(used)?.kind === 'relay';
  }

  /**
   * Returns whether to try better routes to a partner now; true at most every ten minutes. Adopts its record first:
   * adopted by the try, new routes would forget the one in use, and any would count as better.
   */
  claimRouteUpgrade(node: RoutedNode): boolean {
    return this.routesFor(node).claimRouteUpgrade();
  }

  /** Lets new connections to all partners try the preferred routes first. */
  networkChanged(): void {
    for (const routes of this.#partners.values()) routes.networkChanged();
  }

  /** Returns whether the partner keeps a reverse connection to us. */
  isReversed(nodeID: string): boolean {
    return this.rendezvous.isRegistered(nodeID);
  }

  /** Opens a stream over the partner's reverse connection. Rejects with RouteError, `absent` without one. */
  openReversed(nodeID: string, signal: AbortSignal): Promise<Duplex> {
    return this.rendezvous.open(nodeID, { signal });
  }

  /**
   * Returns a function that opens a stream to the partner through a relay that is ours, or that settings or `consent`
   * allow. Undefined if the address is invalid or the relay isn't allowed. When that ends later, open streams end too.
   */
  createRelayDialer(
    address: string,
    nodeID: string,
    consent: () => RelayConsent | undefined,
  ): ((signal: AbortSignal) => Promise<Duplex>) | undefined {
    const relay = parseRelayAddress(address);
    if (relay?.officeID === undefined) return undefined;
    const { officeID } = relay;
    const use = (): { readonly isOurs: boolean } | undefined => this.#checkRelay(relay, consent());
    const allowed = use();
    return (
      allowed &&
      (async (signal) => {
        const options = { ...this.createDialOptions(allowed.isOurs), signal };
        const stream = await dialThroughRelay(relay, officeID, options);
        /** Ends the stream, and marks the partner's connections as dead, if the relay isn't allowed any more. */
        const endUnlessAllowed = (): void => {
          if (use()) return;
          stream.destroy();
          this.renewConnections(nodeID);
        };
        this.#relayed.add(endUnlessAllowed);
        stream.once('close', () => this.#relayed.delete(endUnlessAllowed));
        endUnlessAllowed();
        return stream;
      })
    );
  }

  /** Ends the streams through relays that our user no longer allows. */
  endDisallowed(): void {
    for (const endUnlessAllowed of [...this.#relayed]) endUnlessAllowed();
  }

  /** Returns an invite's first relay that can be called once our user consents, if any. */
  findCallableRelay(texts: readonly string[]): RelayConsent | undefined {
    for (const text of texts) {
      const route = parseRoute(text);
      const relay = route?.kind === 'relay' ? parseRelayAddress(route.address) : undefined;
      if (relay?.officeID === undefined) continue;
      const { host, port } = relay;
      if (isAllowed(host, port, { check: this.createDialOptions(this.#isOurs(relay)).checkAddress }))
        return { host, port };
    }
    return undefined;
  }

  /** Returns whether a relay is the one that our user entered as the office's own. */
  #isOurs({ host, port }: RelayConsent): boolean {
    const ours = parseRelayAddress(this.#deps.settings().relay);
    return ours?.host === host && ours.port === port;
  }

  /**
   * Returns whether a relay is ours; undefined if it may not be used: our user neither entered it, nor allowed it or
   * all partners' relays.
   */
  #checkRelay(
    relay: RelayAddress,
    consent: RelayConsent | undefined,
  ): { readonly isOurs: boolean } | undefined {
    const isOurs = this.#isOurs(relay);
    // Another port may be somebody else's.
    const isConsented = consent?.host === relay.host && consent.port === relay.port;
    return isOurs || this.#deps.settings().partnerRelays || isConsented ? { isOurs } : undefined;
  }

  /** Returns address check and proxies for a call to a relay; our own (`isOwn`) may be in the office's network. */
  createDialOptions(isOwn: boolean): Pick<DialOptions, 'checkAddress' | 'proxyFor' | 'isOwn'> {
    const { allowLoopback, resolveProxy } = this.#deps;
    return {
      isOwn,
      checkAddress: (address) => checkAddress(address, { ownNetwork: isOwn, allowLoopback }),
      proxyFor: async (target) =>
        proxyFromVariables(target, process.env) ??
        (resolveProxy && firstProxy(await resolveProxy(urlOf(target)))),
    };
  }
}

export interface RendezvousHostDeps {
  readonly rendezvous: Rendezvous;
  readonly clock: Clock;
  /** Counts wrong tokens, with those of HTTP requests. */
  readonly attempts: FailedLoginLimiter;
  readonly isProxy: IsTrustedProxy;
  readonly verify: (token: string) => Promise<Identity>;
  /** Returns the partner that others call under this ID; undefined unless carrying is allowed. */
  readonly carried: (carryID: string) => string | undefined;
  readonly recordOwner: (socket: Socket, nodeID: string) => void;
}

const REGISTERS = /^(?:\/api)?\/federation\/footbridge\/register$/;

/**
 * Returns the handler of HTTP upgrades that serves the rendezvous protocol on the federation listener
 * (docs/architecture.md: Routes). It returns false for other requests, and for unencrypted ones over a network.
 */
export function createRendezvousHost(
  deps: RendezvousHostDeps,
): (request: IncomingMessage, socket: Socket, head: Buffer) => boolean {
  const { rendezvous, clock, attempts, isProxy, verify, carried, recordOwner } = deps;
  const registering = new WeakMap<IncomingMessage, string>();
  const relay = new Relay({
    rendezvous,
    clock,
    authorizeRegistration: (request) => registering.get(request),
    authorizeCall: (request) => carried(bearerOf(request) ?? ''),
    addressOf: (request) => callerAddress(request, isProxy),
    isFailureTooMany: (request) => attempts.fail(networkOf(callerAddress(request, isProxy))) > 0,
    onAuthenticated: (request, nodeID) => recordOwner(request.socket, nodeID),
  });
  return (request, socket, head) => {
    const path = request.url ?? '';
    const isEncrypted =
      ('encrypted' in socket && socket.encrypted === true) ||
      (isProxy(socket.remoteAddress) && request.headers['x-forwarded-proto'] === 'https');
    const isSafe = isEncrypted || isLoopback(callerAddress(request, isProxy));
    if (!REGISTERS.test(path)) return isSafe && relay.upgrade(request, socket, head);
    if (!isSafe) return false;
    const token = bearerOf(request) ?? '';
    socket.on('error', () => undefined);
    verify(token)
      .then((who) => {
        if (who.kind === 'node') registering.set(request, who.node.nodeID);
      })
      .catch(() => undefined)
      .finally(() => relay.upgrade(request, socket, head));
    return true;
  };
}
