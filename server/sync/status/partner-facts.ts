import type { SharingFacts } from '../../federation/offers/destinations.ts';
import type { NodeStatus } from '../../federation/model.ts';
import type { PartnerErrorKind } from '../../peer/guard/errors.ts';
import type { Words } from '../../words/said.ts';
import type { Unwritable } from '../../store/store.ts';
import type { LastContact } from '../../federation/partners/last-seen.ts';

export interface Problem {
  readonly kind: PartnerErrorKind | 'store' | 'internal';
  readonly message: Words;
  /** The first failure in the row was then (ISO 8601). */
  readonly since: string;
  readonly tries: number;
}

/** All facts that the state of one partner depends on, each used by a rule of `state-rules.ts`. */
export interface PartnerFacts {
  readonly name: string;
  readonly status: NodeStatus;
  readonly role?: 'inviter' | 'invitee' | undefined;
  /** Our user approved its request, and it has yet to fetch the answer. */
  readonly approved?: boolean | undefined;
  /** Both are Footbridges, so that there will be words to compare. */
  readonly hasWords?: boolean | undefined;
  /** It is a Corteza server. */
  readonly isLive?: boolean | undefined;
  readonly pairingProblem?: Words | undefined;
  /** Our user stopped fetching from it, until then if a time is given. */
  readonly paused?: { readonly until?: string } | undefined;
  /** Our user stopped its reading; the same. */
  readonly closed?: { readonly until?: string } | undefined;
  /** Its reading is on hold until our user has checked the shares, as older data came back. */
  readonly unsure?: boolean | undefined;
  /** It calls from two computers with one data folder; `copiedHere`: we do, as it reports. */
  readonly copiedThere?: boolean | undefined;
  readonly copiedHere?: boolean | undefined;
  /** Nothing can be saved on this computer, for this reason. */
  readonly unwritable?: Unwritable['code'] | undefined;
  readonly running: boolean;
  readonly problem?: Problem | undefined;
  /** We have just begun to ask, or ask again after a pause: no answer is overdue yet. */
  readonly beginning: boolean;
  /** Only the partner calls, so that it is heard from when it asks. */
  readonly callsUs: boolean;
  /** Pairing has shown that the partner, a Footbridge, cannot call us. */
  readonly cannotCallUs?: boolean | undefined;
  /** The partner last answered anything then. */
  readonly heard?: LastContact | undefined;
  /** Milliseconds without any data for a running pull, if worth showing. */
  readonly stalledMs?: number | undefined;
  /** Its routes are tested meanwhile; `isReached`: the last test reached the partner. */
  readonly isSearching?: boolean | undefined;
  readonly isReached?: boolean | undefined;
  /** Since then (ISO 8601) the partner asks for rows but does not read what we answer. */
  readonly unreadSince?: string | undefined;
  /** It last asked us for anything then; this isn't fresh if it should have asked again since. */
  readonly asked?: LastContact | undefined;
  /** Everything that it announced was last known to be applied then. */
  readonly complete?: LastContact | undefined;
  /** The number of lists that we receive. */
  readonly matched: number;
  /** Those of them that were never pulled completely, or not since they changed. */
  readonly unpulled: number;
  /** One of the lists could not be pulled, for this reason, while the others were. */
  readonly listProblem?: Words | undefined;
  /** Lists with deletions that need approval; `heldRows` are their rows. */
  readonly reviews: number;
  readonly heldRows: number;
  /** Of these, rows that are gone or older there since the partner's data went back. */
  readonly wentBack?: number | undefined;
  /** Of these, rows that are just missing at the partner. */
  readonly missing?: number | undefined;
  readonly couldNotApply: number;
  /** Rows that our user kept although the partner deleted or emptied them, and hasn't accepted as different. */
  readonly keptRows: number;
  /** Rows that our user kept and accepted as different. */
  readonly settledRows?: number | undefined;
  /** The last comparison found a difference in so many rows. */
  readonly differing: number;
  /** So many of its rows differ by our user's intention. */
  readonly changedHere?: number | undefined;
  /** Names of mapped lists that it no longer shares, unless the user has dismissed that. */
  readonly withdrawn: readonly string[];
  /** Matches whose column was removed or changed. */
  readonly parked: number;
  readonly newOffers: number;
  /** It is a live server that was paired again and has offered nothing since, while lists of it are mapped. */
  readonly awaitsOffers?: boolean | undefined;
  /** Milliseconds until the connection ends, once that is soon. */
  readonly endsIn?: number | undefined;
  /** Its clock is `ahead` so many milliseconds, if worth showing; `ours` is the wrong one. */
  readonly clock?: { readonly ahead: number; readonly ours: boolean } | undefined;
  /** Is absent if nothing is shared. */
  readonly sharing?: SharingFacts | undefined;
  readonly now: number;
}
