import { said } from '../../words/said.ts';
import { Refusal } from '../../base/refusal.ts';
import { BEYOND_ASCII, fold } from '../values/text.ts';

/** Blocks the event loop 50 ms at worst. */
const MAX_IN_ROW = 32_000_000;
/** Some ten seconds for all rows. */
const MAX_TOTAL = 10_000_000_000;
/** Characters per value examined: a row may have very many short ones. */
const A_LOOK = 64;
/** Per converted character; ASCII folded once a row is free. */
export const FOLD_COST = 8;
/** Characters per function call: parsing a time takes two microseconds. */
export const CALL_COST = 2048;

/** In characters, so that computer and load don't decide about a refusal. */
export interface QueryWork {
  nextRow(): void;
  countWork(characters: number): void;
  foldCached(text: string, folding?: (text: string) => string): string;
}

/**
 * Creates a counter of a query's work, so that none blocks the office. Its functions throw `query.too-much` beyond
 * 32 million characters in a row, or 10,000 million in all.
 * @param bounds `unbounded` for the office's own queries, which must be answered
 */
export function createQueryWork(bounds: 'bounded' | 'unbounded' = 'bounded'): QueryWork {
  const folds = new Map<(text: string) => string, Map<string, string>>();
  let inRow = 0;
  let inAll = 0;
  const work: QueryWork = {
    /** Starts the next row's count, and drops cached texts. */
    nextRow() {
      if (folds.size > 0) folds.clear();
      inRow = 0;
    },
    /**
     * Counts the characters and 64 more per look. If `bounded`, throws `query.too-much` beyond 32 million in a row,
     * 10,000 million in all.
     */
    countWork(characters) {
      inRow += characters + A_LOOK;
      inAll += characters + A_LOOK;
      if (bounds === 'bounded' && (inRow > MAX_IN_ROW || inAll > MAX_TOTAL)) throw tooMuchRefusal();
    },
    /** Returns the folded text, cached until the next row; the first folding counts as work. */
    foldCached(text, folding = fold) {
      let texts = folds.get(folding);
      if (!texts) folds.set(folding, (texts = new Map<string, string>()));
      const known = texts.get(text);
      if (known !== undefined) return known;
      work.countWork(text.length * (BEYOND_ASCII.test(text) ? FOLD_COST : 1));
      const made = folding(text);
      texts.set(text, made);
      return made;
    },
  };
  return work;
}

function tooMuchRefusal(): Refusal {
  return new Refusal('impossible', 'query.too-much', said('search.too-much-work'));
}
