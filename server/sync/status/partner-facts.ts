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

/**
 * All that the state of one partner depends on: a fact each, which a rule of `state-rules.ts` goes by and a row of
 * the table test stands for.
 */
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
  /** It reads nothing until our user has looked at what they share, as older data came back. */
  readonly unsure?: boolean | undefined;
  /** It calls from two computers with one data folder; and we do, as it says. */
  readonly copiedThere?: boolean | undefined;
  readonly copiedHere?: boolean | undefined;
  /** Why nothing can be saved on this computer, if so. */
  readonly unwritable?: Unwritable['code'] | undefined;
  readonly running: boolean;
  readonly problem?: Problem | undefined;
  /** We have only just begun to ask, or ask again after a pause: an answer is not overdue yet. */
  readonly beginning: boolean;
  /** Only the partner calls, so that it is heard from when it asks. */
  readonly callsUs: boolean;
  /** Pairing has shown that the partner, a Footbridge, cannot call us. */
  readonly cannotCallUs?: boolean | undefined;
  /** The last answer of the partner to anything. */
  readonly heard?: LastContact | undefined;
  /** Milliseconds for which nothing has come of what a pull under way asked for, where it is worth saying. */
  readonly stoodFor?: number | undefined;
  /** ISO 8601; since when the partner asks for rows but does not read what we answer. */
  readonly unreadSince?: string | undefined;
  /** When the partner last asked us for anything; old when it should have asked again since. */
  readonly asked?: LastContact | undefined;
  /** When it was last known that all the partner has told is taken in. */
  readonly complete?: LastContact | undefined;
  /** Lists that we receive. */
  readonly matched: number;
  /** Those of them that were not pulled to the end, ever or since they came back. */
  readonly unpulled: number;
  /** Why one of the lists could not be pulled while the others were. */
  readonly listProblem?: Words | undefined;
  /** Lists whose deletions wait for a yes, and how many rows that is. */
  readonly reviews: number;
  readonly heldRows: number;
  /** Of these, rows that are gone or older there since the partner's data went back to an earlier state. */
  readonly wentBack?: number | undefined;
  /** Of these, rows that the partner just does not have any more. */
  readonly missing?: number | undefined;
  readonly couldNotApply: number;
  /** Rows that our user kept against the partner's word, and may still take over. */
  readonly keptRows: number;
  /** Rows that our user kept and wants to stay so, so that they differ by intention. */
  readonly settledRows?: number | undefined;
  /** Rows in which the last comparison found a difference. */
  readonly differing: number;
  /** Rows of the partner that our user changed, removed, kept or restored, so that they differ by intention. */
  readonly changedHere?: number | undefined;
  /** Names of matched lists that the partner no longer shares, while the user has not taken note. */
  readonly withdrawn: readonly string[];
  /** Matches that wait since a column was removed or changed. */
  readonly parked: number;
  readonly newOffers: number;
  /** A live server that was paired again and has offered nothing since, while lists of it are matched. */
  readonly awaitsOffers?: boolean | undefined;
  /** Milliseconds until the connection ends by itself, where it is time to say so. */
  readonly endsIn?: number | undefined;
  /**
   * Milliseconds by which the partner's clock is ahead of ours, where that is worth saying; `ours` where all other
   * partners' differ by the same.
   */
  readonly clock?: { readonly ahead: number; readonly ours: boolean } | undefined;
  /** How far that has got which we share; absent where nothing is shared. */
  readonly sharing?: SharingFacts | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
