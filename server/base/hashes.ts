import { createHash, timingSafeEqual, type X509Certificate } from 'node:crypto';

/** Returns SHA-256 in lower-case hex; the only form in which secrets that we issued are stored. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns whether two secrets are equal, in constant time. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}

/** Returns a certificate's SHA-256 in lower-case hex. */
export function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}
