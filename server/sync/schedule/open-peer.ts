import type { Node } from '../../federation/model.ts';
import { openPeer, type Peer } from '../../peer/peer.ts';
import { createMemoryBudget } from '../../peer/guard/memory-budget.ts';

/** Opens the way to a partner with the token that we hold for it, if one is needed. */
export type OpenPeer = (
  node: Node,
  token: string | undefined,
  options?: { readonly composeFallback: boolean; readonly onTime?: (theirs: number) => void },
) => Peer;

/** The opener throws AddressRefused when the partner's address is none to call. */
export function peerOpener(rules: {
  readonly allowLoopback: boolean;
  /** Ports of this node, which no partner may have on this computer. */
  readonly ownPorts: () => readonly number[];
}): OpenPeer {
  const budget = createMemoryBudget();
  return (node, token, options) =>
    openPeer({
      baseURL: node.baseURL,
      dialect: node.dialect,
      footbridge: node.footbridge,
      token,
      composeFallback: options?.composeFallback ?? false,
      sharedNodeID: node.sharedNodeID,
      certificate: node.certificate,
      ownNetwork: node.ownNetwork,
      allowLoopback: rules.allowLoopback,
      ownPorts: rules.ownPorts,
      budget,
      onTime: options?.onTime,
    });
}
