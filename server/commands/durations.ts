const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `250ms`, `60s`, `5m`, `12h` or `90d` into milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Number(amount) * UNITS[unit as keyof typeof UNITS];
}
