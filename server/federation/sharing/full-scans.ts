/** A page of a list that was sent completely to a partner. */
export interface ServedPage {
  /** It identifies the scan that a page belongs to. */
  readonly scan: string;
  /** The page's cursor in the scan; undefined at its beginning. */
  readonly cursor: string | undefined;
  /** The next page's cursor; undefined for the last page. */
  readonly next: string | undefined;
  /** The list's latest sequence number at that time. */
  readonly seq: number;
  /** Rows may move to another page when the list changes. */
  readonly shifts: boolean;
}

export interface FullScans {
  /** Notes a served page. At the last page of a scan, returns as of which sequence number the whole list was served. */
  recordPage(page: ServedPage): number | undefined;
}

interface Scan {
  readonly scan: string;
  /** As of its first page, as later changes may be missed. */
  readonly seq: number;
  readonly here: string | undefined;
  readonly next: string | undefined;
}

/** Creates a detector that tells when a partner has read all pages of a list, in one scan from first to last. */
export function createFullScans(): FullScans {
  let open: Scan | undefined;

  /** Returns the scan that a page continues or repeats; undefined if none, or rows may have moved since. */
  function scanWith({ scan, cursor, seq, shifts }: ServedPage): Scan | undefined {
    if (cursor === undefined) return { scan, seq, here: undefined, next: undefined };
    if (open?.scan !== scan || (shifts && open.seq !== seq)) return undefined;
    return cursor === open.next || cursor === open.here ? open : undefined;
  }

  return {
    recordPage(page) {
      const begun = scanWith(page);
      open = begun && { ...begun, here: page.cursor, next: page.next };
      return page.next === undefined ? open?.seq : undefined;
    },
  };
}
