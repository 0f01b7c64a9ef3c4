/**
 * Values of a row by column name, several for a multi-value column, in order. Text throughout: Bool is
 * `1` or ``, DateTime is RFC 3339 UTC, `YYYY-MM-DD` or `HH:MM:SS`, Number keeps its digits, Geometry is JSON text.
 */
export type Values = Readonly<Record<string, readonly string[]>>;

/** Where a row was first made, as it is told on with the row through any number of offices (docs/rings.md). */
export interface RowOrigin {
  /** Made by the office of origin under a key of its own: who was not given the row cannot name it. */
  readonly id: string;
  /**
   * That office's own time of this version, which never goes back there. Held only against others of the same row, and
   * so of the same clock.
   */
  readonly at: string;
}

/**
 * A row as it came from a partner, the same whatever dialect that speaks: with values by the partner's column names and
 * as it sent them, or by ours and converted once it went through `createTransformation`.
 */
export interface IncomingRow {
  /** The row's id at the partner. */
  readonly recordID: string;
  /** The partner's own times in ISO 8601, as it gave them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  /** No empty texts, but for Bool; a column without a value has an empty list or none. */
  readonly values: Values;
  /** Installations the row passed through (Footbridge only). */
  readonly via?: readonly string[];
  /** Of a row that is to be applied only where the partner may name it: the last of `via` is the partner itself. */
  readonly origin?: RowOrigin;
  /** The partner has the row by us, and so does not bring it any more. */
  readonly fromUs?: true;
  /** It waits for the user's word; what counts is only that the partner has the row under this id. */
  readonly idOnly?: true;
}
