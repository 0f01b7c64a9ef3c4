import type { Locator } from 'playwright-core';

/** How a grid behaved while it was scrolled from top to bottom. Times in milliseconds between two frames. */
export interface Scrolled {
  readonly frames: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** Most rows in the document at any moment. */
  readonly mostRows: number;
}

/** Scrolls from the first row to the last in so many steps, one a frame, as a hand on the scroll bar would. */
export function scrollThrough(grid: Locator, steps: number): Promise<Scrolled> {
  return grid.evaluate(async (element, count) => {
    const times: number[] = [];
    let mostRows = 0;
    const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
    let before = await frame();
    for (let step = 1; step <= count; step++) {
      element.scrollTop = ((element.scrollHeight - element.clientHeight) * step) / count;
      const now = await frame();
      times.push(now - before);
      before = now;
      mostRows = Math.max(mostRows, element.querySelectorAll('[role=row]').length);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => Math.round((times[Math.floor((count - 1) * share)] ?? 0) * 10) / 10;
    return { frames: count, p50: at(0.5), p95: at(0.95), max: at(1), mostRows };
  }, steps);
}
