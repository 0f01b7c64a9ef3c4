import type { Chart } from '../contract/app/pages.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the rows received on each of the last `days` local days, oldest first. Other days' don't count.
 * @param now in milliseconds
 */
export function createChart(
  pulls: readonly { readonly at: string; readonly rows: number }[],
  days: number,
  now: number,
): Chart {
  const start = new Date(now);
  start.setHours(12, 0, 0, 0);
  const chart = Array.from({ length: days }, (_, i) => ({
    day: localDayOf(start.getTime() - (days - 1 - i) * DAY_MS),
    rows: 0,
  }));
  const byDay = new Map(chart.map((each) => [each.day, each]));
  for (const { at, rows } of pulls) {
    const day = byDay.get(localDayOf(Date.parse(at)));
    if (day) day.rows += rows;
  }
  return chart;
}

/** Returns a time's local day as `2026-01-31`. */
function localDayOf(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
