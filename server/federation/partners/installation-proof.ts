import {
  isDerivedFromKey,
  isSignedBy,
  type InstallationKey,
  type InstallationProof,
  signWith,
} from '../../base/installation-key.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { hasRoutes, type WordsInput } from './words.ts';

/** What a side of a pairing signs to prove its installation: A, the inviter, does it after its approval. */
export type Claim =
  | { readonly side: 'A'; readonly facts: WordsInput }
  | { readonly side: 'B'; readonly facts: Omit<WordsInput, 'tokenA'> };

/** Returns our installation's signature of the claim, valid in this pairing only; undefined without a key. */
export function proofOf(key: InstallationKey | undefined, claim: Claim): InstallationProof | undefined {
  return key && signWith(key, signedText(claim));
}

/**
 * Returns whether `proof` signs the claim with the installation's key. True for ids of older versions, which are
 * random and have no key (docs/rings.md).
 */
export function isProven(
  installation: string,
  claim: Claim | undefined,
  proof: InstallationProof | undefined,
): boolean {
  if (!isDerivedFromKey(installation)) return true;
  return claim !== undefined && proof !== undefined && isSignedBy(installation, signedText(claim), proof);
}

/** Returns the error (conflict) for a side that didn't prove its installation. */
export const notProven = (): Refusal =>
  new Refusal('conflict', 'pairing.not-shown', said('pairing.not-shown'));

/**
 * Returns the text that an installation proof signs: everything that the words are made of, so that a forwarded proof
 * is worthless.
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
