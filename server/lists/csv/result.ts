import type { Doubt } from '../../base/vocabulary.ts';
import type { Words } from '../../words/said.ts';
import type { SaveCounts } from '../rows/row-writes.ts';
import { createRejections, type Rejections } from './reasons.ts';
import type { BadLine } from './records.ts';
import type { SumLine } from './sum-lines.ts';

export interface LineCounts extends Rejections {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows in the undo step; absent in a trial. */
  readonly stepSize?: number;
}

export interface ImportResult extends LineCounts {
  readonly moduleID: string;
  readonly stepID?: string;
  readonly sums: readonly SumLine[];
  readonly notes: readonly Words[];
  readonly doubts: readonly Doubt[];
  readonly headers: readonly string[];
  readonly ignored: readonly string[];
  /** Filled cells that blanks would empty, by column name; trials only. */
  readonly emptied?: ReadonlyMap<string, number>;
}

export interface Result {
  readonly done: number;
  skip(line: BadLine): void;
  /** Adds a page's counts. */
  add(counts: SaveCounts): void;
  counts(): LineCounts;
}

/** Counts an import's written and rejected lines; `counts` has a `stepSize` only if one was added. */
export function createResult(): Result {
  const sums = { created: 0, updated: 0, unchanged: 0 };
  let step = 0;
  const rejections = createRejections();
  return {
    /** Number of written, unchanged and rejected lines so far. */
    get done() {
      return sums.created + sums.updated + sums.unchanged + rejections.count;
    },
    skip: (line) => rejections.add(line),
    /** Adds counts of a page, and the size of its undo step. */
    add({ created, updated, unchanged, stepSize = 0 }) {
      sums.created += created;
      sums.updated += updated;
      sums.unchanged += unchanged;
      step += stepSize;
    },
    counts: () => ({ ...sums, ...(step > 0 ? { stepSize: step } : {}), ...rejections.result() }),
  };
}
