import type { ElapsedTimer } from '../../base/elapsed-timer.ts';
import type { Clock } from '../../base/clock.ts';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { ApplyCounts, Module } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Store } from '../../store/store.ts';
import type { HeapLimit } from '../schedule/heap-limit.ts';
import type { OtherOffers } from './other-offers.ts';
import type { PendingReview } from '../deletion-guard/threshold.ts';

export interface PullJob {
  readonly shared: SharedModule;
  readonly mapping: Mapping;
  readonly module: Module;
  /** A Footbridge's installation: rows with an origin passed through it last. */
  readonly installation?: string;
  /** The partner is a Corteza server. */
  readonly isLive?: boolean;
  /** Further lists of the partner fill the same one: neither contains all of its rows there. */
  readonly otherOffers?: OtherOffers;
}

export interface PullCounts extends ApplyCounts {
  readonly failed: number;
}

export interface PullOutcome {
  readonly counts: PullCounts;
  /** Rows of these that hadn't failed before, which is news. */
  readonly newlyFailed: number;
  /** All of this list's failed rows, from earlier pulls too. */
  readonly couldNotApply: number;
  /** Losses that need approval. */
  readonly brake: PendingReview | undefined;
  /** Rows our user kept against the partner's unchanged version. */
  readonly kept: number;
  /** The partner announced further changes. */
  readonly unsettled?: true;
  /** After the first full read, rows that were in our list before ({@link countDuplicates}). */
  readonly doubles?: number;
}

export interface PullDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly clock: Clock;
  /** Measures a day's quotas. */
  readonly time: ElapsedTimer;
  /** This data folder's id: rows that passed through here aren't taken again. */
  readonly installation: string;
  /** Called before each page. */
  readonly checkMemory: HeapLimit;
}

export interface PullOptions {
  /** Stops the pull after the present page. */
  readonly signal: AbortSignal;
  /** Retries failed rows without their pause. */
  readonly retryFailedNow?: boolean;
  /** The list was never read completely. */
  readonly isFirst?: boolean;
  /** Ids, at the partner, of rows to refetch in any case; Footbridges only. */
  readonly refetchIDs?: ReadonlySet<string>;
  /** Lists of ours that receive rows of this partner. */
  readonly receivingListIDs?: readonly string[];
  /** Takes rows of any definition, since it changed with every read. */
  readonly anyDefinition?: boolean;
  /** Receives, at the start, a function for the present counts: an interrupted pull has no outcome. */
  readonly onBegun?: (counts: () => PullCounts) => void;
  readonly onPage?: (progress: { readonly rows: number; readonly total: number | undefined }) => void;
}
