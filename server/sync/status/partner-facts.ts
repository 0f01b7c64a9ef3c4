import type { SharingFacts } from '../../federation/offers/destinations.ts';
import type { NodeStatus } from '../../federation/model.ts';
import type { PartnerErrorKind } from '../../peer/guard/errors.ts';
import type { Words } from '../../words/said.ts';
import type { Unwritable } from '../../store/store.ts';
import type { LastContact } from '../../federation/partners/last-seen.ts';

export interface Problem {
  readonly kind: PartnerErrorKind | 'store' | 'internal';
  readonly message: Words;
  /** The first failure in the row (ISO 8601). */
  readonly since: string;
  readonly tries: number;
}

/** All facts that one partner's state depends on, each used by a rule of `state-rules.ts`. */
export interface PartnerFacts {
  readonly name: string;
  readonly status: NodeStatus;
  readonly role?: 'inviter' | 'invitee' | undefined;
  /** Our user approved its request; it has yet to fetch the answer. */
  readonly approved?: boolean | undefined;
  /** Both are Footbridges: there will be words to compare. */
  readonly hasWords?: boolean | undefined;
  /** A Corteza server. */
  readonly isLive?: boolean | undefined;
  readonly pairingProblem?: Words | undefined;
  /** Our user stopped fetching from it, until then if given. */
  readonly paused?: { readonly until?: string } | undefined;
  /** Our user stopped its reading; the same. */
  readonly closed?: { readonly until?: string } | undefined;
  /** Its reading is on hold until our user has checked the shares, as older data came back. */
  readonly unsure?: boolean | undefined;
  /** It calls from two computers with one data folder; `copiedHere`: we do, as it reports. */
  readonly copiedThere?: boolean | undefined;
  readonly copiedHere?: boolean | undefined;
  /** Why nothing can be saved on this computer. */
  readonly unwritable?: Unwritable['code'] | undefined;
  readonly running: boolean;
  readonly problem?: Problem | undefined;
  /** We have just begun to ask, or ask again after a pause: no answer is overdue. */
  readonly beginning: boolean;
  /** Only the partner calls: it is heard from when it asks. */
  readonly callsUs: boolean;
  /** Pairing showed that the partner, a Footbridge, can't call us. */
  readonly cannotCallUs?: boolean | undefined;
  /** The partner's last answer. */
  readonly heard?: LastContact | undefined;
  /** Milliseconds without data for a running pull, if worth showing. */
  readonly stalledMs?: number | undefined;
  /** Its routes are being tested; `isReached`: the last test reached the partner. */
  readonly isSearching?: boolean | undefined;
  readonly isReached?: boolean | undefined;
  /** Since then (ISO 8601) the partner asks for rows but doesn't read our answers. */
  readonly unreadSince?: string | undefined;
  /** When it last asked us for anything; not fresh if it should have asked again since. */
  readonly asked?: LastContact | undefined;
  /** When all that it announced was last known to be applied. */
  readonly complete?: LastContact | undefined;
  /** Lists that we receive. */
  readonly matched: number;
  /** Those of these never pulled completely, or not since they changed. */
  readonly unpulled: number;
  /** Why one of the lists couldn't be pulled while the others were. */
  readonly listProblem?: Words | undefined;
  /** Lists with deletions that need approval; `heldRows` are their rows. */
  readonly reviews: number;
  readonly heldRows: number;
  /** Those of these gone or older there since the partner's data went back. */
  readonly wentBack?: number | undefined;
  /** Those of these just missing at the partner. */
  readonly missing?: number | undefined;
  readonly couldNotApply: number;
  /** Rows our user kept although the partner deleted or emptied them, not yet accepted as different. */
  readonly keptRows: number;
  /** Rows our user kept and accepted as different. */
  readonly settledRows?: number | undefined;
  /** Rows in which the last comparison found a difference. */
  readonly differing: number;
  /** Rows that differ by our user's intention. */
  readonly changedHere?: number | undefined;
  /** Names of mapped lists that it no longer shares, unless dismissed. */
  readonly withdrawn: readonly string[];
  /** Matches whose column was removed or changed. */
  readonly parked: number;
  readonly newOffers: number;
  /** A live server, paired again, that has offered nothing since, while lists of it are mapped. */
  readonly awaitsOffers?: boolean | undefined;
  /** Milliseconds until the connection ends, once that is soon. */
  readonly endsIn?: number | undefined;
  /** Its clock is `ahead` so many milliseconds, if worth showing; `ours` is the wrong one. */
  readonly clock?: { readonly ahead: number; readonly ours: boolean } | undefined;
  /** Absent if nothing is shared. */
  readonly sharing?: SharingFacts | undefined;
  readonly now: number;
}
