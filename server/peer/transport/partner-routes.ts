import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { guardedLookup, type Lookup, type NameLookups } from '../../base/guarded-lookup.ts';
import { isSameRoutes, NO_ROUTES, parseRoute, type AnnouncedRoutes, type Route } from '../../base/routes.ts';
import { RateLimiter } from '../../routes/rate-limiter.ts';
import { said } from '../../words/said.ts';
import { AddressRefusedError, PartnerUnreachableError } from '../guard/errors.ts';
import { isPrivateAddress } from './address.ts';
import { securePinned, type Attempt } from './route-race.ts';

/** Like the reverse connection, it has no text. */
export const MAIN_ROUTE = 'main';
export const REVERSE_ROUTE = 'reverse';

/**
 * Beyond, only the main address and reverse connections are tried: a partner may announce other people's
 * servers.
 */
const FAILED_CALLS = { perSecond: 1, burst: 120 };

/** Retries better routes after a worse one won. */
const RETRY_BETTER_MS = 600_000;
/** Time that a route comes last after a pull over it failed, although it opens. */
const AVOID_MS = 600_000;

/** `registration`: never by a reverse connection; `better`: tests whether a better route works. */
export type ConnectionUse = 'requests' | 'registration' | 'better';

export interface RouteAccess {
  /** Returns whether the partner keeps a reverse connection. */
  isReversed(nodeID: string): boolean;
  openReversed(nodeID: string, signal: AbortSignal): Promise<Duplex>;
  /** Returns a function that opens a stream through a relay that `consent` allows. */
  createRelayDialer(
    address: string,
    nodeID: string,
    consent: () => RelayConsent | undefined,
  ): ((signal: AbortSignal) => Promise<Duplex>) | undefined;
  readonly clock: { monotonic(): number };
  readonly lookups: NameLookups;
}

/** Allows one relay for calls to one partner. */
export interface RelayConsent {
  readonly host: string;
  readonly port: number;
}

export interface RoutedNode {
  readonly nodeID: string;
  readonly certificate?: string | undefined;
  readonly routes?: AnnouncedRoutes | undefined;
  readonly status?: string | undefined;
  readonly relayConsent?: RelayConsent | undefined;
}

export interface DirectRules {
  /** Throws AddressRefusedError. */
  readonly check: (address: string, port: number) => void;
  readonly lookup?: Lookup | undefined;
}

/** Routes to one partner, for all callers: their order, and which worked last. */
export class PartnerRoutes {
  readonly #access: RouteAccess;
  readonly #nodeID: string;
  readonly #failedCalls: RateLimiter;
  /** Apart, so failing addresses don't keep us from a relay. */
  readonly #failedRelays: RateLimiter;
  #announced: AnnouncedRoutes;
  #pin: string | undefined;
  #isPaired: boolean;
  #relayConsent: RelayConsent | undefined;
  #generation = 0;
  /** `at`: when it came into use, or better ones were last tried. */
  #last: { readonly id: string; readonly at: number } | undefined;
  #isOpenable = true;
  /** By route: until when (monotonic); the last failed one comes last. */
  readonly #avoided = new Map<string, number>();

  constructor(access: RouteAccess, node: RoutedNode) {
    const { nodeID, certificate, routes = NO_ROUTES, status, relayConsent } = node;
    this.#access = access;
    this.#failedCalls = new RateLimiter(access.clock, FAILED_CALLS);
    this.#failedRelays = new RateLimiter(access.clock, FAILED_CALLS);
    this.#isPaired = status === 'paired';
    this.#nodeID = nodeID;
    this.#announced = routes;
    this.#pin = certificate;
    this.#relayConsent = relayConsent;
  }

  /** The route that worked last. */
  get inUse(): string | undefined {
    return this.#last?.id;
  }

  /** True if there may be other routes than the main address, later ones too. */
  get isRouted(): boolean {
    // With its own certificate, a Footbridge may reopen a reverse connection.
    const mayReverse = this.#isPaired && (this.#announced.pin || this.#pin) !== undefined;
    return mayReverse || this.#announced.texts.length > 0 || this.#access.isReversed(this.#nodeID);
  }

  get isPaired(): boolean {
    return this.#isPaired;
  }

  /** Changes when connections should be replaced once their requests have ended. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Returns whether to try better routes than the last, and counts that as a try: true ten minutes after it was chosen,
   * then every ten minutes.
   */
  claimRouteUpgrade(): boolean {
    const now = this.#access.clock.monotonic();
    if (!this.#last || now - this.#last.at < RETRY_BETTER_MS) return false;
    this.#last = { ...this.#last, at: now };
    return true;
  }

  /** Forgets which route worked last, as there may be a better one, and has connections replaced. */
  forgetLastRoute(): void {
    this.#generation++;
    this.#last = undefined;
  }

  /** Lets new connections try the preferred routes first, even avoided ones. */
  networkChanged(): void {
    this.#avoided.clear();
    this.forgetLastRoute();
  }

  /**
   * Makes new connections begin with other routes for ten minutes, if there are any: a relay or firewall may cut or
   * hold up what is large. If all are avoided, the others still come first, but none is avoided for longer. Default
   * `id`: the route in use, unless no connection can be opened.
   */
  avoid(id = this.#isOpenable ? this.#last?.id : undefined): void {
    if (id === undefined) return;
    for (const known of this.#avoided.keys()) if (!this.isAvoided(known)) this.#avoided.delete(known);
    const until = this.#avoided.get(id) ?? this.#access.clock.monotonic() + AVOID_MS;
    this.#avoided.delete(id);
    this.#avoided.set(id, until);
    this.forgetLastRoute();
  }

  /** Returns whether a route is tried last now. */
  isAvoided(id: string): boolean {
    return (this.#avoided.get(id) ?? -Infinity) > this.#access.clock.monotonic();
  }

  /**
   * Adopts the partner's record; a changed certificate or route forgets the last route, so that new connections are
   * made.
   */
  update({ certificate, routes = NO_ROUTES, status, relayConsent }: RoutedNode): void {
    this.#isPaired = status === 'paired';
    this.#relayConsent = relayConsent;
    if (certificate === this.#pin && isSameRoutes(routes, this.#announced)) return;
    this.#pin = certificate;
    this.#announced = routes;
    this.forgetLastRoute();
  }

  /**
   * Records the route that answered. Another connection over it puts off no try of better routes: a relay that cuts its
   * streams would keep itself in use.
   */
  recordSuccess(id: string): void {
    this.#isOpenable = true;
    if (this.#last?.id !== id) this.#last = { id, at: this.#access.clock.monotonic() };
  }

  /** Records that no route answered: until one does, there is none in use to avoid. */
  recordFailure(): void {
    this.#isOpenable = false;
  }

  /**
   * Returns the attempts to connect, in order: an open reverse connection, the route that worked last, LAN addresses,
   * the main address, public ones, mapped ports, relays; last those to avoid. Leaves out forbidden ones and those that
   * failed too often; for `registration` the reverse connection; for `better` those to avoid and all not above the one
   * that worked last.
   */
  orderAttempts(
    main: Attempt,
    isMainPrivate: boolean,
    rules: DirectRules,
    use: ConnectionUse = 'requests',
  ): Attempt[] {
    const found = this.#announced.texts.flatMap((text) => {
      const route = parseRoute(text);
      const attempt = route && this.#createAttempt(text, route, rules);
      return attempt ? [{ attempt, rank: baseRank(route) }] : [];
    });
    const mainRank = isMainPrivate ? RANK.lan : RANK.main;
    const reversed = use === 'registration' ? undefined : this.#createReverseAttempt();
    const all = [
      ...(reversed ? [{ attempt: reversed, rank: RANK.reverse }] : []),
      { attempt: main, rank: mainRank },
      ...found,
    ];
    const last = use === 'better' ? all.find(({ attempt }) => attempt.id === this.#last?.id) : undefined;
    const ordered = all
      .filter(({ rank }) => last === undefined || rank < last.rank)
      .sort((one, other) => this.#currentRank(one) - this.#currentRank(other));
    const attempts = ordered.map(({ attempt }) => attempt);
    const others = attempts.filter(({ id }) => !this.isAvoided(id));
    if (use === 'better') return others;
    const avoided = [...this.#avoided.keys()]
      .filter((id) => this.isAvoided(id))
      .flatMap((avoidedID) => attempts.filter(({ id }) => id === avoidedID));
    return others.length === 0 ? avoided : [...others, ...avoided.map((each) => ({ ...each, isLate: true }))];
  }

  /** Returns the attempt's rank: the route that worked last precedes all but a reverse connection. */
  #currentRank({ attempt, rank }: { readonly attempt: Attempt; readonly rank: number }): number {
    return rank !== RANK.reverse && attempt.id === this.#last?.id ? RANK.last : rank;
  }

  /** Returns the attempt over the partner's reverse connection; undefined without one or without a pin. */
  #createReverseAttempt(): Attempt | undefined {
    // Without a pin, anybody could answer on it.
    const pin = this.#announced.pin || this.#pin;
    if (!pin || !this.#access.isReversed(this.#nodeID)) return undefined;
    return {
      id: REVERSE_ROUTE,
      open: async (signal) => {
        const opening = this.#access.openReversed(this.#nodeID, signal);
        return securePinned(await opening.catch(throwTimeout), pin, signal);
      },
    };
  }

  /**
   * Returns the attempt to connect over a route, whose failures count for its kind; undefined if the route is forbidden
   * or its kind failed too often lately.
   */
  #createAttempt(routeID: string, route: Route, rules: DirectRules): Attempt | undefined {
    const { pin } = this.#announced;
    if (route.kind === 'relay') {
      const dial = this.#access.createRelayDialer(route.address, this.#nodeID, () => this.#relayConsent);
      const open = dial && (async (signal: AbortSignal) => securePinned(await dial(signal), pin, signal));
      return open && withFailureLimit(routeID, open, this.#failedRelays);
    }
    const { host, port } = route;
    if (!isAllowed(host, port, rules)) return undefined;
    const inTurn = { ...rules, lookup: this.#access.lookups.forOwner(this.#nodeID, rules.lookup) };
    return withFailureLimit(
      routeID,
      (signal) => openDirect(host, port, pin, inTurn, signal),
      this.#failedCalls,
    );
  }
}

/**
 * Returns the attempt over a route, whose failures count in `failures`, shared by its kind; undefined after too many
 * lately.
 */
function withFailureLimit(
  routeID: string,
  open: Attempt['open'],
  failures: RateLimiter,
): Attempt | undefined {
  if (failures.charge('', 0) > 0) return undefined;
  return {
    id: routeID,
    open: (signal) =>
      open(signal).catch((error: unknown) => {
        failures.charge('', 1);
        throw error;
      }),
  };
}

/** Throws PartnerUnreachableError `timeout`. */
function throwTimeout(cause: unknown): never {
  throw new PartnerUnreachableError('timeout', said('peer.silent'), { cause });
}

const RANK = { reverse: 0, last: 1, lan: 2, main: 3, public: 4, mapped: 5, relay: 6 } as const;

/** Returns a route's rank by its kind; smaller ranks are tried first. */
function baseRank(route: Route): number {
  if (route.kind !== 'direct') return RANK[route.kind];
  return isIP(route.host) !== 0 && isPrivateAddress(route.host) ? RANK.lan : RANK.public;
}

/** Returns whether the guard allows a numeric address; true for names, which are checked at their lookup. */
export function isAllowed(host: string, port: number, { check }: Pick<DirectRules, 'check'>): boolean {
  if (isIP(host) === 0) return true;
  try {
    check(host, port);
    return true;
  } catch (error) {
    if (error instanceof AddressRefusedError) return false;
    throw error;
  }
}

/**
 * Connects directly, with the address checked by `check`, and verifies the pin. Rejects with PartnerError or Node's
 * error. On failure nothing stays open.
 */
async function openDirect(
  host: string,
  port: number,
  pin: string,
  { check, lookup }: DirectRules,
  signal: AbortSignal,
): Promise<Socket> {
  const checked = (address: string): void => check(address, port);
  // The signal would end the winner with the race.
  const socket = connect({ host, port, lookup: guardedLookup(checked, lookup) });
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  return securePinned(socket, pin, signal);
}
