/** When the day of this moment began, by this computer's own clock and zone; in milliseconds. */
export function dayStart(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}
