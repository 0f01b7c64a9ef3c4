import { createReceiveBufferBudget } from '../../peer/guard/receive-buffer-budget.ts';
import type { Node } from '../../federation/model.ts';
import type { PartnerRoutes } from '../../peer/transport/partner-routes.ts';
import { openPeer } from '../../peer/peer.ts';
import type { OpenPartner } from '../ports.ts';

/**
 * Creates the function that opens calls to partners, all with one budget for received data; without a token by
 * `routesApart`. It throws AddressRefusedError for a forbidden address; private, loopback and own ones pass with another
 * route.
 */
export function createPeerOpener(rules: {
  readonly allowLoopback: boolean;
  /** No partner on this computer has them. */
  readonly ownPorts: () => readonly number[];
  /** Further routes to a Footbridge. */
  readonly routesTo?: (node: Node) => PartnerRoutes;
  /** For a pairing's calls, without a token. */
  readonly routesApart?: (node: Node) => PartnerRoutes;
}): OpenPartner {
  const budget = createReceiveBufferBudget();
  return (node, token, options) => {
    const routesTo = token === undefined ? rules.routesApart : rules.routesTo;
    return openPeer({
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
      routes: node.footbridge ? routesTo?.(node) : undefined,
    });
  };
}
