import { createHash } from 'node:crypto';
import { PartnerFaulty } from '../../peer/guard/errors.ts';
import type { RecordsPiece } from '../../peer/remote.ts';

/** Pages without a row that may follow each other in a listing by time. */
const EMPTY_PAGES = 3;
/** Rows that one pull of one list takes in. */
const MOST_ROWS = 5_000_000;

/** Watches the pages of one pull, as {@link createLoopGuard} says. */
export interface LoopGuard {
  /** Some rows of the page in hand. @throws PartnerFaulty */
  rows(piece: RecordsPiece): void;
  /**
   * The page in hand is over; `next` is where the partner says it goes on. Answers where it does go on: not behind a
   * page that came before, where that means the end. @throws PartnerFaulty
   */
  page(next: string | undefined, mayRepeat?: boolean): string | undefined;
}

/**
 * For a partner whose list never ends: a cursor that comes again, the same rows again under another cursor, empty
 * pages without end, or more rows than any list has (H3).
 * @param emptyPages how many pages without a row may follow each other
 */
export function createLoopGuard(emptyPages = EMPTY_PAGES): LoopGuard {
  const cursors = new Set<string>();
  const contents = new Set<string>();
  let empty = 0;
  let rows = 0;
  let inPage = 0;
  let content = createHash('sha1');
  return {
    rows({ records, bad }) {
      inPage += records.length + bad.length;
      rows += records.length + bad.length;
      if (rows > MOST_ROWS) throw new PartnerFaulty('its list has no end.');
      for (const { recordID, updatedAt } of records) content.update(`${recordID}@${updatedAt} `);
      for (const { recordID } of bad) content.update(`${recordID} `);
    },
    page(next, mayRepeat = false) {
      const size = inPage;
      const digest = content.digest('base64url');
      inPage = 0;
      content = createHash('sha1');
      if (next === undefined || (mayRepeat && contents.has(digest))) return undefined;
      empty = size === 0 ? empty + 1 : 0;
      if (empty >= emptyPages) throw new PartnerFaulty('it sends empty pages without end.');
      if (seenBefore(cursors, short(next))) throw new PartnerFaulty('its pages go round in a circle.');
      if (size > 0 && seenBefore(contents, digest)) {
        throw new PartnerFaulty('it sends the same page again and again.');
      }
      return next;
    },
  };
}

function seenBefore(set: Set<string>, text: string): boolean {
  if (set.has(text)) return true;
  set.add(text);
  return false;
}

/** Cursors may be long, and a pull may have many. */
function short(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
