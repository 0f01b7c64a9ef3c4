import type { Node } from '../../federation/model.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Fallbacks } from './fallbacks.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

/** The open way to a partner, made anew when its address, its dialect or our token changes. */
export interface Connection {
  /** @throws Refusal `conflict` without a token, AddressRefusedError */
  to(node: Node): Promise<Peer>;
  /** A text that changes with everything that the way to this partner is made of. */
  keyOf(node: Node): string;
  /** That of the open way; undefined while there is none, or none but one that goes by another token in a moment. */
  readonly key: string | undefined;
  /** The open way has shown how the partner speaks: it is the same way when the record says so too. */
  understood(node: Node, dialect: NonNullable<Node['dialect']>): void;
  /** Keeps a fresh token, got by the one that is held or the one of before, and goes by that from now on. */
  renewed(before: Node, token: string, by: 'current' | 'earlier'): Promise<Node>;
  /** Beside it a way that goes by the token of before; undefined where there is none. The caller closes it. */
  byEarlierToken(node: Node): Promise<Peer | undefined>;
  close(): Promise<void>;
}

function partsOf(node: Node): string {
  const { baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken } = node;
  return JSON.stringify([baseURL, dialect, footbridge, sharedNodeID, certificate, ownNetwork, sealedToken]);
}

export function createConnection(
  federation: Pick<SyncFederation, 'tokens'>,
  open: OpenPartner,
  fallbacks: Pick<Fallbacks, 'isOn'>,
  /** Told what time it was at the partner, with each answer. */
  onTime: (theirs: number) => void,
): Connection {
  let isRenewing = false;
  let current: { readonly key: string; readonly peer: Peer } | undefined;

  const keyOf = (node: Node): string => partsOf(node) + (fallbacks.isOn(node.nodeID) ? ' fallback' : '');

  async function close(): Promise<void> {
    const old = current;
    current = undefined;
    await old?.peer.close();
  }

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
