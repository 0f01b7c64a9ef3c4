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

/** What both sides of a pairing know when one proves its installation: A, the inviter, after its approval. */
export type Claim =
  | { readonly side: 'A'; readonly facts: WordsInput }
  | { readonly side: 'B'; readonly facts: Omit<WordsInput, 'tokenA'> };

/**
 * Returns a signature that proves our installation, valid in this pairing only; undefined without an installation
 * key.
 */
export function proofOf(key: InstallationKey | undefined, claim: Claim): InstallationProof | undefined {
  return key && signWith(key, textOf(claim));
}

/**
 * Returns whether this side proved the installation that it claims. Ids made of a key need that key's signature, as
 * each row made there carries the id, and that office has priority for them (docs/rings.md). Older random ids can't
 * be proven and are accepted.
 */
export function isProven(
  installation: string,
  claim: Claim | undefined,
  proof: InstallationProof | undefined,
): boolean {
  if (!isDerivedFromKey(installation)) return true;
  return claim !== undefined && proof !== undefined && isSignedBy(installation, textOf(claim), proof);
}

/** Returns the error for a side that didn't prove its installation; our own user reads it too. */
export const notProven = (): Refusal =>
  new Refusal('conflict', 'pairing.not-shown', said('pairing.not-shown'));

/** Returns the signed text: everything in the verification words, so that a forwarded proof is worthless. */
function textOf(claim: Claim): string {
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
