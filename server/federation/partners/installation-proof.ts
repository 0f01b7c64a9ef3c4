import {
  isDerivedFromKey,
  isSignedBy,
  type InstallationKey,
  type InstallationProof,
  signWith,
} from '../../base/installation-key.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { PairingRefusal } from './pairing-state.ts';
import { hasRoutes, type WordsInput } from './words.ts';

/** Signed to prove a side's installation; by A, the inviter, after approval. */
export type Claim =
  | { readonly side: 'A'; readonly facts: WordsInput }
  | { readonly side: 'B'; readonly facts: Omit<WordsInput, 'tokenA'> };

/** Signs the claim for this pairing only; undefined without a key. */
export function proofOf(key: InstallationKey | undefined, claim: Claim): InstallationProof | undefined {
  return key && signWith(key, signedText(claim));
}

/**
 * Returns whether `proof` signs the claim with the installation's key (false without either); also true for older,
 * random ids without one.
 */
export function isProven(
  installation: string,
  claim: Claim | undefined,
  proof: InstallationProof | undefined,
): boolean {
  if (!isDerivedFromKey(installation)) return true;
  return claim !== undefined && proof !== undefined && isSignedBy(installation, signedText(claim), proof);
}

export const notProven = (): Refusal =>
  new Refusal('conflict', 'pairing.not-shown' satisfies PairingRefusal, said('pairing.not-shown'));

/**
 * Returns the text that a proof signs: all that the words are made of, so that a forwarded proof is worthless. Side A's
 * includes its token.
 */
function signedText(claim: Claim): string {
  const {
    invite,
    nodeA,
    addressA,
    certificateA = '',
    nodeB,
    addressB,
    certificateB = '',
    tokenB,
    routesA = '',
    routesB = '',
  } = claim.facts;
  const tokenA = claim.side === 'A' ? claim.facts.tokenA : '';
  const isRouted = hasRoutes(claim.facts);
  return JSON.stringify([
    `footbridge installation of ${claim.side}${isRouted ? ', with routes' : ''}`,
    invite,
    [nodeA, addressA, certificateA, tokenA, ...(isRouted ? [routesA] : [])],
    [nodeB, addressB, certificateB, tokenB, ...(isRouted ? [routesB] : [])],
  ]);
}
