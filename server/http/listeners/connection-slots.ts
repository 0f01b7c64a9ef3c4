import type { Socket } from 'node:net';
import { networkOf } from '../../base/network-of.ts';
import { NO_PROXIES, type IsTrustedProxy } from './trusted-proxies.ts';

export interface SlotLimits {
  /** Maximum number of connections. */
  readonly total: number;
  /** Of these, the most that one network may hold without a credential. */
  readonly perNetwork: number;
  /** Of these, the number kept for connections with a valid credential; others stay strangers. */
  readonly reservedForKnown: number;
  /** The most of these that one caller may hold. */
  readonly perCaller: number;
}

/**
 * Admission of connections. Every newcomer is admitted; if that is one too many, the oldest stranger of the
 * network with most is evicted. A connection with a valid credential is no stranger.
 */
export interface ConnectionSlots {
  admit(socket: Socket): void;
  markKnown(socket: Socket, who: string): void;
  closeAll(): void;
}

interface HeldConnection {
  readonly id: string;
  readonly socket: Socket;
  readonly network: string;
  /** Whose credential came over it; undefined: a stranger's. */
  who?: string;
}

/** A network from which a valid credential came may hold so many more strangers. */
const KNOWN_NETWORK_CREDIT = 32;
const MAX_KNOWN_NETWORKS = 1000;

/**
 * Creates the connection slots of a listener.
 * @param isProxy matches addresses with many callers behind them, which don't count as one network
 */
export function createConnectionSlots(
  rules: SlotLimits,
  isProxy: IsTrustedProxy = NO_PROXIES,
): ConnectionSlots {
  /** In order of arrival. */
  const places = new Map<string, HeldConnection>();
  const knownNetworks = new Set<string>();

  /** Returns the connections without a valid credential, oldest first. */
  function strangers(): HeldConnection[] {
    return [...places.values()].filter(({ who }) => who === undefined);
  }

  /** Returns the network with most of these connections. One from which a valid credential came counts 32 fewer. */
  function networkWithMost(among: readonly HeldConnection[]): string | undefined {
    const held = new Map<string, number>();
    for (const { network } of among) {
      const before = held.get(network) ?? (knownNetworks.has(network) ? -KNOWN_NETWORK_CREDIT : 0);
      held.set(network, before + 1);
    }
    return [...held].reduce<[string, number] | undefined>(
      (most, next) => (most === undefined || next[1] > most[1] ? next : most),
      undefined,
    )?.[0];
  }

  /** Returns the connection to evict so that `newcomer` gets a slot, maybe itself; undefined if there is room. */
  function chooseEviction(newcomer: HeldConnection): HeldConnection | undefined {
    const others = strangers().filter((place) => place !== newcomer);
    const neighbours = others.filter(({ network }) => network === newcomer.network);
    if (neighbours.length >= rules.perNetwork) return neighbours[0];
    if (places.size <= rules.total) return undefined;
    const network = networkWithMost(others);
    return others.find((place) => place.network === network) ?? newcomer;
  }

  return {
    /**
     * Gives the socket a slot, and destroys the connection that is evicted for it, maybe itself. Also destroys
     * a socket that has closed already.
     */
    admit(socket) {
      if (socket.remoteAddress === undefined) {
        socket.destroy();
        return;
      }
      const id = connectionId(socket);
      const place: HeldConnection = {
        id,
        socket,
        network: isProxy(socket.remoteAddress) ? id : networkOf(socket.remoteAddress),
      };
      places.set(id, place);
      socket.once('close', () => {
        if (places.get(id) === place) places.delete(id);
      });
      const leaving = chooseEviction(place);
      if (!leaving) return;
      places.delete(leaving.id);
      leaving.socket.destroy();
    },

    /**
     * Marks a connection as that of the caller `who`, and its network as known. If there are too many such
     * connections, of this caller or in all, it stays a stranger's.
     */
    markKnown(socket, who) {
      const place = places.get(connectionId(socket));
      if (!place || place.who === who) return;
      // A load balancer's connection isn't a network from which others come.
      if (place.network !== place.id) {
        knownNetworks.delete(place.network);
        knownNetworks.add(place.network);
      }
      const [oldest] = knownNetworks;
      if (knownNetworks.size > MAX_KNOWN_NETWORKS && oldest !== undefined) knownNetworks.delete(oldest);
      const known = [...places.values()].filter((other) => other !== place && other.who !== undefined);
      const own = known.filter((other) => other.who === who);
      if (known.length < rules.reservedForKnown && own.length < rules.perCaller) place.who = who;
      else delete place.who;
    },

    closeAll: () => places.forEach(({ socket }) => socket.destroy()),
  };
}

const keptIds = new WeakMap<Socket, string>();

/** Fixes the id of a connection, whatever its addresses become. */
export function keepConnectionId(socket: Socket, id: string): void {
  keptIds.set(socket, id);
}

/** Returns a connection's id, the same for the TLS connection in it: the fixed one, or its addresses and ports. */
export function connectionId(socket: Socket): string {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  return keptIds.get(socket) ?? `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
