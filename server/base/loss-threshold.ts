/** Up to this many losses never need approval. */
export const ALWAYS_ALLOWED_ROWS = 20;
const SHARE = 0.3;

/** Returns whether so many of `total` rows need approval: more than 30 % and more than 20. */
export function exceedsLossThreshold(rows: number, total: number): boolean {
  return rows > ALWAYS_ALLOWED_ROWS && rows > total * SHARE;
}
