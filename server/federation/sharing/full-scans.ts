/** A page of a list that has left whole for a partner. */
export interface ServedPage {
  /** The same on all pages of one reading, and on no page of another. */
  readonly scan: string;
  /** Where in the reading it stands; undefined: at its beginning. */
  readonly cursor: string | undefined;
  /** Where the page behind it stands; undefined: nothing is behind it. */
  readonly next: string | undefined;
  /** The change number that the list had come to. */
  readonly seq: number;
  /** Rows may move to another page when the list changes. */
  readonly shifts: boolean;
}

/** Follows which lists left whole, for partners that read them page by page and say nothing of what they have. */
export interface FullScans {
  /** The change number as of which the list has left whole with this page; undefined: it has not. */
  pageServed(page: ServedPage): number | undefined;
}

interface Scan {
  readonly scan: string;
  /** As of its first page: what changed behind that may have slipped past. */
  readonly seq: number;
  readonly here: string | undefined;
  readonly next: string | undefined;
}

/** For one list of one partner. */
export function createFullScans(): FullScans {
  let open: Scan | undefined;

  function follows({ scan, cursor, seq, shifts }: ServedPage): Scan | undefined {
    if (cursor === undefined) return { scan, seq, here: undefined, next: undefined };
    if (open?.scan !== scan || (shifts && open.seq !== seq)) return undefined;
    // A page may be asked for twice.
    return cursor === open.next || cursor === open.here ? open : undefined;
  }

  return {
    pageServed(page) {
      const begun = follows(page);
      open = begun && { ...begun, here: page.cursor, next: page.next };
      return page.next === undefined ? open?.seq : undefined;
    },
  };
}
