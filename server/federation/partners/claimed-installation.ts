import type { Partition } from '../../store/store.ts';
import type { Node } from '../model.ts';
import type { Secrets } from '../ports.ts';
import { NODES } from '../tables.ts';
import { tokenInstallation } from './node-tokens.ts';

const MOST = 100_000;

/**
 * Which installation a partner is by its own word: as it asked to pair, else as its token says. Footbridges only. Undefined
 * as well where another partner who is connected says that of itself, and stands elsewhere: one of the two is not whom it
 * says, and its word on the other one's rows would stand over that one's own.
 */
export async function claimedInstallation(
  system: Partition,
  secrets: Pick<Secrets, 'open'>,
  node: Node,
): Promise<string | undefined> {
  const claimed = async ({ footbridge, installation, sealedToken }: Node): Promise<string | undefined> => {
    if (!footbridge || installation !== undefined || sealedToken === undefined) return installation;
    return tokenInstallation(await secrets.open(sealedToken));
  };

  const own = await claimed(node);
  if (own === undefined) return undefined;
  for (const { value: other } of await system.page(NODES, { limit: MOST })) {
    const isConnected = other.status === 'paired' && other.deletedAt === undefined;
    if (!isConnected || other.nodeID === node.nodeID || isOneOffice(node, other)) continue;
    if ((await claimed(other)) === own) return undefined;
  }
  return own;
}

/** Only one office answers at an address, or has the key of a certificate: it may be paired twice. */
function isOneOffice(one: Node, other: Node): boolean {
  if (one.baseURL === other.baseURL) return true;
  return one.certificate !== undefined && one.certificate === other.certificate;
}
