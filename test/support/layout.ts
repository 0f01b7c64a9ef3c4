import type { Page } from 'playwright-core';

/**
 * What can be read or pressed but lies beside the window, where nobody finds it: by its text. What scrolls in a
 * frame of its own, and what only screen readers are given, does not count.
 */
export function outOfSight(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean => {
      if (!element || element === document.documentElement) return false;
      const { overflowX } = getComputedStyle(element);
      const inFrame = overflowX === 'auto' || overflowX === 'scroll' || overflowX === 'hidden';
      return (inFrame && element !== document.body) || scrolls(element.parentElement);
    };
    const found: string[] = [];
    for (const element of document.querySelectorAll(
      'h1, h2, h3, p, a, button, input, label, td, th, li, dd',
    )) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || !element.checkVisibility() || element.closest('.visually-hidden')) continue;
      if (left >= -1 && right <= innerWidth + 1) continue;
      if (element.matches('.skip, .skip *') || scrolls(element)) continue;
      found.push(`beside the window: ${element.textContent.trim().slice(0, 60) || element.tagName}`);
    }
    return found;
  });
}
