import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { fingerprintOf } from '../../base/hashes.ts';
import { readIfExists, replaceFile } from '../../store/files/own-file.ts';

export interface Certificate {
  /** PEM of the certificate, then its chain, if any. */
  readonly cert: string;
  /** Unencrypted PEM. Never leaves this process. */
  readonly key: string;
  /** SHA-256, lower-case hex. */
  readonly fingerprint: string;
  /** Self-signed: must be pinned; an authority's must not be, as it changes every few months. */
  readonly selfSigned: boolean;
  /** An unreadable own one was replaced: partners must pair again. */
  readonly replaced?: true;
}

/** The configured files can't be used; the message says why. */
export class CertificateError extends Error {}

const YEARS = 25;
const DAY_MS = 86_400_000;

/**
 * Returns the self-signed certificate in `<dataDir>/keys/tls.pem`: creates a missing one, renames and replaces a
 * damaged one (`replaced`).
 */
export async function ownCertificate(dataDir: string, clock: Pick<Clock, 'now'>): Promise<Certificate> {
  const file = join(dataDir, 'keys', 'tls.pem');
  const stored = (await readIfExists(file))?.toString('utf8');
  if (stored !== undefined) {
    try {
      return certificateIn(stored);
    } catch {
      await rename(file, `${file}.damaged-${clock.now()}`);
    }
  }
  const pem = newCertificate(clock);
  await replaceFile(file, pem);
  return { ...certificateIn(pem), ...(stored === undefined ? {} : { replaced: true }) };
}

/**
 * Returns these PEM files' certificate, maybe with its chain, and key. Throws `CertificateError` if they can't be read
 * or don't match.
 */
export async function readCertificateFiles(certFile: string, keyFile: string): Promise<Certificate> {
  /** Reads a file's text. Throws `CertificateError` if it can't be read. */
  const readPem = (file: string): Promise<string> =>
    readFile(file, 'utf8').catch((cause: unknown) => {
      throw new CertificateError(`The certificate file ${file} cannot be read.`, { cause });
    });
  const [cert, key] = await Promise.all([readPem(certFile), readPem(keyFile)]);
  try {
    return parseCertificate(cert, key);
  } catch (cause) {
    throw new CertificateError(
      `${certFile} and ${keyFile} are not a certificate and its key, both as PEM and the key without a password.`,
      { cause },
    );
  }
}

/** Returns the certificate with its fingerprint. Throws if it is invalid or the key doesn't match. */
function parseCertificate(cert: string, key: string): Certificate {
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

export const certificateIn = (pem: string): Certificate => parseCertificate(pem, pem);

/** Returns a new ECDSA P-256 key and its self-signed certificate, valid for 25 years, in one PEM. */
export function newCertificate(clock: Pick<Clock, 'now'>): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const from = new Date(clock.now() - DAY_MS);
  const until = new Date(clock.now() + YEARS * 365.25 * DAY_MS);
  const body = sequence(
    encodeDER(0xa0, encodeDER(INTEGER, [2])),
    // The first byte makes it positive and minimal.
    encodeDER(INTEGER, [0x40 + ((randomBytes(1)[0] ?? 0) % 0x40)], randomBytes(15)),
    SIGNED_WITH,
    NAME,
    sequence(encodeDERTime(from), encodeDERTime(until)),
    NAME,
    publicKey.export({ format: 'der', type: 'spki' }),
    encodeDER(0xa3, sequence(...EXTENSIONS)),
  );
  const signature = encodeDER(BIT_STRING, [0], sign('sha256', body, privateKey));
  const certificate = sequence(body, SIGNED_WITH, signature).toString('base64');
  const lines = certificate.match(/.{1,64}/g) ?? [];
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'];
  return `${privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()}${pem.join('\n')}\n`;
}

const [INTEGER, BIT_STRING, OCTETS, UTF8, BOOLEAN] = [0x02, 0x03, 0x04, 0x0c, 0x01];

/** Encodes a value in DER (X.690): tag, length, and `parts` as content, of less than 64 KiB together. */
function encodeDER(tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => encodeDER(0x30, ...parts);
const set = (part: Uint8Array): Buffer => encodeDER(0x31, part);
const identifier = (hex: string): Buffer => encodeDER(0x06, Buffer.from(hex, 'hex'));

/** Encodes a time as RFC 5280 (4.1.2.5) requires: as UTCTime, from 2050 on as GeneralizedTime. */
function encodeDERTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/\.\d+|[-:T]/g, '');
  return time.getUTCFullYear() < 2050
    ? encodeDER(0x17, Buffer.from(digits.slice(2)))
    : encodeDER(0x18, Buffer.from(digits));
}

/** ecdsa-with-SHA256 */
const SIGNED_WITH = sequence(identifier('2a8648ce3d040302'));
/** CN=Footbridge */
const NAME = sequence(set(sequence(identifier('550403'), encodeDER(UTF8, Buffer.from('Footbridge')))));

/** `id` is the extension's encoded identifier in hex. */
const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(identifier(id), ...(isCritical ? [encodeDER(BOOLEAN, [0xff])] : []), encodeDER(OCTETS, value));

const EXTENSIONS = [
  // basicConstraints: no authority
  extension('551d13', sequence(), true),
  // keyUsage: digitalSignature, the first of nine bits
  extension('551d0f', encodeDER(BIT_STRING, [7, 0x80]), true),
  // extKeyUsage: serverAuth
  extension('551d25', sequence(identifier('2b06010505070301'))),
  // subjectAltName: the DNS name footbridge
  extension('551d11', sequence(encodeDER(0x82, Buffer.from('footbridge')))),
];
