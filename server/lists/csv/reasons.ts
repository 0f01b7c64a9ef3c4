import type { Part, Words } from '../../words/said.ts';
import { said } from '../../words/said.ts';
import type { BadLine } from './records.ts';

export interface RejectedFor {
  /** The first line's, possibly with its value. */
  readonly reason: Words;
  /** A line counts for each of its reasons. */
  readonly count: number;
  readonly lines: readonly number[];
}

export interface Rejections {
  /** The first 1,000. */
  readonly rejected: readonly BadLine[];
  readonly rejectedLines: number;
  readonly reasons: readonly RejectedFor[];
}

const MAX_REJECTED = 1000;

const SHOWN_LINES = 5;
const MAX_COLUMNS = 500;
/** Differ between lines with the same reason. */
const OF_THE_LINE: ReadonlySet<string> = new Set(['value', 'values', 'number', 'percent', 'scheme']);

/** Counts all rejected lines, keeps the first 1,000 and up to 500 different reasons. */
export function createRejections(): {
  readonly count: number;
  add(line: BadLine): void;
  result(): Rejections;
} {
  const rejected: BadLine[] = [];
  const found = new Map<string, { readonly reason: Words; count: number; readonly lines: number[] }>();
  let rejectedLines = 0;
  /**
   * Counts a reason, with the numbers of its first five lines. Ignores new ones beyond 500.
   * @param shape key that is equal for reasons that differ only in a line's values
   */
  const countReason = (shape: string, reason: Words, line: number): void => {
    const known = found.get(shape);
    if (known) {
      known.count++;
      if (known.lines.length < SHOWN_LINES) known.lines.push(line);
    } else if (found.size < MAX_COLUMNS) {
      found.set(shape, { reason, count: 1, lines: [line] });
    }
  };
  return {
    /** Number of rejected lines. */
    get count() {
      return rejectedLines;
    },
    /** Counts a line once for each of its different reasons, and includes the first 1000 lines in the result. */
    add(bad) {
      rejectedLines++;
      if (rejected.length < MAX_REJECTED) rejected.push(bad);
      const own = new Map(splitReasons(bad.reason).map((each) => [reasonKey(each), each]));
      for (const [shape, reason] of own) countReason(shape, reason, bad.line);
    },
    result: () => ({ rejected, rejectedLines, reasons: [...found.values()] }),
  };
}

const isSaid = (part: Part | undefined): part is Extract<Part, { readonly code: unknown }> =>
  typeof part === 'object' && 'code' in part;

/** Splits a line's joined reasons into sentences. */
function splitReasons(reason: Words): Words[] {
  if (!isSaid(reason) || reason.code !== 'sentence.ended') return [reason];
  const sentences: Words[] = [];
  let left = reason.with.text;
  while (isSaid(left) && left.code === 'sentence.joined') {
    sentences.unshift(ended(left.with.after));
    left = left.with.before;
  }
  return [ended(left), ...sentences];
}

const ended = (text: Part = ''): Words => said('sentence.ended', { text });

const reasonKey = (words: Words): string =>
  JSON.stringify(words, (name, part: unknown) => (OF_THE_LINE.has(name) ? undefined : part));
