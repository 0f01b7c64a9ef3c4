import type { SharingFacts } from '../../federation/offers/destinations.ts';
import type { NodeStatus } from '../../federation/model.ts';
import type { PartnerErrorKind } from '../../peer/guard/errors.ts';
import type { Words } from '../../words/said.ts';
import type { Unwritable } from '../../store/store.ts';
import type { LastContact } from '../../federation/partners/last-seen.ts';

export interface Problem {
  readonly kind: PartnerErrorKind | 'store' | 'internal';
  readonly message: Words;
  /** First failure in a row (ISO 8601). */
  readonly since: string;
  readonly tries: number;
}

/** Everything one partner's state depends on; used by `state-rules.ts`. */
export interface PartnerFacts {
  readonly name: string;
  readonly status: NodeStatus;
  readonly role?: 'inviter' | 'invitee' | undefined;
  /** Our user approved its request; the answer isn't fetched yet. */
  readonly approved?: boolean | undefined;
  /** Both are Footbridges, with words to compare. */
  readonly hasWords?: boolean | undefined;
  /** A Corteza server. */
  readonly isLive?: boolean | undefined;
  readonly pairingProblem?: Words | undefined;
  /** Our user stopped fetching, until then if given. */
  readonly paused?: { readonly until?: string } | undefined;
  /** Our user stopped its reading; the same. */
  readonly closed?: { readonly until?: string } | undefined;
  /** Older data came back: its reading is on hold until our user checked the shares. */
  readonly unsure?: boolean | undefined;
  /** Two computers call with one data folder; `copiedHere`: ours do, as it reports. */
  readonly copiedThere?: boolean | undefined;
  readonly copiedHere?: boolean | undefined;
  /** Why nothing can be saved here. */
  readonly unwritable?: Unwritable['code'] | undefined;
  readonly running: boolean;
  readonly problem?: Problem | undefined;
  /** We have just begun to ask, perhaps after a pause: no answer is overdue. */
  readonly beginning: boolean;
  /** Only the partner calls, and is heard from then. */
  readonly callsUs: boolean;
  /** Pairing showed that a Footbridge can't call us. */
  readonly cannotCallUs?: boolean | undefined;
  /** Its last answer. */
  readonly heard?: LastContact | undefined;
  /** Milliseconds without data in a running pull, if worth showing. */
  readonly stalledMs?: number | undefined;
  /** Its routes are being tested; `isReached`: the last test succeeded. */
  readonly isSearching?: boolean | undefined;
  readonly isReached?: boolean | undefined;
  /** Since then (ISO 8601) it asks for rows but doesn't read our answers. */
  readonly unreadSince?: string | undefined;
  /** Its last request; not fresh if one is overdue. */
  readonly asked?: LastContact | undefined;
  /** When all announced changes were last known to be applied. */
  readonly complete?: LastContact | undefined;
  /** Received lists. */
  readonly matched: number;
  /** Those of these never pulled completely, or not since they changed. */
  readonly unpulled: number;
  /** Why one list failed while others were pulled. */
  readonly listProblem?: Words | undefined;
  /** Lists with deletions to approve; `heldRows`: their rows. */
  readonly reviews: number;
  readonly heldRows: number;
  /** Those of these gone or older there since the partner's data went back. */
  readonly wentBack?: number | undefined;
  /** Those of these just missing at the partner. */
  readonly missing?: number | undefined;
  readonly couldNotApply: number;
  /** Rows our user kept although the partner deleted or emptied them, not accepted as different yet. */
  readonly keptRows: number;
  /** Kept and accepted as different. */
  readonly settledRows?: number | undefined;
  /** Rows that differed in the last comparison. */
  readonly differing: number;
  /** Rows that differ by our user's intention. */
  readonly changedHere?: number | undefined;
  /** Mapped lists no longer shared, unless dismissed. */
  readonly withdrawn: readonly string[];
  /** Matches whose column was removed or changed. */
  readonly parked: number;
  readonly newOffers: number;
  /** A live server, paired again, with mapped lists but no offer since. */
  readonly awaitsOffers?: boolean | undefined;
  /** Milliseconds until the connection ends, if soon. */
  readonly endsIn?: number | undefined;
  /** Its clock is `ahead` by milliseconds, if worth showing; `ours` is wrong. */
  readonly clock?: { readonly ahead: number; readonly ours: boolean } | undefined;
  /** Absent: nothing is shared. */
  readonly sharing?: SharingFacts | undefined;
  readonly now: number;
}
