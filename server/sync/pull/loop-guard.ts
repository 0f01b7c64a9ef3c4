import { createHash } from 'node:crypto';
import { ProtocolViolationError } from '../../peer/guard/errors.ts';
import { countRows, type ChangesPiece } from '../../peer/remote.ts';

const EMPTY_PAGES = 3;
const MAX_ROWS = 5_000_000;

/**
 * Stops endless lists (H3): repeated cursors or rows, consecutive empty pages, more rows than any list has.
 * One per pull.
 */
export class LoopGuard {
  readonly #emptyPages: number;
  readonly #cursors = new Set<string>();
  readonly #contents = new Set<string>();
  #empty = 0;
  #rows = 0;
  #inPage = 0;
  #content = createHash('sha1');

  constructor(emptyPages = EMPTY_PAGES) {
    this.#emptyPages = emptyPages;
  }

  /**
   * Counts a page's rows and adds their ids and times to its digest. Throws ProtocolViolationError above five million
   * in one pull.
   */
  addRows(piece: ChangesPiece): void {
    const { records, columns, bad } = piece;
    this.#inPage += countRows(piece);
    this.#rows += countRows(piece);
    if (this.#rows > MAX_ROWS) throw new ProtocolViolationError('its list has no end.');
    let content = '';
    for (const { recordID, updatedAt } of records) content += `${recordID}@${updatedAt} `;
    for (const [at, recordID] of columns?.recordIDs.entries() ?? [])
      content += `${recordID}@${columns?.updatedAt[at]} `;
    for (const { recordID } of bad) content += `${recordID} `;
    this.#content.update(content);
  }

  /**
   * Ends the page and returns the next cursor, undefined at the end. Throws ProtocolViolationError for a repeated
   * cursor or page, or too many empty pages in a row; with `mayRepeat` a repeated page is the end.
   */
  endPage(next: string | undefined, mayRepeat = false): string | undefined {
    const size = this.#inPage;
    const digest = this.#content.digest('base64url');
    this.#inPage = 0;
    this.#content = createHash('sha1');
    if (next === undefined || (mayRepeat && this.#contents.has(digest))) return undefined;
    this.#empty = size === 0 ? this.#empty + 1 : 0;
    if (this.#empty >= this.#emptyPages)
      throw new ProtocolViolationError('it sends empty pages without end.');
    if (hasOrAdd(this.#cursors, digestCursor(next)))
      throw new ProtocolViolationError('its pages go round in a circle.');
    if (size > 0 && hasOrAdd(this.#contents, digest)) {
      throw new ProtocolViolationError('it sends the same page again and again.');
    }
    return next;
  }
}

/** Returns whether the set has the text; adds it if not. */
function hasOrAdd(set: Set<string>, text: string): boolean {
  if (set.has(text)) return true;
  set.add(text);
  return false;
}

/** Returns a short digest: cursors may be long, and many in a pull. */
function digestCursor(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
