import type { SaveCounts } from '../rows/row-writes.ts';
import type { ImportResult } from './import.ts';
import { createRejections } from './reasons.ts';
import type { BadLine } from './records.ts';

/** Counts what becomes of the lines of a file. */
export interface Result {
  /** Lines dealt with. */
  readonly done: number;
  skip(line: BadLine): void;
  add(counts: SaveCounts): void;
  counts(): Omit<ImportResult, 'moduleID' | 'sums' | 'notes' | 'headers' | 'ignored'>;
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
