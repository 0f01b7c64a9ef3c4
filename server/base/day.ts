/** Returns the start of this moment's local day, in milliseconds. */
export function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** Returns the local day (`YYYY-MM-DD`) of a moment as stored (`2026-01-31T23:30:00Z`); other texts unchanged. */
export function toLocalDay(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text;
  const moment = new Date(text);
  const [year, month, day] = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
