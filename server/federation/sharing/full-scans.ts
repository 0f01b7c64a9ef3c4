/** A page of a list that was sent completely to a partner. */
export interface ServedPage {
  /** Identifies the scan that a page belongs to. */
  readonly scan: string;
  /** The page's cursor in the scan; undefined: its beginning. */
  readonly cursor: string | undefined;
  /** The next page's cursor; undefined: this is the last one. */
  readonly next: string | undefined;
  /** The list's latest sequence number at that time. */
  readonly seq: number;
  /** Rows may move to another page when the list changes. */
  readonly shifts: boolean;
}

/** Detects complete scans of lists by partners that read page by page and don't report what they have. */
export interface FullScans {
  /**
   * Returns the sequence number as of which the list was sent completely with this page; undefined: not
   * complete.
   */
  pageServed(page: ServedPage): number | undefined;
}

interface Scan {
  readonly scan: string;
  /** As of its first page: later changes may have been missed. */
  readonly seq: number;
  readonly here: string | undefined;
  readonly next: string | undefined;
}

/** Creates a detector of complete scans of one list by one partner. */
export function createFullScans(): FullScans {
  let open: Scan | undefined;

  /**
   * Returns the scan that a page belongs to, with the first page's `seq` and still without this page's cursors;
   * undefined if the page doesn't follow on the previous one or repeat it, or if rows may have moved (`shifts`, and
   * `seq` isn't the first page's).
   */
  function scanWith({ scan, cursor, seq, shifts }: ServedPage): Scan | undefined {
    if (cursor === undefined) return { scan, seq, here: undefined, next: undefined };
    if (open?.scan !== scan || (shifts && open.seq !== seq)) return undefined;
    // A page may be requested twice.
    return cursor === open.next || cursor === open.here ? open : undefined;
  }

  return {
    /**
     * Notes a served page. Returns the sequence number as of which the whole list was served once this was the last
     * page of a scan; else undefined.
     */
    pageServed(page) {
      const begun = scanWith(page);
      open = begun && { ...begun, here: page.cursor, next: page.next };
      return page.next === undefined ? open?.seq : undefined;
    },
  };
}
