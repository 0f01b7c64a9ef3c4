import { createHash, timingSafeEqual, type X509Certificate } from 'node:crypto';

/** SHA-256 in lower-case hex; all that is kept of secrets that we gave out. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether two texts are equal, in a time that tells nothing about where they differ. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}

/** SHA-256 of a certificate as lower-case hex without colons. */
export function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}
