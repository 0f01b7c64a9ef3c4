import { said } from '../../words/said.ts';
import { Refusal } from '../../base/refusal.ts';
import { fold } from '../values/text.ts';

/** Characters that one query may look at in one row, which is what holds everybody else up: some 50 ms at worst. */
const MAX_IN_ROW = 32_000_000;
/** And in all rows: some ten seconds, in which others have their turns. */
const MAX_TOTAL = 10_000_000_000;
/** What looking at a value costs however short it is, in characters: a row may have very many of a single letter. */
const A_LOOK = 64;

/**
 * Counts what one request for rows has the node do, by characters looked at and not by time: the same query is
 * answered or refused on any computer, however busy.
 */
export interface QueryWork {
  /** A row begins: nothing of the one before is kept. */
  nextRow(): void;
  /** @throws Refusal `impossible` when it is too much for one row or one request */
  spend(characters: number): void;
  /** Returns the folded text. Each way of folding runs once for each row, however many comparisons look at it. */
  folded(text: string, folding?: (text: string) => string): string;
}

/** @param bounds none for what our own user wrote, and what must have an answer */
export function createQueryWork(bounds: 'bounded' | 'unbounded' = 'bounded'): QueryWork {
  const folds = new Map<(text: string) => string, Map<string, string>>();
  let inRow = 0;
  let inAll = 0;
  const work: QueryWork = {
    nextRow() {
      if (folds.size > 0) folds.clear();
      inRow = 0;
    },
    spend(characters) {
      inRow += characters + A_LOOK;
      inAll += characters + A_LOOK;
      if (bounds === 'bounded' && (inRow > MAX_IN_ROW || inAll > MAX_TOTAL)) throw tooMuch();
    },
    folded(text, folding = fold) {
      let texts = folds.get(folding);
      if (!texts) folds.set(folding, (texts = new Map<string, string>()));
      const known = texts.get(text);
      if (known !== undefined) return known;
      work.spend(text.length);
      const made = folding(text);
      texts.set(text, made);
      return made;
    },
  };
  return work;
}

function tooMuch(): Refusal {
  return new Refusal('impossible', 'query.too-much', said('search.too-much-work'));
}
