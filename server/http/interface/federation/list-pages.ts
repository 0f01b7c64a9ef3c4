import type { Request } from 'express';
import type { PageWindow } from '../../../federation/sharing/feed.ts';
import { Refusal } from '../../../base/refusal.ts';
import { isPaged, windowParams } from './params.ts';

type Window = Exclude<PageWindow, 'all'>;

/** Returns the page members of an answer's `filter`. */
export function pageFilter(
  window: Window,
  nextPage: string | undefined,
): { page: number; perPage: number } | { limit: number; nextPage?: string } {
  if ('page' in window) return window;
  return { limit: window.limit, ...(nextPage === undefined ? {} : { nextPage }) };
}

/**
 * Returns the requested page of a list in memory. Throws `page.cursor` (400) for a cursor other than `n` and
 * an index.
 */
export function pageOfList<T>(all: readonly T[], window: Window): { part: readonly T[]; nextPage?: string } {
  if ('page' in window) {
    const start = (window.page - 1) * window.perPage;
    return { part: all.slice(start, start + window.perPage) };
  }
  const start = window.cursor === undefined ? 0 : Number(/^n(\d{1,9})$/.exec(window.cursor)?.[1] ?? NaN);
  if (Number.isNaN(start))
    throw new Refusal(
      'malformed',
      'page.cursor',
      'The page cursor is none that was given out. Start again without it.',
    );
  const end = start + window.limit;
  return { part: all.slice(start, end), ...(end < all.length ? { nextPage: `n${end}` } : {}) };
}

/**
 * Returns the whole list, or the page that the request asks for, with the page members of the answer's
 * `filter` (`cut`). Throws 400 for invalid page parameters.
 */
export function wholeOrPage<T>(req: Request, all: readonly T[]): { part: readonly T[]; cut: object } {
  if (!isPaged(req)) return { part: all, cut: {} };
  const window = windowParams(req);
  const { part, nextPage } = pageOfList(all, window);
  return { part, cut: pageFilter(window, nextPage) };
}
