/** Bounds on everything that a partner can send or make us wait for (design §5, limits). */
export interface PeerLimits {
  /** Bytes of one answer, after decompression. */
  readonly answerBytes: number;
  /** Depth of arrays and objects inside each other. */
  readonly jsonDepth: number;
  /** Arrays, objects and commas in one answer: keeps memory and time in proportion where bytes alone do not. */
  readonly jsonParts: number;
  /** Members of one object but one. */
  readonly jsonMembers: number;
  /** Milliseconds for one whole exchange, from the look-up of the name to the last byte. */
  readonly requestTime: number;
  /** The same for a page of rows, which may be large and the line slow. */
  readonly pageTime: number;
  /** Milliseconds for a connection to come about. */
  readonly connectTime: number;
  readonly columns: number;
  /** Lists that one partner may offer. */
  readonly offers: number;
  readonly rowsPerPage: number;
  /** Values of one row, all columns together. */
  readonly valuesPerRow: number;
  /** UTF-16 units of one value, and of all values of a row together. */
  readonly valueLength: number;
  readonly rowLength: number;
  readonly nameLength: number;
}

export const PEER_LIMITS: PeerLimits = {
  answerBytes: 64 * 1024 * 1024,
  jsonDepth: 32,
  jsonParts: 6_000_000,
  jsonMembers: 1000,
  requestTime: 30_000,
  pageTime: 120_000,
  connectTime: 10_000,
  columns: 500,
  offers: 1000,
  rowsPerPage: 100_000,
  valuesPerRow: 10_000,
  valueLength: 1024 * 1024,
  rowLength: 4 * 1024 * 1024,
  nameLength: 200,
};
