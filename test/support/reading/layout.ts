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

/**
 * Texts that are cut off or leave the place that they were given, where nobody meant them to: names that may be of any
 * length are cut by a class of their own (`clip`), and the grid cuts its cells.
 */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const name = (element: Element): string => element.textContent.trim().slice(0, 60) || element.tagName;
    const isAside = (element: Element): boolean =>
      !element.checkVisibility() ||
      element.closest('.visually-hidden, .skip') !== null ||
      getComputedStyle(element).position === 'absolute' ||
      element.getBoundingClientRect().width <= 1;
    const leaves = (inner: DOMRect, outer: DOMRect): boolean =>
      inner.width > 0 && (inner.left < outer.left - 3 || inner.right > outer.right + 3);

    const found = new Set<string>();
    for (const element of document.querySelectorAll(
      'p, span, strong, a, button, li, label, legend, h1, h2, h3, dd, dt, td, th, select',
    )) {
      const { display, overflowX } = getComputedStyle(element);
      if (display === 'inline' || isAside(element) || element.closest('[class*="clip"], .grid')) continue;
      if (overflowX !== 'visible') {
        if (element.scrollWidth > element.clientWidth + 2) found.add(`cut off: ${name(element)}`);
        continue;
      }
      const place = element.getBoundingClientRect();
      for (const child of element.childNodes) {
        const range = document.createRange();
        range.selectNodeContents(child);
        const box = child instanceof Element ? child.getBoundingClientRect() : range.getBoundingClientRect();
        const counts = child instanceof Element ? !isAside(child) : child.textContent?.trim() !== '';
        if (counts && leaves(box, place))
          found.add(`leaves its place: ${child.textContent?.trim().slice(0, 60) ?? ''}`);
      }
    }
    return [...found];
  });
}

/** Returns true if a short heading begins where a line begins that is read from right to left. */
export const headingIsAtStart = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const heading = document.querySelector('h1');
    if (!heading) return false;
    const text = document.createRange();
    text.selectNodeContents(heading);
    const [line, box] = [text.getBoundingClientRect(), heading.getBoundingClientRect()];
    return line.left + line.right >= box.left + box.right - 2;
  });
