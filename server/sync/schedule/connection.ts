import type { Node } from '../../federation/model.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Fallbacks } from './fallbacks.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

/** The connection to a partner, replaced when its address, dialect or our token changes. */
export interface Connection {
  /** Opens the connection if needed. @throws Refusal `conflict` without a token, AddressRefusedError */
  to(node: Node): Promise<Peer>;
  /** Returns a key that changes with every part of the connection. */
  keyOf(node: Node): string;
  /** Undefined if none is open, or its token is being replaced. */
  readonly key: string | undefined;
  /** Keeps the connection open when the partner's dialect is recorded. */
  understood(node: Node, dialect: NonNullable<Node['dialect']>): void;
  /** Stores a renewed token and uses it from then on. */
  storeRenewed(before: Node, token: string, by: 'current' | 'earlier'): Promise<Node>;
  /** Opens a second connection with the earlier token, for the caller to close; undefined without one. */
  byEarlierToken(node: Node): Promise<Peer | undefined>;
  close(): Promise<void>;
}

/** Returns all parts of a connection as text. */
function partsOf(node: Node): string {
  const { baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken } = node;
  return JSON.stringify([baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken]);
}

/**
 * Creates a partner's connection, which is opened when it is first used. @param fallbacks whether to read rows past
 * the partner's own feed @param onTime receives, with each answer, the partner's time in milliseconds since the epoch
 */
export function createConnection(
  federation: Pick<SyncFederation, 'tokens'>,
  open: OpenPartner,
  fallbacks: Pick<Fallbacks, 'isOn'>,
  onTime: (theirs: number) => void,
): Connection {
  let isRenewing = false;
  let current: { readonly key: string; readonly peer: Peer } | undefined;

  const keyOf = (node: Node): string => partsOf(node) + (fallbacks.isOn(node.nodeID) ? ' fallback' : '');

  /** Closes the open connection, if any. */
  async function close(): Promise<void> {
    const old = current;
    current = undefined;
    await old?.peer.close();
  }

  /**
   * Returns the open connection, or a new one if the record's address, token or dialect changed. Throws
   * `node.no-token`, AddressRefusedError.
   */
  async function openFor(node: Node): Promise<Peer> {
    const key = keyOf(node);
    if (current?.key === key) return current.peer;
    await close();
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
    to: openFor,
    /**
     * Stores a renewed token and opens a connection with it. {@link key} is undefined meanwhile, so that this doesn't
     * count as a change of connection. @param by which of our tokens asked for it
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
    /** Opens a second connection with the earlier token, for the caller to close; undefined without one. */
    async byEarlierToken(node) {
      const token = await federation.tokens.heldBefore(node);
      return token === undefined ? undefined : open(node, token, { composeFallback: false, onTime });
    },
    understood(node, dialect) {
      if (current?.key === keyOf(node)) current = { ...current, key: keyOf({ ...node, dialect }) };
    },
    close,
  };
}
