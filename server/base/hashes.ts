import { createHash, createHmac, hkdfSync, timingSafeEqual, type X509Certificate } from 'node:crypto';

/** Returns SHA-256 in lower-case hex; the only form in which secrets that we issued are stored. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns whether two secrets are equal, in constant time. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}

/**
 * Returns an HMAC-SHA256 of the text in lower-case hex, by which holders of a token know each other. Each purpose has a
 * key of its own, derived from the token by HKDF.
 */
export function tokenProof(
  token: string,
  purpose: 'collects the answer to a pairing' | 'answers a greeting',
  text: string,
): string {
  const key = hkdfSync('sha256', token, '', `footbridge: proof that ${purpose}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(text).digest('hex');
}

/** Returns a certificate's SHA-256 in lower-case hex. */
export function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}
