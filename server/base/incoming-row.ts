/**
 * A row's values by column name, as text: Bool is `1` or ``, DateTime is RFC 3339 UTC, `YYYY-MM-DD` or
 * `HH:MM:SS`, Number keeps its digits, Geometry is JSON.
 */
export type Values = Readonly<Record<string, readonly string[]>>;

/** Where a row was first made; kept through any number of offices (docs/rings.md). */
export interface RowOrigin {
  /** Made by the office of origin under its own key, so only offices with the row can name it. */
  readonly id: string;
  /** That office's time of this version, monotonic. Comparable only for one row. */
  readonly at: string;
}

/** A received row in the partner's names and values, or ours after `createTransformation`. */
export interface IncomingRow {
  readonly recordID: string;
  /** The partner's times in ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  /** Without a value: an empty list or absent; only Bool has empty texts. */
  readonly values: Values;
  /** The installations it passed through; only from Footbridges. */
  readonly via?: readonly string[];
  /** Without it only the partner can name the row. `via` ends with the partner. */
  readonly origin?: RowOrigin;
  /** The partner has it from us and no longer brings it. */
  readonly fromUs?: true;
  /** Needs approval; only its id at the partner counts. */
  readonly idOnly?: true;
}

/**
 * A page's rows by column: none deleted, each with an origin and at most one text a column. Lists have an
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
