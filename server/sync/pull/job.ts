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
  /** A Footbridge's: the last that rows with an origin passed through. */
  readonly installation?: string;
  /** A Corteza server. */
  readonly isLive?: boolean;
  /** The partner's other lists for ours: no single one contains all its rows. */
  readonly otherOffers?: OtherOffers;
}

export interface PullCounts extends ApplyCounts {
  readonly failed: number;
}

export interface PullOutcome {
  readonly counts: PullCounts;
  /** Hadn't failed before, which is news. */
  readonly newlyFailed: number;
  /** Including earlier pulls' failures. */
  readonly couldNotApply: number;
  /** Losses that need approval. */
  readonly brake: PendingReview | undefined;
  /** Kept by our user against the partner's unchanged version. */
  readonly kept: number;
  /** Further changes are announced. */
  readonly unsettled?: true;
  /** After the first full read, rows that our list had before ({@link countDuplicates}). */
  readonly doubles?: number;
}

export interface PullDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly clock: Clock;
  /** Measures daily quotas. */
  readonly time: ElapsedTimer;
  /** This data folder's id: rows that passed through here aren't taken again. */
  readonly installation: string;
  /** Called before each page. */
  readonly checkMemory: HeapLimit;
}

export interface PullOptions {
  /** Stops the pull after the present page. */
  readonly signal: AbortSignal;
  /** Ignores failed rows' pause. */
  readonly retryFailedNow?: boolean;
  /** Never read completely. */
  readonly isFirst?: boolean;
  /** Partner's ids of rows to refetch in any case; Footbridges only. */
  readonly refetchIDs?: ReadonlySet<string>;
  /** Our lists with rows of this partner. */
  readonly receivingListIDs?: readonly string[];
  /** Ignores the definition, which changed at every read. */
  readonly anyDefinition?: boolean;
  /** Receives a function for present counts at the start: interrupted pulls have no outcome. */
  readonly onBegun?: (counts: () => PullCounts) => void;
  readonly onPage?: (progress: { readonly rows: number; readonly total: number | undefined }) => void;
}
