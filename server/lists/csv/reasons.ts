import type { Part, Words } from '../../words/said.ts';
import { said } from '../../words/said.ts';
import type { BadLine } from './records.ts';

/** Why lines of a file cannot go in: told once, be it that thousands of lines have the same. */
export interface RejectedFor {
  /** As it is of the first of the lines, whose value it may name. */
  readonly reason: Words;
  /** In how many lines it is so. A line of which several things are the matter counts in each. */
  readonly count: number;
  /** The numbers of the first of them. */
  readonly lines: readonly number[];
}

/** Lines of a file that cannot go in. */
export interface Rejections {
  /** The first 1,000, with the reason. */
  readonly rejected: readonly BadLine[];
  readonly rejectedLines: number;
  /** Why, each reason once, in the order in which they came up. */
  readonly reasons: readonly RejectedFor[];
}

/** So many rejected lines are told one by one; of the others only how many there were, and why. */
const MAX_REJECTED = 1000;

const SHOWN_LINES = 5;
/** A list has no more columns; of what else is the matter only the number of lines is told. */
const MAX_COLUMNS = 500;
/** What differs from line to line where the same is the matter. */
const OF_THE_LINE: ReadonlySet<string> = new Set(['value', 'values', 'number', 'percent', 'scheme']);

/** Gathers lines that are rejected, as they are. */
export function createRejections(): {
  readonly count: number;
  add(line: BadLine): void;
  told(): Rejections;
} {
  const rejected: BadLine[] = [];
  const found = new Map<string, { readonly reason: Words; count: number; readonly lines: number[] }>();
  let rejectedLines = 0;
  const see = (shape: string, reason: Words, line: number): void => {
    const known = found.get(shape);
    if (known) {
      known.count++;
      if (known.lines.length < SHOWN_LINES) known.lines.push(line);
    } else if (found.size < MAX_COLUMNS) {
      found.set(shape, { reason, count: 1, lines: [line] });
    }
  };
  return {
    get count() {
      return rejectedLines;
    },
    add(bad) {
      rejectedLines++;
      if (rejected.length < MAX_REJECTED) rejected.push(bad);
      // What comes twice in a line is still one line.
      const own = new Map(apart(bad.reason).map((each) => [shapeOf(each), each]));
      for (const [shape, reason] of own) see(shape, reason, bad.line);
    },
    told: () => ({ rejected, rejectedLines, reasons: [...found.values()] }),
  };
}

const isSaid = (part: Part | undefined): part is Extract<Part, { readonly code: unknown }> =>
  typeof part === 'object' && 'code' in part;

/** The things that are the matter with a line, each a sentence of its own. */
function apart(reason: Words): Words[] {
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

/** The same of all lines that have the same the matter. */
const shapeOf = (words: Words): string =>
  JSON.stringify(words, (name, part: unknown) => (OF_THE_LINE.has(name) ? undefined : part));
