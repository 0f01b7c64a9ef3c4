import type { Doubt } from '../../base/vocabulary.ts';
import type { Words } from '../../words/said.ts';
import type { SaveCounts } from '../rows/row-writes.ts';
import { createRejections, type Rejections } from './reasons.ts';
import type { BadLine } from './records.ts';
import type { SumLine } from './sum-lines.ts';

/** Counts of a file's lines by their effect. */
export interface LineCounts extends Rejections {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Only a trial returns it; see {@link SaveCounts}. */
  readonly stepSize?: number;
}

/** The result of an import. */
export interface ImportResult extends LineCounts {
  readonly moduleID: string;
  /** Its step of the undo log, if it wrote rows. */
  readonly stepID?: string;
  /** Lines that look like totals or footers, imported or not. */
  readonly sums: readonly SumLine[];
  /** Notes on numbers that were imported differently than written. */
  readonly notes: readonly Words[];
  /** Uncertain guesses about the file. */
  readonly doubts: readonly Doubt[];
  /** All columns of the file. */
  readonly headers: readonly string[];
  /** Headers without a target column. */
  readonly ignored: readonly string[];
}

/** Counts what happens to a file's lines. */
export interface Result {
  /** Processed lines. */
  readonly done: number;
  /** Counts a rejected line. */
  skip(line: BadLine): void;
  /** Counts written lines. */
  add(counts: SaveCounts): void;
  counts(): LineCounts;
}

/** Creates the counts of an import's written and rejected lines, all zero. */
export function createResult(): Result {
  const sums = { created: 0, updated: 0, unchanged: 0 };
  let step = 0;
  const rejections = createRejections();
  return {
    get done() {
      return sums.created + sums.updated + sums.unchanged + rejections.count;
    },
    skip: (line) => rejections.add(line),
    /** Adds the counts of written lines. */
    add({ created, updated, unchanged, stepSize = 0 }) {
      sums.created += created;
      sums.updated += updated;
      sums.unchanged += unchanged;
      step += stepSize;
    },
    counts: () => ({ ...sums, ...(step > 0 ? { stepSize: step } : {}), ...rejections.result() }),
  };
}
