/** Limits on all that a partner can send or delay (SECURITY.md: Limits). */
export interface PeerLimits {
  /** Bytes of a page of rows, decompressed. */
  readonly answerBytes: number;
  /** Bytes of offers, decompressed. */
  readonly structureBytes: number;
  /** Bytes of everything else, and of a page around its rows. */
  readonly messageBytes: number;
  readonly jsonDepth: number;
  /** Arrays, objects and commas in one answer: bounds memory and time where bytes alone don't. */
  readonly jsonParts: number;
  /** Arrays, objects and commas of one row, and its bytes: only so much is parsed at a time. */
  readonly rowParts: number;
  readonly rowBytes: number;
  /** Distinct member names in one answer: each costs more than its object. */
  readonly jsonNames: number;
  /** Milliseconds for a whole exchange, from name lookup to last byte. */
  readonly requestTime: number;
  /** Milliseconds for a page of rows, which may be large over a slow connection. */
  readonly pageTime: number;
  /** Milliseconds until an answer starts, and between its parts. */
  readonly beginningTime: number;
  readonly gapTime: number;
  readonly leastFlow: { readonly bytes: number; readonly within: number };
  readonly connectTime: number;
  readonly columns: number;
  /** Lists that one partner may offer, and all their columns together. */
  readonly offers: number;
  readonly offeredColumns: number;
  readonly rowsPerPage: number;
  readonly valuesPerRow: number;
  /** UTF-16 units of one value, and of all a row's values. */
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
