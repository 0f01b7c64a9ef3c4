/** A time during which a list was not shared, between two in which it was. */
export interface Gap {
  readonly from: string;
  readonly to: string;
}

/** More are not kept one by one. */
export const MOST_GAPS = 50;

/**
 * The gaps with one more behind them. Where there are too many, the two become one that have the least time between
 * them: of a row that came and went within these two and that time nothing is told any more, and never of more rows.
 */
export function withGap(gaps: readonly Gap[], gap: Gap): readonly Gap[] {
  const all = [...gaps, gap];
  if (all.length <= MOST_GAPS) return all;
  const between = all.slice(1).map(({ from }, at) => Date.parse(from) - Date.parse(all[at]?.to ?? from));
  const first = between.indexOf(Math.min(...between));
  const joined = { from: all[first]?.from ?? gap.from, to: all[first + 1]?.to ?? gap.to };
  return all.toSpliced(first, 2, joined);
}
