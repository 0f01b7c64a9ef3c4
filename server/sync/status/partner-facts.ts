import type { SharingFacts } from '../../federation/offers/destinations.ts';
import type { NodeStatus } from '../../federation/model.ts';
import type { PartnerErrorKind } from '../../peer/guard/errors.ts';
import type { Words } from '../../words/said.ts';
import type { Unwritable } from '../../store/store.ts';
import type { LastContact } from '../../federation/partners/last-seen.ts';

/** How the last exchange with the partner failed. */
export interface Problem {
  readonly kind: PartnerErrorKind | 'store' | 'internal';
  /** Plain words. */
  readonly message: Words;
  /** ISO 8601, of the first failure in the row. */
  readonly since: string;
  readonly tries: number;
}

/** All facts that the state of one partner depends on, each used by a rule of `state-rules.ts`. */
export interface PartnerFacts {
  readonly name: string;
  readonly status: NodeStatus;
  readonly role?: 'inviter' | 'invitee' | undefined;
  /** Both are Footbridges, so that there will be words to compare. */
  readonly hasWords?: boolean | undefined;
  /** It is a Corteza server. */
  readonly isLive?: boolean | undefined;
  /** Why pairing failed, if it did. */
  readonly pairingProblem?: Words | undefined;
  /** Our user stopped fetching from it, until then if a time is given. */
  readonly paused?: { readonly until?: string } | undefined;
  /** Our user stopped its reading; the same. */
  readonly closed?: { readonly until?: string } | undefined;
  /** Its reading is on hold until our user has checked the shares, as older data came back. */
  readonly unsure?: boolean | undefined;
  /** It calls from two computers with one data folder; the second: we do, as it reports. */
  readonly copiedThere?: boolean | undefined;
  readonly copiedHere?: boolean | undefined;
  /** Why nothing can be saved on this computer, if so. */
  readonly unwritable?: Unwritable['code'] | undefined;
  readonly running: boolean;
  readonly problem?: Problem | undefined;
  /** We have just begun to ask, or ask again after a pause: no answer is overdue yet. */
  readonly beginning: boolean;
  /** Only the partner calls, so that it is heard from when it asks. */
  readonly callsUs: boolean;
  /** Pairing has shown that the partner, a Footbridge, cannot call us. */
  readonly cannotCallUs?: boolean | undefined;
  /** The last answer of the partner to anything. */
  readonly heard?: LastContact | undefined;
  /** Milliseconds without any data for a running pull, if worth showing. */
  readonly stalledMs?: number | undefined;
  /** Its routes are tested meanwhile; the second: the last test reached the partner. */
  readonly isSearching?: boolean | undefined;
  readonly isReached?: boolean | undefined;
  /** ISO 8601; since when the partner asks for rows but does not read what we answer. */
  readonly unreadSince?: string | undefined;
  /** When it last asked us for anything; not fresh if it should have asked again since. */
  readonly asked?: LastContact | undefined;
  /** When everything that it announced was last known to be applied. */
  readonly complete?: LastContact | undefined;
  /** Lists that we receive. */
  readonly matched: number;
  /** Those of them that were never pulled completely, or not since they changed. */
  readonly unpulled: number;
  /** Why one of the lists could not be pulled while the others were. */
  readonly listProblem?: Words | undefined;
  /** Lists with deletions that need approval; the second: their rows. */
  readonly reviews: number;
  readonly heldRows: number;
  /** Among these, rows that are gone or older there since the partner's data went back. */
  readonly wentBack?: number | undefined;
  /** Among these, rows that are just missing at the partner. */
  readonly missing?: number | undefined;
  readonly couldNotApply: number;
  /** Rows that our user kept although the partner deleted or emptied them, and hasn't accepted as different. */
  readonly keptRows: number;
  /** Rows that our user kept and accepted as different. */
  readonly settledRows?: number | undefined;
  /** Rows in which the last comparison found a difference. */
  readonly differing: number;
  /** Rows of it that differ by our user's intention. */
  readonly changedHere?: number | undefined;
  /** Names of mapped lists that it no longer shares, unless the user has dismissed that. */
  readonly withdrawn: readonly string[];
  /** Parked matches, whose column was removed or changed. */
  readonly parked: number;
  readonly newOffers: number;
  /** A live server that was paired again and has offered nothing since, while lists of it are mapped. */
  readonly awaitsOffers?: boolean | undefined;
  /** Milliseconds until the connection ends, once that is soon. */
  readonly endsIn?: number | undefined;
  /** Milliseconds by which its clock is ahead of ours, if worth showing; `ours`: ours is the wrong one. */
  readonly clock?: { readonly ahead: number; readonly ours: boolean } | undefined;
  /** How far what we share has come; absent if nothing is shared. */
  readonly sharing?: SharingFacts | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
