import type { Socket } from 'node:net';
import { networkOf } from '../../base/network-of.ts';
import { NO_PROXIES, type IsTrustedProxy } from './trusted-proxies.ts';

export interface PlaceRules {
  /** Connections that are held at a time. */
  readonly places: number;
  /** Of them, how many one network may hold without having shown a credential. */
  readonly perNetwork: number;
  /** Of them, how many are kept for connections over which a right credential came; the others stay strangers. */
  readonly forKnown: number;
  /** How many of these one caller may hold. */
  readonly perCaller: number;
}

/**
 * Who may stay connected. Whoever comes is let in; where that is one too many, the stranger that came first has to
 * go, from the network that holds the most. A connection over which a right credential came is no stranger and never
 * has to. So the owner and the partners get in, whatever idles at the door, from the same address as well: a request
 * follows a connection at once, and thousands would have to come in between.
 */
export interface Places {
  /** Gives a new connection its place; another may be closed for it, and one that is gone already is. */
  take(socket: Socket): void;
  /** A right credential of `who` came over this connection, through its encryption or without one. */
  keep(socket: Socket, who: string): void;
  closeAll(): void;
}

interface HeldConnection {
  readonly id: string;
  readonly socket: Socket;
  readonly network: string;
  /** Whose credential came over it; undefined: a stranger's. */
  who?: string;
}

/** A network from which a right credential came may hold so many more strangers before others are spared for it. */
const CREDIT_OF_KNOWN = 32;
const MOST_KNOWN_NETWORKS = 1000;

/** @param isProxy of addresses behind which many callers are: they are not counted as one */
export function createPlaces(rules: PlaceRules, isProxy: IsTrustedProxy = NO_PROXIES): Places {
  /** In the order in which they came. */
  const places = new Map<string, HeldConnection>();
  const knownNetworks = new Set<string>();

  function strangers(): HeldConnection[] {
    return [...places.values()].filter(({ who }) => who === undefined);
  }

  function greediest(among: readonly HeldConnection[]): string | undefined {
    const held = new Map<string, number>();
    for (const { network } of among) {
      const before = held.get(network) ?? (knownNetworks.has(network) ? -CREDIT_OF_KNOWN : 0);
      held.set(network, before + 1);
    }
    return [...held].reduce<[string, number] | undefined>(
      (most, next) => (most === undefined || next[1] > most[1] ? next : most),
      undefined,
    )?.[0];
  }

  /** Who has to go for `newcomer`, if anybody. */
  function surplus(newcomer: HeldConnection): HeldConnection | undefined {
    const others = strangers().filter((place) => place !== newcomer);
    const neighbours = others.filter(({ network }) => network === newcomer.network);
    if (neighbours.length >= rules.perNetwork) return neighbours[0];
    if (places.size <= rules.places) return undefined;
    const network = greediest(others);
    return others.find((place) => place.network === network) ?? newcomer;
  }

  return {
    take(socket) {
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
      const leaving = surplus(place);
      if (!leaving) return;
      places.delete(leaving.id);
      leaving.socket.destroy();
    },

    keep(socket, who) {
      const place = places.get(connectionId(socket));
      if (!place || place.who === who) return;
      // A connection of a load balancer is no network that others come from.
      if (place.network !== place.id) {
        knownNetworks.delete(place.network);
        knownNetworks.add(place.network);
      }
      const [oldest] = knownNetworks;
      if (knownNetworks.size > MOST_KNOWN_NETWORKS && oldest !== undefined) knownNetworks.delete(oldest);
      const known = [...places.values()].filter((other) => other !== place && other.who !== undefined);
      const own = known.filter((other) => other.who === who);
      if (known.length < rules.forKnown && own.length < rules.perCaller) place.who = who;
      else delete place.who;
    },

    closeAll: () => places.forEach(({ socket }) => socket.destroy()),
  };
}

const keptIds = new WeakMap<Socket, string>();

/** It goes on to be known by this, whatever its addresses are said to be. */
export function keepConnectionId(socket: Socket, id: string): void {
  keptIds.set(socket, id);
}

/** The same for a connection and for the encrypted one inside it. */
export function connectionId(socket: Socket): string {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  return keptIds.get(socket) ?? `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
