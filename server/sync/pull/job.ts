import type { ElapsedTimer } from '../../base/elapsed-timer.ts';
import type { Clock } from '../../base/clock.ts';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { ApplyCounts, Module } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Store } from '../../store/store.ts';
import type { HeapLimit } from '../schedule/heap-limit.ts';
import type { OtherOffers } from './other-offers.ts';
import type { PendingReview } from '../deletion-guard/threshold.ts';

/** One mapped list of one partner. */
export interface PullJob {
  readonly shared: SharedModule;
  readonly mapping: Mapping;
  readonly module: Module;
  /** The partner's own, if it is a Footbridge: rows with an origin passed through it last. */
  readonly installation?: string;
  /** The partner is a Corteza server. */
  readonly isLive?: boolean;
  /** Further lists of the partner that come into the same one: neither contains all of its rows there. */
  readonly otherOffers?: OtherOffers;
}

export interface PullCounts extends ApplyCounts {
  /** Rows of this pull that couldn't be applied. */
  readonly failed: number;
}

export interface PullOutcome {
  readonly counts: PullCounts;
  /** Of these, rows that weren't failed before: a repeated failure is no news. */
  readonly newlyFailed: number;
  /** All rows of this list that couldn't be applied and are still pending. */
  readonly couldNotApply: number;
  /** Losses that need approval. */
  readonly brake: PendingReview | undefined;
  /** Rows that our user kept against the partner's unchanged version. */
  readonly kept: number;
  /** The partner announced that its rows are about to change: this isn't all. */
  readonly unsettled?: true;
  /** After the first full read: how many of the rows were in our list before ({@link countDuplicates}). */
  readonly doubles?: number;
}

export interface PullDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly clock: Clock;
  /** For quotas over a day. */
  readonly time: ElapsedTimer;
  /** Id of this data folder: rows that passed through here aren't taken again. */
  readonly installation: string;
  /** Called before each page. */
  readonly checkMemory: HeapLimit;
}

export interface PullOptions {
  /** Stops the pull after the present page. */
  readonly signal: AbortSignal;
  /** Retries failed rows at once, without their pause. */
  readonly retry?: boolean;
  /** The list has never been read completely. */
  readonly isFirst?: boolean;
  /** Rows to fetch again, by their id at the partner, regardless of the checkpoint; Footbridges only. */
  readonly again?: ReadonlySet<string>;
  /** Our lists that receive rows of this partner. */
  readonly from?: readonly string[];
  /** Takes rows of any definition: it changed with every read. */
  readonly anyDefinition?: boolean;
  /** Receives, at the start, a function that returns the present counts: an interrupted pull has no outcome. */
  readonly onBegun?: (counts: () => PullCounts) => void;
  readonly onPage?: (progress: { readonly rows: number; readonly total: number | undefined }) => void;
}
