import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Returns node B's proof, when it can't be called, to node A that it has the very token that it gave: an HMAC
 * under a key derived from the token. Neither side stores token or key, and the hashes in stores and backups
 * don't help. @param token node B's @param nodeID node A's id of the pair
 */
export function collectProof(token: string, nodeID: string): string {
  const key = hkdfSync('sha256', token, '', 'footbridge: proof that collects the answer to a pairing', 32);
  return createHmac('sha256', Buffer.from(key)).update(`pairing ${nodeID}`).digest('hex');
}
