/**
 * By column name, in order. All are text: Bool is `1` or ``, DateTime is RFC 3339 UTC, `YYYY-MM-DD` or
 * `HH:MM:SS`, Number keeps its digits, Geometry is JSON.
 */
export type Values = Readonly<Record<string, readonly string[]>>;

/** Where a row was first made; travels with the row through any number of offices (docs/rings.md). */
export interface RowOrigin {
  /** Made by the office of origin under a key of its own: only offices that received the row can name it. */
  readonly id: string;
  /** That office's own time of this version, which never goes back. Comparable only for the same row. */
  readonly at: string;
}

/** A row as received, with the partner's names and values, or ours after `createTransformation`. */
export interface IncomingRow {
  /** The row's id at the partner. */
  readonly recordID: string;
  /** The partner's own times in ISO 8601, unchanged. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  /** No empty texts, except for Bool; a column without a value has an empty list or is absent. */
  readonly values: Values;
  /** Installations that the row passed through (Footbridge only). */
  readonly via?: readonly string[];
  /** For a row that only the partner itself may name: the last of `via` is the partner. */
  readonly origin?: RowOrigin;
  /** The partner has the row from us and no longer brings it. */
  readonly fromUs?: true;
  /** Needs approval; only its id at the partner counts. */
  readonly idOnly?: true;
}

/**
 * Rows of a page, column by column: none is deleted, and each has an origin and at most one text a column. Every list
 * has an item for each row. As {@link IncomingRow} with the partner's columns, or with ours.
 */
export interface IncomingColumns {
  readonly recordIDs: readonly string[];
  readonly createdAt: readonly string[];
  readonly updatedAt: readonly string[];
  readonly vias: readonly (readonly string[])[];
  readonly originIDs: readonly string[];
  readonly originTimes: readonly string[];
  /** By column name; an empty text is no value. */
  readonly cells: ReadonlyMap<string, readonly string[]>;
}

/** Returns a page's rows one by one, from the page by columns. Empty texts are left out. */
export function rowsOf(columns: IncomingColumns): readonly IncomingRow[] {
  const { createdAt, updatedAt, vias, originIDs, originTimes, cells } = columns;
  return columns.recordIDs.map((recordID, at) => {
    const values: Record<string, readonly string[]> = {};
    for (const [name, texts] of cells) {
      const text = texts[at];
      if (text) values[name] = [text];
    }
    return {
      recordID,
      via: vias[at] ?? [],
      createdAt: createdAt[at] ?? '',
      updatedAt: updatedAt[at] ?? '',
      origin: { id: originIDs[at] ?? '', at: originTimes[at] ?? '' },
      values,
    };
  });
}
