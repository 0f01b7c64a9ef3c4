import type { ElapsedTimer } from '../../base/elapsed-timer.ts';
import type { Clock } from '../../base/clock.ts';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { ApplyCounts, Module } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Store } from '../../store/store.ts';
import type { HeapLimit } from '../schedule/heap-limit.ts';
import type { OtherOffers } from './other-offers.ts';
import type { PendingReview } from '../deletion-guard/threshold.ts';

/** One matched list of one partner. */
export interface PullJob {
  readonly shared: SharedModule;
  readonly mapping: Mapping;
  readonly module: Module;
  /** The partner's, where it is a Footbridge: rows that name their origin have passed through it last. */
  readonly installation?: string;
  /** Other lists of the partner come into the same one of ours: no reading of either shows all rows that it has there. */
  readonly otherOffers?: OtherOffers;
}

export interface PullCounts extends ApplyCounts {
  /** Rows of this pull that could not be applied. */
  readonly failed: number;
}

export interface PullOutcome {
  readonly counts: PullCounts;
  /** Of those that could not be applied this time, the rows that did not wait already: each try is nothing new. */
  readonly failedAnew: number;
  /** Rows of this list that could not be applied, this time or before, and still wait. */
  readonly couldNotApply: number;
  /** Losses that wait for a yes. */
  readonly brake: PendingReview | undefined;
  /** Rows that our user kept against the partner's word, which has not changed since. */
  readonly kept: number;
  /** Its rows are about to change, as the partner says: this is not all. */
  readonly unsettled?: true;
  /** After the first reading of a list: how many of the rows were in ours before ({@link countDuplicates}). */
  readonly doubles?: number;
}

export interface PullDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly clock: Clock;
  /** For what is counted over a day. */
  readonly time: ElapsedTimer;
  /** Id of this data folder: rows that passed through here already are not taken in again. */
  readonly installation: string;
  /** Asked before each page. */
  readonly checkMemory: HeapLimit;
}

export interface PullOptions {
  /** Ends the pull after the page in hand. */
  readonly signal: AbortSignal;
  /** Tries rows that could not be applied again at once, and not only when they have rested. */
  readonly retry?: boolean;
  /** The list was never read to its end. */
  readonly isFirst?: boolean;
  /** Rows, by their id at the partner, to be fetched again whatever the checkpoint says; Footbridges only. */
  readonly again?: ReadonlySet<string>;
  /** Our lists that rows of this partner come into. */
  readonly from?: readonly string[];
  /** Rows are taken in whatever their columns are by now: the definition was read again and again. */
  readonly anyDefinition?: boolean;
  /** Told at the start how to ask what was written so far: a pull that is cut has no outcome. */
  readonly onBegun?: (counts: () => PullCounts) => void;
  readonly onPage?: (progress: { readonly rows: number; readonly total: number | undefined }) => void;
}
