/**
 * A row's values by column name, in order. All are text: Bool is `1` or ``, DateTime is RFC 3339 UTC, `YYYY-MM-DD` or
 * `HH:MM:SS`, Number keeps its digits, Geometry is JSON.
 */
export type Values = Readonly<Record<string, readonly string[]>>;

/** Where a row was first made; travels with the row through any number of offices (docs/rings.md). */
export interface RowOrigin {
  /** Made by the office of origin under its own key: only offices that received the row can name it. */
  readonly id: string;
  /** That office's time of this version, which never goes back. Comparable only for the same row. */
  readonly at: string;
}

/** A row as received, with the partner's names and values, or ours after `createTransformation`. */
export interface IncomingRow {
  readonly recordID: string;
  /** The partner's own times in ISO 8601, unchanged. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  /** A column without a value has an empty list or is absent; empty texts occur only for Bool. */
  readonly values: Values;
  /** The installations that the row passed through; only Footbridge tells. */
  readonly via?: readonly string[];
  /** A row without it can only be named by the partner itself. The last of `via` is the partner. */
  readonly origin?: RowOrigin;
  /** The partner has the row from us and no longer brings it. */
  readonly fromUs?: true;
  /** The row needs approval; only its id at the partner counts. */
  readonly idOnly?: true;
}

/**
 * A page's rows, column by column: none deleted, each with an origin and at most one text a column. Every list has an
 * item per row.
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

/** Returns a page's rows one by one, without empty texts. */
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
