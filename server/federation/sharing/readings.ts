/** A page of a list that has left whole for a partner. */
export interface LeftPage {
  /** The same on all pages of one reading, and on no page of another. */
  readonly reading: string;
  /** Where in the reading it stands; undefined: at its beginning. */
  readonly place: string | undefined;
  /** Where the page behind it stands; undefined: nothing is behind it. */
  readonly next: string | undefined;
  /** The change number that the list had come to. */
  readonly seq: number;
  /** Rows may move to another page when the list changes. */
  readonly shifts: boolean;
}

/** Follows which lists left whole, for partners that read them page by page and say nothing of what they have. */
export interface Readings {
  /** The change number as of which the list has left whole with this page; undefined: it has not. */
  left(page: LeftPage): number | undefined;
}

interface Reading {
  readonly reading: string;
  /** As of its first page: what changed behind that may have slipped past. */
  readonly seq: number;
  readonly here: string | undefined;
  readonly next: string | undefined;
}

/** For one list of one partner. */
export function createReadings(): Readings {
  let open: Reading | undefined;

  function follows({ reading, place, seq, shifts }: LeftPage): Reading | undefined {
    if (place === undefined) return { reading, seq, here: undefined, next: undefined };
    if (open?.reading !== reading || (shifts && open.seq !== seq)) return undefined;
    // A page may be asked for twice.
    return place === open.next || place === open.here ? open : undefined;
  }

  return {
    left(page) {
      const begun = follows(page);
      open = begun && { ...begun, here: page.place, next: page.next };
      return page.next === undefined ? open?.seq : undefined;
    },
  };
}
