import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';

/** What an installation's number is made of, as base64url: an Ed25519 key. */
export interface InstallationKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Shows that who sends it has the key that an installation's number was made of; both as base64url. */
export interface InstallationProof {
  readonly publicKey: string;
  readonly signature: string;
}

const PAIR = { kty: 'OKP', crv: 'Ed25519' } as const;
const exported = z.object({ x: z.string(), d: z.string() });
const MADE_OF_A_KEY = /^k[0-9a-f]{32}$/;

/** A new key, and the number of the installation that has it: a fingerprint, so that nobody else can show the key of it. */
export function makeInstallation(): { readonly id: string; readonly key: InstallationKey } {
  const { x, d } = exported.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  return { id: numberOf(x), key: { publicKey: x, privateKey: d } };
}

/** Whether this number was made of a key; those of data folders of before there were keys were drawn. */
export const isMadeOfKey = (id: string): boolean => MADE_OF_A_KEY.test(id);

export function signWith({ publicKey, privateKey }: InstallationKey, text: string): InstallationProof {
  const key = createPrivateKey({ key: { ...PAIR, x: publicKey, d: privateKey }, format: 'jwk' });
  return { publicKey, signature: sign(null, Buffer.from(text), key).toString('base64url') };
}

/** Whether the installation with this number, which was made of a key, signed this very text. */
export function isSignedBy(id: string, text: string, { publicKey, signature }: InstallationProof): boolean {
  if (numberOf(publicKey) !== id) return false;
  try {
    const key = createPublicKey({ key: { ...PAIR, x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch {
    // Not a key at all.
    return false;
  }
}

const numberOf = (publicKey: string): string =>
  `k${createHash('sha256').update(publicKey).digest('hex').slice(0, 32)}`;
