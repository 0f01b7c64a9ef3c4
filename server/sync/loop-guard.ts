import { createHash } from 'node:crypto';
import { PartnerFaulty } from '../peer/errors.ts';
import type { BadRecord, RemoteRecord } from '../peer/remote.ts';

/** Pages without a row that may follow each other in a listing by time. */
const EMPTY_PAGES = 3;
/** Rows that one pull of one list takes in. */
export const MOST_ROWS = 5_000_000;

interface Page {
  readonly records: readonly RemoteRecord[];
  readonly bad: readonly BadRecord[];
  /** Where the partner says it goes on. */
  readonly next?: string | undefined;
}

/**
 * Watches the pages of one pull for a partner whose list never ends: a cursor that comes again, the same rows
 * again under another cursor, empty pages without end, or more rows than any list has (H3).
 * @param emptyPages how many pages without a row may follow each other
 * @returns a function that throws PartnerFaulty at such a page
 */
export function createLoopGuard(emptyPages = EMPTY_PAGES): (page: Page) => void {
  const cursors = new Set<string>();
  const contents = new Set<string>();
  let empty = 0;
  let rows = 0;
  return ({ records, bad, next }) => {
    const size = records.length + bad.length;
    rows += size;
    if (rows > MOST_ROWS) throw new PartnerFaulty('its list has no end.');
    if (next === undefined) return;
    empty = size === 0 ? empty + 1 : 0;
    if (empty >= emptyPages) throw new PartnerFaulty('it sends empty pages without end.');
    if (seenBefore(cursors, short(next))) throw new PartnerFaulty('its pages go round in a circle.');
    if (size > 0 && seenBefore(contents, contentOf(records, bad))) {
      throw new PartnerFaulty('it sends the same page again and again.');
    }
  };
}

function seenBefore(set: Set<string>, text: string): boolean {
  if (set.has(text)) return true;
  set.add(text);
  return false;
}

function contentOf(records: readonly RemoteRecord[], bad: readonly BadRecord[]): string {
  const ids = records.map(({ recordID, updatedAt }) => `${recordID}@${updatedAt}`);
  return short([...ids, ...bad.map(({ recordID }) => recordID)].join(' '));
}

/** Cursors may be long, and a pull may have many. */
function short(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
