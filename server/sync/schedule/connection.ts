import type { Node } from '../../federation/model.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Fallbacks } from './fallbacks.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';
import { Refusal } from '../../base/refusal.ts';
import { stopsFetching } from '../../federation/partners/pausing.ts';
import { said } from '../../words/said.ts';
import type { RunRequest } from './pending-work.ts';
import type { Clock } from '../../base/clock.ts';

/** Replaced when address, dialect or our token changes. */
export interface Connection {
  /**
   * Returns the open connection, or a new one after a change. Throws Refusal `node.no-token`,
   * AddressRefusedError.
   */
  openFor(node: Node): Promise<Peer>;
  /** Returns a key of all parts of the connection. */
  keyOf(node: Node): string;
  /** Undefined if closed, or while the token is replaced, which is no change of connection. */
  readonly key: string | undefined;
  /** Keeps the connection while the dialect is recorded. */
  noteDialect(node: Node, dialect: NonNullable<Node['dialect']>): void;
  /** Stores a renewed token, reconnects with it and returns the record. `by`: which of our tokens got it. */
  storeRenewed(before: Node, token: string, by: 'current' | 'earlier'): Promise<Node>;
  /** Opens a second connection with the earlier token, if any; the caller closes it. */
  openWithEarlierToken(node: Node): Promise<Peer | undefined>;
  close(): Promise<void>;
}

/** Returns a text of all parts by which a connection is opened; another one needs a new connection. */
function connectionKey(node: Node): string {
  const { baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken } = node;
  return JSON.stringify([baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken]);
}

/**
 * Creates a partner's connection, which opens on first use and again once address, token or fallback changed.
 * `fallbacks` tells whether to read rows past the partner's own feed; `onTime` receives the partner's time, in ms since
 * the epoch, with each answer.
 */
export function createConnection(
  federation: Pick<SyncFederation, 'tokens'>,
  open: OpenPartner,
  fallbacks: Pick<Fallbacks, 'isOn'>,
  onTime: (theirs: number) => void,
): Connection {
  let isRenewing = false;
  let current: { readonly key: string; readonly peer: Peer } | undefined;

  const keyOf = (node: Node): string =>
    connectionKey(node) + (fallbacks.isOn(node.nodeID) ? ' fallback' : '');

  /** Closes the open connection; a no-op without one. */
  async function closePeer(): Promise<void> {
    const old = current;
    current = undefined;
    await old?.peer.close();
  }

  /**
   * Returns the open connection if the record's key is unchanged; else closes it and opens another. Throws Refusal
   * `node.no-token`, AddressRefusedError.
   */
  async function openFor(node: Node): Promise<Peer> {
    const key = keyOf(node);
    if (current?.key === key) return current.peer;
    await closePeer();
    const composeFallback = fallbacks.isOn(node.nodeID);
    const peer = open(node, await federation.tokens.tokenFor(node.nodeID), { composeFallback, onTime });
    current = { key, peer };
    return peer;
  }

  return {
    keyOf,
    get key() {
      return isRenewing ? undefined : current?.key;
    },
    openFor,
    /**
     * Stores a renewed token and reconnects with it; meanwhile `key` is undefined, so that the change interrupts no
     * pull.
     */
    async storeRenewed(before, token, by) {
      isRenewing = true;
      try {
        const node = await federation.tokens.storeRenewed(before, token, by);
        await openFor(node);
        return node;
      } finally {
        isRenewing = false;
      }
    },
    /** Opens another connection with our previous token; undefined without one. */
    async openWithEarlierToken(node) {
      const token = await federation.tokens.earlierToken(node);
      return token === undefined ? undefined : open(node, token, { composeFallback: false, onTime });
    },
    /** Keeps the open connection of this record, whose dialect became known: otherwise it would be replaced. */
    noteDialect(node, dialect) {
      if (current?.key === keyOf(node)) current = { ...current, key: keyOf({ ...node, dialect }) };
    },
    close: closePeer,
  };
}

type Partners = Pick<SyncFederation, 'nodes' | 'disconnects'>;

/** Returns whether a pull may start: the partner is paired, and our pulls aren't paused or it is `forced`. */
export function mayPull(node: Node, request: RunRequest): boolean {
  return (
    node.status === 'paired' &&
    node.deletedAt === undefined &&
    (!stopsFetching(node) || request.forced === true)
  );
}

/** Returns the partner's record. Throws `node.not-paired` (conflict) unless paired. */
export async function getConnectedNode({ nodes }: Pick<Partners, 'nodes'>, nodeID: string): Promise<Node> {
  const node = await nodes.get(nodeID);
  if (node.status !== 'paired') throw notConnected(node);
  return node;
}

/** Returns the partner's record, reconnected if possible; else throws `node.not-paired`. */
export async function getReconnectedNode({ nodes, disconnects }: Partners, nodeID: string): Promise<Node> {
  const node = await nodes.get(nodeID);
  return disconnects.canReconnect(node) ? disconnects.reconnect(nodeID) : getConnectedNode({ nodes }, nodeID);
}

/** Returns the record, after ending a pause that is over or reconnecting a partner ended by a wrong clock. */
export async function getCurrentNode({ nodes, disconnects }: Partners, nodeID: string): Promise<Node> {
  const found = await nodes.get(nodeID);
  const isInTime = found.endedByTime === true && disconnects.canReconnect(found);
  const node = isInTime ? await disconnects.reconnect(nodeID) : found;
  if (!nodes.isPauseOver(node)) return node;
  await nodes.resume(nodeID);
  return nodes.get(nodeID);
}

export function notConnected(node: Node): Refusal {
  return new Refusal('conflict', 'node.not-paired', said('pull.not-connected', { partner: node.name }));
}

/** Estimates clock skew from answers. */
export class PartnerClock {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** `time` in milliseconds since the epoch, `at` our monotonic time. */
  #reported: { readonly time: number; readonly at: number } | undefined;
  #ahead: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** Records the partner's time, in milliseconds since the epoch, as of now. */
  recordTime(time: number): void {
    this.#reported = { time, at: this.#clock.monotonic() };
    this.#ahead = time - this.#clock.now();
  }

  /** Milliseconds by which the partner's clock was ahead of ours at its last answer. */
  get aheadMs(): number | undefined {
    return this.#ahead;
  }

  /** Returns the partner's time in milliseconds since the epoch, whatever our clock shows; undefined if unknown. */
  now(): number | undefined {
    return this.#reported && this.#reported.time + this.#clock.monotonic() - this.#reported.at;
  }
}
