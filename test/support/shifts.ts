import type { Page } from 'playwright-core';

/** What moved on a page without the user doing anything, since it was loaded. */
export interface Shifts {
  /** Cumulative layout shift: share of the window that moved, times how far; 0 is still. */
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

/** Runs in the page; entries from before are told as well. */
function note(): void {
  const seen: { value: number; what: string }[] = [];
  Object.assign(window, { seenShifts: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as ShiftEntry[]) {
      if (entry.hadRecentInput) continue;
      const what = entry.sources.map(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        const name = element ? `${element.tagName.toLowerCase()}.${element.className}` : 'gone';
        return `${name} “${(element?.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
      });
      seen.push({ value: entry.value, what: what.join(', ') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Notes every jump of the page as it is, and as it will be when it is loaded again. */
export async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(note);
  await page.addInitScript(note);
}

/** The jumps of the page as it stands. */
export async function shiftsOf(page: Page): Promise<Shifts> {
  const seen = await page.evaluate(
    () => (window as unknown as { seenShifts: { value: number; what: string }[] }).seenShifts,
  );
  const total = seen.reduce((sum, { value }) => sum + value, 0);
  const worst = [...seen].sort((a, b) => b.value - a.value).slice(0, 3);
  return { total, worst: worst.map(({ value, what }) => `${value.toFixed(3)}: ${what}`) };
}
