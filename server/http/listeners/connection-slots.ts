import type { Socket } from 'node:net';
import { networkOf } from '../../base/network-of.ts';
import { NO_PROXIES, type IsTrustedProxy } from './trusted-proxies.ts';

export interface SlotLimits {
  readonly total: number;
  /** Per network, without valid credential. */
  readonly perNetwork: number;
  /** With valid credential, not evictable. */
  readonly reservedForKnown: number;
  /** Maximum of one caller that can't be evicted. */
  readonly perCaller: number;
}

/** Admits connections; at the limit evicts the oldest stranger's of the network with most. */
export interface ConnectionSlots {
  admitSocket(socket: Socket): void;
  markKnown(socket: Socket, who: string): void;
  /** Destroys all connections. */
  closeAll(): void;
}

interface HeldConnection {
  readonly id: string;
  readonly socket: Socket;
  readonly network: string;
  /** The caller by credential; undefined: a stranger. */
  who?: string;
}

/** Extra strangers for a network from which a valid credential came. */
const KNOWN_NETWORK_CREDIT = 32;
const MAX_KNOWN_NETWORKS = 1000;

/**
 * Creates a listener's connection slots. `isProxy` matches load balancers, whose connections aren't one network. At the
 * limit a new one evicts another of the network with most.
 */
export function createConnectionSlots(
  rules: SlotLimits,
  isProxy: IsTrustedProxy = NO_PROXIES,
): ConnectionSlots {
  const places = new Map<string, HeldConnection>();
  const knownNetworks = new Set<string>();

  /** Returns connections without a valid credential so far, oldest first. */
  function listUnauthenticated(): HeldConnection[] {
    return [...places.values()].filter(({ who }) => who === undefined);
  }

  /**
   * Returns the network with most of these connections, undefined without any. One from which a valid credential came
   * counts 32 fewer.
   */
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

  /**
   * Returns the connection to close, maybe `newcomer`: its network's oldest if that has too many without credential,
   * else, if all slots are taken, the oldest of the network with most; undefined while there is room.
   */
  function chooseEviction(newcomer: HeldConnection): HeldConnection | undefined {
    const others = listUnauthenticated().filter((place) => place !== newcomer);
    const neighbours = others.filter(({ network }) => network === newcomer.network);
    if (neighbours.length >= rules.perNetwork) return neighbours[0];
    if (places.size <= rules.total) return undefined;
    const network = networkWithMost(others);
    return others.find((place) => place.network === network) ?? newcomer;
  }

  return {
    /** Gives the connection a slot. Destroys the one that is evicted for it, maybe itself, and a closed socket. */
    admitSocket(socket) {
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
      const evicted = chooseEviction(place);
      if (!evicted) return;
      places.delete(evicted.id);
      evicted.socket.destroy();
    },

    /**
     * Protects a connection of caller `who` from eviction, within the limits for all and for the caller, beyond which
     * it becomes unprotected; favours its network in any case.
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

/** Fixes a connection's id, which stays when its addresses change. */
export function keepConnectionId(socket: Socket, id: string): void {
  keptIds.set(socket, id);
}

/** Returns a connection's id, fixed or its addresses and ports; the TLS connection in it has the same. */
export function connectionId(socket: Socket): string {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  return keptIds.get(socket) ?? `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
