import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';

/** An installation's Ed25519 key, as base64url; its fingerprint is the installation id. */
export interface InstallationKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Proves possession of an installation's key, in base64url. */
export interface InstallationProof {
  readonly publicKey: string;
  readonly signature: string;
}

const PAIR = { kty: 'OKP', crv: 'Ed25519' } as const;
const exported = z.object({ x: z.string(), d: z.string() });
const MADE_OF_A_KEY = /^k[0-9a-f]{32}$/;

/** Generates a key pair and the installation's id: the key's fingerprint, which nobody else can prove. */
export function createInstallation(): { readonly id: string; readonly key: InstallationKey } {
  const { x, d } = exported.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  return { id: numberOf(x), key: { publicKey: x, privateKey: d } };
}

/** Returns whether an installation id is a key's fingerprint; older data folders have random ones. */
export const isDerivedFromKey = (id: string): boolean => MADE_OF_A_KEY.test(id);

/** Returns a signature of the text, with the public key. */
export function signWith({ publicKey, privateKey }: InstallationKey, text: string): InstallationProof {
  const key = createPrivateKey({ key: { ...PAIR, x: publicKey, d: privateKey }, format: 'jwk' });
  return { publicKey, signature: sign(null, Buffer.from(text), key).toString('base64url') };
}

/**
 * Returns whether the installation with this id signed exactly this text; false for a key that isn't the id's, or
 * damaged.
 */
export function isSignedBy(id: string, text: string, { publicKey, signature }: InstallationProof): boolean {
  if (numberOf(publicKey) !== id) return false;
  try {
    const key = createPublicKey({ key: { ...PAIR, x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

const numberOf = (publicKey: string): string =>
  `k${createHash('sha256').update(publicKey).digest('hex').slice(0, 32)}`;
