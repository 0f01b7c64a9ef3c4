import type { Doubt } from '../../base/vocabulary.ts';
import type { Words } from '../../words/said.ts';
import type { SaveCounts } from '../rows/row-writes.ts';
import { createRejections, type Rejections } from './reasons.ts';
import type { BadLine } from './records.ts';
import type { SumLine } from './sum-lines.ts';

/** What became of the lines of a file. */
export interface LineCounts extends Rejections {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** What became of a file. */
export interface ImportResult extends LineCounts {
  readonly moduleID: string;
  /** Lines of the file that seem to be totals or footers, whether they went in or were left out. */
  readonly sums: readonly SumLine[];
  /** Which of its numbers go in otherwise than they stand there. */
  readonly notes: readonly Words[];
  /** Guesses about the file that may be wrong. */
  readonly doubts: readonly Doubt[];
  /** Of all columns of the file. */
  readonly headers: readonly string[];
  /** Headers that no column of the list takes. */
  readonly ignored: readonly string[];
}

/** Counts what becomes of the lines of a file. */
export interface Result {
  /** Lines dealt with. */
  readonly done: number;
  skip(line: BadLine): void;
  add(counts: SaveCounts): void;
  counts(): LineCounts;
}

export function createResult(): Result {
  const sums = { created: 0, updated: 0, unchanged: 0 };
  const rejections = createRejections();
  return {
    get done() {
      return sums.created + sums.updated + sums.unchanged + rejections.count;
    },
    skip: (line) => rejections.add(line),
    add({ created, updated, unchanged }) {
      sums.created += created;
      sums.updated += updated;
      sums.unchanged += unchanged;
    },
    counts: () => ({ ...sums, ...rejections.told() }),
  };
}
