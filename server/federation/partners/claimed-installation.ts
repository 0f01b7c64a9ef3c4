import { isDerivedFromKey } from '../../base/installation-key.ts';
import type { Partition } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { NODES } from '../tables.ts';
import { tokenInstallation } from './node-tokens.ts';

const MAX_ENTRIES = 100_000;

/** Returns a partner's installation; undefined if another connected office claims it too. */
export async function claimedInstallation(system: Partition, node: Node): Promise<string | undefined> {
  const nodes = (await system.page(NODES, { limit: MAX_ENTRIES })).map(({ value }) => value);
  return findSameInstallation(nodes, node) === undefined ? node.installation : undefined;
}

/**
 * Returns another connected partner of this installation, with another address and certificate; undefined without one,
 * or if `node` isn't connected. `nodes` may include it.
 */
export function findSameInstallation(nodes: readonly Node[], node: Node): Node | undefined {
  if (node.installation === undefined || !isConnected(node)) return undefined;
  return nodes.find(
    (other) =>
      other.nodeID !== node.nodeID &&
      other.installation === node.installation &&
      isConnected(other) &&
      !isOneOffice(node, other),
  );
}

const isConnected = ({ status, deletedAt }: Node): boolean => status === 'paired' && deletedAt === undefined;

/** Returns whether two records share an address or certificate: one office, paired twice. */
function isOneOffice(one: Node, other: Node): boolean {
  if (one.baseURL === other.baseURL) return true;
  return one.certificate !== undefined && one.certificate === other.certificate;
}

/**
 * Stores installations that Footbridges' tokens name, unless known or to be proven by key. Unreadable tokens are
 * skipped.
 */
export async function recordInstallations({
  system,
  secrets,
  log,
}: Pick<FederationContext, 'system' | 'secrets' | 'log'>): Promise<void> {
  for (const { key, value } of await system.page(NODES, { limit: MAX_ENTRIES })) {
    const { footbridge, installation, sealedToken } = value;
    if (!footbridge || installation !== undefined || sealedToken === undefined) continue;
    const token = await secrets.open(sealedToken).catch(() => undefined);
    const named = token === undefined ? undefined : tokenInstallation(token);
    // Older versions had no keys.
    if (named === undefined || isDerivedFromKey(named)) continue;
    await system.transaction(async (tx) => {
      const node = await tx.get(NODES, key);
      if (node?.sealedToken === sealedToken) tx.put(NODES, key, { ...node, installation: named });
    });
    log.info({ nodeID: key }, 'noted which installation the partner is');
  }
}
