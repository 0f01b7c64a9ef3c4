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
  /** The partner's installation, if it is a Footbridge: rows with an origin passed through it last. */
  readonly installation?: string;
  /** The partner is a Corteza server. */
  readonly isLive?: boolean;
  /** Further lists of the partner come into the same one: neither contains all of its rows there. */
  readonly otherOffers?: OtherOffers;
}

export interface PullCounts extends ApplyCounts {
  readonly failed: number;
}

export interface PullOutcome {
  readonly counts: PullCounts;
  /** Of these, rows that weren't failed before: a repeated failure is no news. */
  readonly newlyFailed: number;
  /** All rows of this list that couldn't be applied, from earlier pulls too. */
  readonly couldNotApply: number;
  /** These losses need approval. */
  readonly brake: PendingReview | undefined;
  /** Our user kept so many rows against the partner's unchanged version. */
  readonly kept: number;
  /** The partner announced further changes: this isn't all. */
  readonly unsettled?: true;
  /** After the first full read, so many of the rows were in our list before ({@link countDuplicates}). */
  readonly doubles?: number;
}

export interface PullDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly clock: Clock;
  /** Quotas over a day are measured by it. */
  readonly time: ElapsedTimer;
  /** This data folder's id: rows that passed through here aren't taken again. */
  readonly installation: string;
  /** It is called before each page. */
  readonly checkMemory: HeapLimit;
}

export interface PullOptions {
  /** It stops the pull after the present page. */
  readonly signal: AbortSignal;
  /** Failed rows are retried at once, without their pause. */
  readonly retryFailedNow?: boolean;
  /** The list has never been read completely. */
  readonly isFirst?: boolean;
  /** These rows, by their id at the partner, are fetched again whatever the checkpoint says; Footbridges only. */
  readonly refetchIDs?: ReadonlySet<string>;
  /** These lists of ours receive rows of this partner. */
  readonly receivingListIDs?: readonly string[];
  /** Takes rows of any definition, since it changed with every read. */
  readonly anyDefinition?: boolean;
  /** Receives, at the start, a function that returns the present counts: an interrupted pull has no outcome. */
  readonly onBegun?: (counts: () => PullCounts) => void;
  readonly onPage?: (progress: { readonly rows: number; readonly total: number | undefined }) => void;
}
