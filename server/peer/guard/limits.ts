/** Limits on what a partner sends or delays (SECURITY.md: Limits). */
export interface PeerLimits {
  /** Decompressed bytes of a page of rows. */
  readonly answerBytes: number;
  /** Decompressed bytes of offers. */
  readonly structureBytes: number;
  /** Bytes of all else, and of a page around its rows. */
  readonly messageBytes: number;
  readonly jsonDepth: number;
  /** Arrays, objects and commas in one answer: bounds memory and time where bytes don't. */
  readonly jsonParts: number;
  /** Likewise of one row, and its bytes: only so much is parsed at once. */
  readonly rowParts: number;
  readonly rowBytes: number;
  /** Distinct member names in one answer: costlier than objects. */
  readonly jsonNames: number;
  /** Milliseconds from name lookup to last byte. */
  readonly requestTime: number;
  /** Milliseconds for a page, maybe large over a slow connection. */
  readonly pageTime: number;
  /** Milliseconds until an answer starts, and between its parts. */
  readonly beginningTime: number;
  readonly gapTime: number;
  readonly leastFlow: { readonly bytes: number; readonly within: number };
  readonly connectTime: number;
  readonly columns: number;
  /** A partner's lists, and all their columns together. */
  readonly offers: number;
  readonly offeredColumns: number;
  readonly rowsPerPage: number;
  readonly valuesPerRow: number;
  /** UTF-16 units of a value, and of all a row's. */
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
