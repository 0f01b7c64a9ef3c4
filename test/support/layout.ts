import type { Page } from 'playwright-core';

/**
 * What can be read or pressed but lies beside the window, where nobody finds it, or hangs out of its card: by its
 * text. What scrolls in a frame of its own, and what only screen readers are given, does not count.
 */
export function outOfSight(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** The page itself and its cards are no such frames: what leaves them is lost. */
    const scrolls = (element: Element | null): boolean => {
      if (!element || element === document.body) return false;
      const frame = ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX);
      return (frame && !element.matches('main, .card')) || scrolls(element.parentElement);
    };
    const name = (element: Element): string => element.textContent.trim().slice(0, 60) || element.tagName;
    const found: string[] = [];
    for (const element of document.querySelectorAll(
      'h1, h2, h3, p, a, button, input, label, td, th, li, dd',
    )) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || !element.checkVisibility() || element.closest('.visually-hidden')) continue;
      if (element.matches('.skip, .skip *') || scrolls(element.parentElement)) continue;
      if (left < -1 || right > innerWidth + 1) found.push(`beside the window: ${name(element)}`);
      const card = element.closest('.card')?.getBoundingClientRect();
      if (card && (left < card.left - 1 || right > card.right + 1))
        found.push(`hangs out of its card: ${name(element)}`);
    }
    return found;
  });
}
