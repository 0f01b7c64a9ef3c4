import type { Page } from 'playwright-core';

/** What moved on a page without the user doing anything, since it was loaded. */
export interface Shifts {
  /**
   * Cumulative layout shift, as Web Vitals take it: share of the window that moved, times how far; 0 is still. Of a long
   * time the worst moments count, as a slow machine shows more of what is passing.
   */
  readonly total: number;
  /** The largest of them with what moved, for whoever looks into it. */
  readonly worst: readonly string[];
}

/** More than this can be seen as a jump; what Web Vitals call good is five times as much. */
export const STILL = 0.02;

interface ShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

interface Seen {
  readonly at: number;
  readonly value: number;
  readonly what: string;
}

/** Runs in the page; entries from before are told as well. */
function note(): void {
  const seen: Seen[] = [];
  Object.assign(window, { seenShifts: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as ShiftEntry[]) {
      if (entry.hadRecentInput) continue;
      const what = entry.sources.map(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        const name = element ? `${element.tagName.toLowerCase()}.${element.className}` : 'gone';
        return `${name} “${(element?.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
      });
      seen.push({ at: entry.startTime, value: entry.value, what: what.join(', ') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Notes every jump of the page as it is, and as it will be when it is loaded again. */
export async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(note);
  await page.addInitScript(note);
}

/** The largest sum of jumps that come together: each less than a second after the last, all within five. */
function together(seen: readonly Seen[]): number {
  let [most, sum, first, last] = [0, 0, -Infinity, -Infinity];
  for (const { at, value } of [...seen].sort((a, b) => a.at - b.at)) {
    if (at - last < 1_000 && at - first < 5_000) sum += value;
    else [sum, first] = [value, at];
    last = at;
    most = Math.max(most, sum);
  }
  return most;
}

/** The jumps of the page as it stands. */
export async function shiftsOf(page: Page): Promise<Shifts> {
  const seen = await page.evaluate(() => (window as unknown as { seenShifts: Seen[] }).seenShifts);
  const worst = [...seen].sort((a, b) => b.value - a.value).slice(0, 3);
  return { total: together(seen), worst: worst.map(({ value, what }) => `${value.toFixed(3)}: ${what}`) };
}
