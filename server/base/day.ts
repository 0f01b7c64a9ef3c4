/** Returns the start of this moment's local day, in milliseconds. */
export function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}
