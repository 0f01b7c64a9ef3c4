import { createHmac, hkdfSync } from 'node:crypto';

/**
 * With what node B, which cannot be called, shows node A that it holds the very token that it gave: an HMAC under a
 * key of its own, derived from the token itself. Neither side stores token or key, and the hashes that lie in stores
 * and backups are of no use for it.
 * @param token node B's
 * @param nodeID node A's id of the pair
 */
export function collectProof(token: string, nodeID: string): string {
  const key = hkdfSync('sha256', token, '', 'footbridge: proof that collects the answer to a pairing', 32);
  return createHmac('sha256', Buffer.from(key)).update(`pairing ${nodeID}`).digest('hex');
}
