import type { Request } from 'express';
import type { PageWindow } from '../../../federation/sharing/feed.ts';
import { Refusal } from '../../../base/refusal.ts';
import { isPaged, windowParams } from './params.ts';

type Window = Exclude<PageWindow, 'all'>;

/** Returns the `filter` of a cut list. */
export function cutting(
  window: Window,
  nextPage: string | undefined,
): { page: number; perPage: number } | { limit: number; nextPage?: string } {
  if ('page' in window) return window;
  return { limit: window.limit, ...(nextPage === undefined ? {} : { nextPage }) };
}

/** Cuts a short list; its cursor is the index of the next entry. */
export function cutList<T>(all: readonly T[], window: Window): { part: readonly T[]; nextPage?: string } {
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
 * Returns a list whole unless a page is requested, with the members of its `filter`.
 * @throws Refusal `malformed`
 */
export function wholeOrPage<T>(req: Request, all: readonly T[]): { part: readonly T[]; cut: object } {
  if (!isPaged(req)) return { part: all, cut: {} };
  const window = windowParams(req);
  const { part, nextPage } = cutList(all, window);
  return { part, cut: cutting(window, nextPage) };
}
