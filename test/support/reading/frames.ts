import type { Locator, Page } from 'playwright-core';

/** How something behaved while it was scrolled from top to bottom. Times in milliseconds between two frames. */
export interface Scrolled {
  readonly frames: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** Most rows in the document at any moment. */
  readonly mostRows: number;
  /** Frames in which some place in view had no row at all, not even one that was still to come. */
  readonly blank: number;
}

/** How far each frame moves: by a share of the whole, as a hand on the scroll bar, or by pixels, as a wheel. */
export type Steps = { readonly count: number } | { readonly count: number; readonly pixels: number };

/** Scrolls down from the first row, one step a frame. */
export function scrollThrough(grid: Locator, steps: Steps): Promise<Scrolled> {
  return grid.evaluate(async (element, { count, pixels }: { count: number; pixels?: number }) => {
    const times: number[] = [];
    let mostRows = 0;
    let blank = 0;
    const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
    element.scrollTop = 0;
    await frame();
    // Sizes are read once: to read them at every step would cost what is to be measured.
    const whole = element.scrollHeight - element.clientHeight;
    const height = element.querySelector<HTMLElement>('[data-index]')?.offsetHeight;
    const inView = height === undefined ? 0 : Math.floor(element.clientHeight / height) - 1;
    const isBlank = (top: number): boolean => {
      const first = Math.ceil(top / (height ?? 1));
      return [first, first + inView - 1].some((row) => !element.querySelector(`[data-index="${row}"]`));
    };
    let before = await frame();
    for (let step = 1; step <= count; step++) {
      const top = pixels === undefined ? (whole * step) / count : pixels * step;
      element.scrollTop = top;
      const now = await frame();
      times.push(now - before);
      before = now;
      mostRows = Math.max(mostRows, element.querySelectorAll('[role=row]').length);
      if (height !== undefined && isBlank(top)) blank++;
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => Math.round((times[Math.floor((count - 1) * share)] ?? 0) * 10) / 10;
    return { frames: count, p50: at(0.5), p95: at(0.95), max: at(1), mostRows, blank };
  }, steps);
}

/** The same on a page with nothing in it but room to scroll: what this browser gives on this machine at best. */
export async function scrollNothing(page: Page, grid: Locator, steps: Steps): Promise<Scrolled> {
  const size = await grid.evaluate((element) => ({
    whole: element.scrollHeight,
    seen: element.clientHeight,
  }));
  const empty = await page.context().newPage();
  try {
    await empty.setContent(
      `<div style="overflow:auto;block-size:${size.seen}px"><div style="block-size:${size.whole}px"></div></div>`,
    );
    return await scrollThrough(empty.locator('div').first(), steps);
  } finally {
    await empty.close();
    await page.bringToFront();
  }
}
