/** A page sent completely. */
export interface ServedPage {
  /** Names the page's scan. */
  readonly scan: string;
  /** Undefined at the beginning. */
  readonly cursor: string | undefined;
  /** Undefined for the last page. */
  readonly next: string | undefined;
  /** The list's latest sequence number then. */
  readonly seq: number;
  /** Changes may move rows to another page. */
  readonly shifts: boolean;
}

export interface FullScans {
  /**
   * Records a page. At a scan's last one, returns the sequence number up to which the whole list was served.
   */
  recordPage(page: ServedPage): number | undefined;
}

interface Scan {
  readonly scan: string;
  /** As of its first page, as later changes may be missed. */
  readonly seq: number;
  readonly here: string | undefined;
  readonly next: string | undefined;
}

/**
 * Creates the detector of a partner having read all of a list, in one scan from first to last page. Only the latest
 * scan is followed.
 */
export function createFullScans(): FullScans {
  let open: Scan | undefined;

  /**
   * Returns the scan that a page begins, continues or repeats, as before it. Undefined for other pages (of another scan,
   * after a gap), or if rows may have moved since.
   */
  function scanWith({ scan, cursor, seq, shifts }: ServedPage): Scan | undefined {
    if (cursor === undefined) return { scan, seq, here: undefined, next: undefined };
    if (open?.scan !== scan || (shifts && open.seq !== seq)) return undefined;
    return cursor === open.next || cursor === open.here ? open : undefined;
  }

  return {
    /**
     * Records a page; one that doesn't fit ends the scan. At a scan's last one, returns as of which sequence number
     * the whole list was served; else undefined.
     */
    recordPage(page) {
      const begun = scanWith(page);
      open = begun && { ...begun, here: page.cursor, next: page.next };
      return page.next === undefined ? open?.seq : undefined;
    },
  };
}
