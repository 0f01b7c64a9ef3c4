import {
  isMadeOfKey,
  isSignedBy,
  type InstallationKey,
  type InstallationProof,
  signWith,
} from '../../base/installation-key.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { hasRoutes, type WordsInput } from './words.ts';

/** What the two sides of a pairing know of it when a side says which installation it is: A, the inviter, after its yes. */
export type Claim =
  | { readonly side: 'A'; readonly facts: WordsInput }
  | { readonly side: 'B'; readonly facts: Omit<WordsInput, 'tokenA'> };

/** That we are the installation that we say, in this pairing and no other; undefined where its number has no key. */
export function proofOf(key: InstallationKey | undefined, claim: Claim): InstallationProof | undefined {
  return key && signWith(key, textOf(claim));
}

/**
 * Whether this side is the installation that it says. A number that was made of a key counts only from who has that key:
 * it stands in every row that was made there, and whoever is taken for that office has the first word on them
 * (docs/rings.md). Drawn numbers of before there were keys can be shown by nobody, and are taken as they are said.
 */
export function isShown(
  installation: string,
  claim: Claim | undefined,
  proof: InstallationProof | undefined,
): boolean {
  if (!isMadeOfKey(installation)) return true;
  return claim !== undefined && proof !== undefined && isSignedBy(installation, textOf(claim), proof);
}

/** What a side is told that did not show which installation it is, and what our own user reads. */
export const notShown = (): Refusal =>
  new Refusal('conflict', 'pairing.not-shown', said('pairing.not-shown'));

/** All that the verification words are made of, so that a proof that is passed on to another office is none there. */
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
