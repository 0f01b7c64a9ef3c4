/** Losses of up to this many rows never need approval. */
export const FEW = 20;
const SHARE = 0.3;

/** Returns whether this many of these rows need approval: more than 30 % and more than 20. */
export function isMuch(rows: number, of: number): boolean {
  return rows > FEW && rows > of * SHARE;
}
