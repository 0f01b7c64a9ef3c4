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
  renewed(before: Node, token: string, by: 'current' | 'earlier'): Promise<Node>;
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
 * Creates a partner's connection, opened when first used. @param onTime receives the partner's time, in milliseconds
 * since the epoch, with each answer
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

  /** Returns the open connection, or another for other connection data. Throws `node.no-token`, AddressRefusedError. */
  async function to(node: Node): Promise<Peer> {
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
    to,
    /** Stores a renewed token and opens a connection with it, meanwhile without {@link key}. @param by the old one */
    async renewed(before, token, by) {
      isRenewing = true;
      try {
        const node = await federation.tokens.storeRenewed(before, token, by);
        await to(node);
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
