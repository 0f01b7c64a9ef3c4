import { createPrivateKey, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { fingerprintOf } from '../../base/hashes.ts';
import { readIfThere, replaceFile } from '../../store/files/own-file.ts';

/** What the federation listener shows to prove that it is this node, and the key that belongs to it. */
export interface Certificate {
  /** PEM; the node's own certificate first, then those that vouch for it, where there are any. */
  readonly cert: string;
  /** PEM, not encrypted. Never leaves this process. */
  readonly key: string;
  /**
   * SHA-256 of the certificate, lower-case hex: what an invite carries and a partner pins (docs/pairing.md: The
   * invite).
   */
  readonly fingerprint: string;
  /**
   * Nobody but itself vouches for it, so that a partner can only pin it. One that an authority vouches for is
   * renewed every few months and must not be pinned.
   */
  readonly selfSigned: boolean;
  /** Set when the node's own certificate could not be read and a new one took its place: partners must pair again. */
  readonly replaced?: true;
}

/** The certificate files that were configured cannot be used; the message says why. */
export class CertificateError extends Error {}

const YEARS = 25;
const DAY_MS = 86_400_000;

/**
 * The node's own certificate, made when first needed and kept in `<dataDir>/keys/tls.pem`, which only its
 * owner can read. One file holds key and certificate, so that they cannot come apart.
 */
export async function ownCertificate(dataDir: string, clock: Pick<Clock, 'now'>): Promise<Certificate> {
  const file = join(dataDir, 'keys', 'tls.pem');
  const stored = (await readIfThere(file))?.toString('utf8');
  if (stored !== undefined) {
    try {
      return certificateIn(stored);
    } catch {
      await rename(file, `${file}.damaged-${clock.now()}`);
    }
  }
  const pem = await newCertificate(clock);
  await replaceFile(file, pem);
  return { ...certificateIn(pem), ...(stored === undefined ? {} : { replaced: true }) };
}

/**
 * A certificate that the user brings: PEM files, the certificate's file with its chain.
 * @throws CertificateError when a file cannot be read, is none, or the two do not belong together
 */
export async function certificateFiles(certFile: string, keyFile: string): Promise<Certificate> {
  const read = (file: string): Promise<string> =>
    readFile(file, 'utf8').catch((cause: unknown) => {
      throw new CertificateError(`The certificate file ${file} cannot be read.`, { cause });
    });
  const [cert, key] = await Promise.all([read(certFile), read(keyFile)]);
  try {
    return describe(cert, key);
  } catch (cause) {
    throw new CertificateError(
      `${certFile} and ${keyFile} are not a certificate and its key, both as PEM and the key without a password.`,
      { cause },
    );
  }
}

function describe(cert: string, key: string): Certificate {
  const parsed = new X509Certificate(cert);
  if (!parsed.checkPrivateKey(createPrivateKey(key)))
    throw new Error('the key belongs to another certificate');
  return {
    cert,
    key,
    fingerprint: fingerprintOf(parsed),
    selfSigned: parsed.subject === parsed.issuer && parsed.verify(parsed.publicKey),
  };
}

/** The certificate of a PEM text that holds its key as well. */
export const certificateIn = (pem: string): Certificate => describe(pem, pem);

/** A new ECDSA P-256 key with a certificate that tells nothing about the office, as one PEM text. */
export async function newCertificate(clock: Pick<Clock, 'now'>): Promise<string> {
  // Loaded only in the one start that needs them; x509's decorators want the polyfill to be there first.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // The first bit stays clear, as a serial number is a positive number.
    serialNumber: `4${randomBytes(16).toString('hex').slice(1)}`,
    name: 'CN=Footbridge',
    notBefore: new Date(clock.now() - DAY_MS),
    notAfter: new Date(clock.now() + YEARS * 365.25 * DAY_MS),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'footbridge' }]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return `${key.export({ format: 'pem', type: 'pkcs8' }).toString()}${certificate.toString('pem')}\n`;
}
