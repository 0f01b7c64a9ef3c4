import { parseAddress } from './transport/address.ts';
import {
  createDispatcher,
  RoutedDispatcher,
  type DispatcherOptions,
  type RouteTest,
} from './transport/dispatcher.ts';
import { Exchange } from './transport/exchange.ts';
import type { TimeFeed } from './dialects/feed.ts';
import { createComposeFeed } from './dialects/feed-compose.ts';
import { createLiveFeed } from './dialects/feed-live.ts';
import { createShape1Feed, createShape2Feed } from './dialects/feed-shapes.ts';
import { createUnknownFeed, type UnknownFeed } from './dialects/feed-unknown.ts';
import { createFootbridgeCalls, type FootbridgeCalls } from './dialects/footbridge.ts';
import { AddressRefusedError, PartnerUnreachableError, type AddressProblem } from './guard/errors.ts';
import { PEER_LIMITS, type PeerLimits } from './guard/limits.ts';
import { complete, handshake, type CompleteRequest, type HandshakeRequest } from './dialects/pairing.ts';
import { candidateBases, isIssuer, probe, type Found } from './transport/probe.ts';
import { createIdleTracker } from './transport/idle-tracker.ts';
import type { Dialect } from '../base/vocabulary.ts';
import { createReceiveBufferBudget, type ReceiveBufferBudget } from './guard/receive-buffer-budget.ts';

export interface PeerOptions extends Pick<
  DispatcherOptions,
  'ownNetwork' | 'allowLoopback' | 'ownPorts' | 'lookup' | 'routes'
> {
  readonly baseURL: string;
  /** Undefined: shown by the first answers, and pairing sends the union. */
  readonly dialect?: Dialect | undefined;
  readonly footbridge: boolean;
  /** The user allows bypassing an exposure's broken feed (live servers). */
  readonly composeFallback?: boolean;
  readonly token?: string | undefined;
  readonly sharedNodeID: string;
  /** The invite's: SHA-256, lower-case hex. */
  readonly certificate?: string | undefined;
  readonly limits?: PeerLimits;
  /** Called with the partner's time in milliseconds, for real answers. */
  readonly onTime?: ((theirs: number) => void) | undefined;
  /** Shared by all that receive large answers. */
  readonly budget?: ReceiveBufferBudget;
}

/** A connection to one partner. For its faults, calls throw only PartnerError. */
export interface Peer {
  readonly feed: TimeFeed;
  /** As given or shown by answers. */
  readonly dialect: Dialect | undefined;
  readonly footbridge: FootbridgeCalls | undefined;
  /** Finds out who is at the address, and the exact base. */
  probe(signal?: AbortSignal): Promise<Found>;
  /**
   * Returns whether the partner proves to have issued this token, by certificate or answer; false for older
   * versions without one. Throws if another program answers.
   */
  isIssuer(token: string): Promise<boolean>;
  handshake(wanted: HandshakeRequest): Promise<Dialect | undefined>;
  complete(wanted: CompleteRequest): Promise<void>;
  /** Returns milliseconds since anything awaited arrived; undefined if nothing is awaited. */
  quietFor(): number | undefined;
  /** As {@link RoutedDispatcher.endSilentRoutes}; undefined without routes. */
  endSilentRoutes(): Promise<RouteTest> | undefined;
  /** Makes connections begin with another route, if this pull's error means cut or too slow. */
  avoidRouteOf(error: unknown): void;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

/**
 * Returns the calls to a partner, which connect at the first one, until `close`. Throws AddressRefusedError for a
 * forbidden address without other routes.
 */
export function openPeer(options: PeerOptions): Peer {
  checkBase(options);
  const limits = options.limits ?? PEER_LIMITS;
  const { budget = createReceiveBufferBudget() } = options;
  const baseURL = options.baseURL.replace(/\/+$/, '');
  const dispatcher = createDispatcher({
    ownNetwork: options.ownNetwork,
    allowLoopback: options.allowLoopback,
    ownPorts: options.ownPorts,
    connectTime: limits.connectTime,
    ...(options.certificate === undefined ? {} : { certificate: options.certificate }),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    routes: options.routes,
  });
  const quiet = createIdleTracker();
  const exchange = new Exchange({
    baseURL,
    dispatcher,
    token: options.token,
    limits,
    budget,
    quiet,
    onTime: options.onTime,
  });
  const feed = feedFor(options, exchange, baseURL);
  return {
    feed,
    /** The known dialect, else the one that an answer settled; undefined until then. */
    get dialect() {
      return options.dialect ?? ('dialect' in feed ? feed.dialect : undefined);
    },
    footbridge: options.footbridge ? createFootbridgeCalls(exchange) : undefined,
    // A Footbridge states its base; others of its host may be another's.
    probe: (signal) => probe(exchange, options.footbridge ? [baseURL] : candidateBases(baseURL), signal),
    isIssuer: (token) =>
      options.certificate === undefined ? isIssuer(exchange, token) : Promise.resolve(true),
    handshake: (wanted) => handshake(exchange, options.dialect, wanted),
    complete: (wanted) =>
      complete(exchange, options.dialect, {
        ...wanted,
        sharedNodeID: options.sharedNodeID,
        footbridge: options.footbridge,
      }),
    quietFor: () => quiet.quietFor(),
    endSilentRoutes: () =>
      dispatcher instanceof RoutedDispatcher ? dispatcher.endSilentRoutes(baseURL) : undefined,
    avoidRouteOf: (error) => {
      const isUseless = error instanceof PartnerUnreachableError && ['cut', 'timeout'].includes(error.why);
      if (isUseless && dispatcher instanceof RoutedDispatcher) dispatcher.avoidRouteOf(error);
    },
    close: () => dispatcher.destroy(),
  };
}

/** Throws AddressRefusedError for a forbidden address; a private or own one passes if there is another route. */
function checkBase(options: PeerOptions): void {
  try {
    parseAddress(options.baseURL, options);
  } catch (error) {
    const isUncallable = error instanceof AddressRefusedError && UNCALLABLE.includes(error.problem);
    if (!isUncallable || options.routes?.isRouted !== true) throw error;
  }
}

const UNCALLABLE: readonly AddressProblem[] = ['private', 'loopback', 'own'];

/**
 * Returns the feed of the partner's dialect, for a live server with `composeFallback` the one past its broken feed;
 * shape 1's for a Footbridge, else one that detects it, if it is unknown.
 */
function feedFor(options: PeerOptions, exchange: Exchange, baseURL: string): TimeFeed | UnknownFeed {
  const { dialect, sharedNodeID, composeFallback, footbridge } = options;
  const live = createLiveFeed(exchange, sharedNodeID);
  const feeds = {
    shape1: createShape1Feed(exchange, sharedNodeID, footbridge),
    shape2: createShape2Feed(exchange, baseURL, footbridge),
    live: composeFallback === true ? createComposeFeed(exchange, baseURL, live) : live,
  };
  if (dialect !== undefined) return feeds[dialect];
  return footbridge ? feeds.shape1 : createUnknownFeed(feeds);
}
