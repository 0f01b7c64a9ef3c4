/**
 * Returns a year in four digits; one of two digits is at most 20 years ahead of `thisYear`. Undefined for other
 * lengths.
 */
export function fullYear(typed: string, thisYear = new Date().getFullYear()): string | undefined {
  if (typed.length === 4) return typed;
  if (typed.length !== 2) return undefined;
  const century = thisYear - (thisYear % 100);
  const year = century + Number(typed);
  return String(year > thisYear + YEARS_AHEAD ? year - 100 : year);
}

/** Two-digit years end so far ahead, and begin 99 years before. */
export const YEARS_AHEAD = 20;
