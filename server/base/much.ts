/** So many rows of a list may always go without a yes. */
export const FEW = 20;
const SHARE = 0.3;

/** Whether so many of these rows are too many to go unasked: more than 30 % and more than 20. */
export function isMuch(rows: number, of: number): boolean {
  return rows > FEW && rows > of * SHARE;
}
