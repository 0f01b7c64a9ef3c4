/** Bounds on everything that a partner can send or make us wait for (design §5, limits). */
export interface PeerLimits {
  /** Bytes of one answer, after decompression. */
  readonly answerBytes: number;
  /** Depth of arrays and objects inside each other. */
  readonly jsonDepth: number;
  /** Arrays and objects in one answer: keeps memory in proportion where bytes alone do not. */
  readonly jsonContainers: number;
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
  /** UTF-16 units of one value. */
  readonly valueLength: number;
  readonly nameLength: number;
}

export const PEER_LIMITS: PeerLimits = {
  answerBytes: 64 * 1024 * 1024,
  jsonDepth: 32,
  jsonContainers: 4_000_000,
  requestTime: 30_000,
  pageTime: 120_000,
  connectTime: 10_000,
  columns: 500,
  offers: 1000,
  rowsPerPage: 100_000,
  valuesPerRow: 10_000,
  valueLength: 1024 * 1024,
  nameLength: 200,
};
