import { isMadeOfKey } from '../../base/installation-key.ts';
import type { Partition } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { NODES } from '../tables.ts';
import { tokenInstallation } from './node-tokens.ts';

const MOST = 100_000;

/**
 * Which installation a partner is by its own word, given when it was paired. Footbridges only. Undefined as well where
 * another connected partner says that of itself: one of the two is not whom it says, and its word on the other one's rows
 * would stand over that one's own.
 */
export async function claimedInstallation(system: Partition, node: Node): Promise<string | undefined> {
  const nodes = (await system.page(NODES, { limit: MOST })).map(({ value }) => value);
  return sameAs(nodes, node) === undefined ? node.installation : undefined;
}

/** Another connected partner that says that it is the same installation, and stands elsewhere. */
export function sameAs(nodes: readonly Node[], node: Node): Node | undefined {
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

/** Only one office answers at an address, or has the key of a certificate: it may be paired twice. */
function isOneOffice(one: Node, other: Node): boolean {
  if (one.baseURL === other.baseURL) return true;
  return one.certificate !== undefined && one.certificate === other.certificate;
}

/** Notes for partners whose invite an older version took in which installation their token says that they are. */
export async function noteInstallations({
  system,
  secrets,
  log,
}: Pick<FederationContext, 'system' | 'secrets' | 'log'>): Promise<void> {
  for (const { key, value } of await system.page(NODES, { limit: MOST })) {
    const { footbridge, installation, sealedToken } = value;
    if (!footbridge || installation !== undefined || sealedToken === undefined) continue;
    const token = await secrets.open(sealedToken).catch(() => undefined);
    const named = token === undefined ? undefined : tokenInstallation(token);
    // Older versions knew no key, and asked for none.
    if (named === undefined || isMadeOfKey(named)) continue;
    await system.transaction(async (tx) => {
      const node = await tx.get(NODES, key);
      if (node?.sealedToken === sealedToken) tx.put(NODES, key, { ...node, installation: named });
    });
    log.info({ nodeID: key }, 'noted which installation the partner is');
  }
}
