/** Bounds on everything that a partner can send or make us wait for (SECURITY.md: Limits). */
export interface PeerLimits {
  /** Bytes of one page of rows, after decompression. */
  readonly answerBytes: number;
  /** The same for what a partner offers. */
  readonly structureBytes: number;
  /** The same for everything else, and for what stands around the rows of a page. */
  readonly messageBytes: number;
  /** Depth of arrays and objects inside each other. */
  readonly jsonDepth: number;
  /** Arrays, objects and commas in one answer: keeps memory and time in proportion where bytes alone do not. */
  readonly jsonParts: number;
  /** The same for one row, and its bytes: only so much of a page is parsed at a time. */
  readonly rowParts: number;
  readonly rowBytes: number;
  /** Different names of members in one answer: each costs more than the object that has it. */
  readonly jsonNames: number;
  /** Milliseconds for one whole exchange, from the look-up of the name to the last byte. */
  readonly requestTime: number;
  /** The same for a page of rows, which may be large and the line slow. */
  readonly pageTime: number;
  /** Milliseconds for an answer to begin, and for the next part of one that has begun. */
  readonly beginningTime: number;
  readonly gapTime: number;
  /** What an answer brings at the least until it is whole: no line that deserves the name is as slow. */
  readonly leastFlow: { readonly bytes: number; readonly within: number };
  /** Milliseconds for a connection to come about. */
  readonly connectTime: number;
  readonly columns: number;
  /** Lists that one partner may offer, and columns of all of them together. */
  readonly offers: number;
  readonly offeredColumns: number;
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
  structureBytes: 8 * 1024 * 1024,
  messageBytes: 1024 * 1024,
  jsonDepth: 32,
  jsonParts: 6_000_000,
  rowParts: 120_000,
  rowBytes: 32 * 1024 * 1024,
  jsonNames: 1000,
  requestTime: 30_000,
  pageTime: 120_000,
  beginningTime: 60_000,
  gapTime: 30_000,
  leastFlow: { bytes: 30 * 1024, within: 30_000 },
  connectTime: 10_000,
  columns: 500,
  offers: 1000,
  offeredColumns: 20_000,
  rowsPerPage: 100_000,
  valuesPerRow: 10_000,
  valueLength: 1024 * 1024,
  rowLength: 4 * 1024 * 1024,
  nameLength: 200,
};
