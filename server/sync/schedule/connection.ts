import type { Node } from '../../federation/model.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Fallbacks } from './fallbacks.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

/** The connection to a partner, replaced when its address, dialect or our token changes. */
export interface Connection {
  /** @throws Refusal `conflict` without a token, AddressRefusedError */
  to(node: Node): Promise<Peer>;
  /** Returns a key that changes with every part of the connection. */
  keyOf(node: Node): string;
  /**
   * The key of the open connection; undefined if there is none, or only one whose token is about to be
   * replaced.
   */
  readonly key: string | undefined;
  /** The connection has revealed the partner's dialect; recording it doesn't make it another connection. */
  understood(node: Node, dialect: NonNullable<Node['dialect']>): void;
  /** Stores a renewed token, obtained with the current or the earlier one, and uses it from then on. */
  renewed(before: Node, token: string, by: 'current' | 'earlier'): Promise<Node>;
  /** Opens a second connection with the earlier token; undefined without one. The caller closes it. */
  byEarlierToken(node: Node): Promise<Peer | undefined>;
  close(): Promise<void>;
}

/** Returns a text of all parts of a connection, to notice that one changed. */
function partsOf(node: Node): string {
  const { baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken } = node;
  return JSON.stringify([baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken]);
}

/**
 * Creates the connection to one partner; opens nothing yet. @param onTime receives the partner's time, in
 * milliseconds since the epoch, with each answer
 */
export function createConnection(
  federation: Pick<SyncFederation, 'tokens'>,
  open: OpenPartner,
  fallbacks: Pick<Fallbacks, 'isOn'>,
  /** Receives the partner's time with each answer. */
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
   * Returns the open connection, or closes it and opens a new one if the partner's record has other connection
   * data. Throws `node.no-token` without a token, AddressRefusedError for a forbidden address.
   */
  async function to(node: Node): Promise<Peer> {
    const key = keyOf(node);
    if (current?.key === key) return current.peer;
    await close();
    const composeFallback = fallbacks.isOn(node.nodeID);
    const peer = open(node, await federation.tokens.held(node.nodeID), { composeFallback, onTime });
    current = { key, peer };
    return peer;
  }

  return {
    keyOf,
    get key() {
      return isRenewing ? undefined : current?.key;
    },
    to,
    /**
     * Stores a renewed token and opens a connection with it; meanwhile {@link key} is undefined. Returns the
     * partner's record. @param by the token that it was obtained with
     */
    async renewed(before, token, by) {
      isRenewing = true;
      try {
        const node = await federation.tokens.renewed(before, token, by);
        await to(node);
        return node;
      } finally {
        isRenewing = false;
      }
    },
    /** Opens a second connection with the earlier token; undefined without one. The caller closes it. */
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
