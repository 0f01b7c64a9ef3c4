import type { Request } from 'express';
import { id, timestamp } from '../../../contract/common.ts';
import type { PageWindow } from '../../../federation/sharing/feed.ts';
import { Refusal } from '../../../base/refusal.ts';

/** Returns a query parameter, if any. Throws `query.repeated` (400) if it occurs twice. */
export function queryText(req: Request, name: string): string | undefined {
  const value: unknown = req.query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw malformed('query.repeated', `The parameter ${name} is given more than once.`);
}

/** Returns a query parameter; undefined if absent or empty, as in Corteza. Throws 400 if it occurs twice. */
export function filledText(req: Request, name: string): string | undefined {
  const text = queryText(req, name);
  return text === '' ? undefined : text;
}

/** Returns an id in the query, if any. Throws `query.id` (400) for another text. */
export function queryID(req: Request, name: string): string | undefined {
  const text = queryText(req, name);
  if (text === undefined) return undefined;
  const parsed = id.safeParse(text);
  if (parsed.success) return parsed.data;
  throw malformed('query.id', `The parameter ${name} must be an id.`);
}

/**
 * Returns whether a selector such as `?exposed` or `?exposed=1` is set. Throws `query.selector` (400) for other texts.
 */
export function isSelected(req: Request, name: string): boolean {
  const text = queryText(req, name);
  if (text === undefined || text === '0' || text === 'false') return false;
  if (text === '' || text === '1' || text === 'true') return true;
  throw malformed('query.selector', `The parameter ${name} is 1 or 0, or stands alone.`);
}

/** Corteza's list parameters without effect below `/federation`. */
const NEVER_EVALUATED = ['incTotal', 'incPageNavigation', 'labels', 'meta'];

/**
 * Throws `query.unsupported` (400) for Corteza's parameters that this call (`names`) or none evaluates, unless empty, 0
 * or false.
 */
export function refuseParams({ query }: Request, names: readonly string[]): void {
  const unsupported = [...NEVER_EVALUATED, ...names];
  const isAsked = ([name, value]: [string, unknown]): boolean =>
    unsupported.includes(name.replace(/\[.*/s, '')) && !['', '0', 'false'].includes(String(value));
  const unable = Object.entries(query).find(isAsked)?.[0];
  if (unable === undefined) return;
  const message = `\`${unable.slice(0, 80)}\` cannot be evaluated here. Leave it out, and select from the answer yourself.`;
  throw malformed('query.unsupported', message);
}

/**
 * Throws `query.unsupported` (400) if `deleted` asks for other rows than the answer's: `given` is 1 if it has deleted
 * rows, else 0.
 */
export function assertDeleted(req: Request, given: 0 | 1): void {
  const asked = filledText(req, 'deleted');
  if (asked === undefined || asked === String(given)) return;
  const message = `\`deleted=${asked.slice(0, 80)}\` cannot be evaluated here: this answer has deleted=${given}. Deleted rows come when a time is given.`;
  throw malformed('query.unsupported', message);
}

/** Returns `?shape=`, if any. Throws `query.shape` (400) for others than 1 and 2. */
export function shapeParam(req: Request): 1 | 2 | undefined {
  const text = queryText(req, 'shape');
  if (text === undefined) return undefined;
  if (text === '1') return 1;
  if (text === '2') return 2;
  throw malformed('query.shape', 'The parameter shape is 1 or 2.');
}

export interface Since {
  /** As requested. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Returns the parameter's time, if given, from Unix seconds or ISO 8601. Throws 400 for other texts, for the
 * parameter's other name, and for parameters that are never evaluated.
 */
export function sinceParam(req: Request, name: 'after' | 'lastSync'): Since | undefined {
  refuseParams(req, [name === 'after' ? 'lastSync' : 'after']);
  const text = queryText(req, name);
  if (text === undefined) return undefined;
  if (/^\d{1,11}$/.test(text)) return { text, at: Number(text) * 1000 };
  const at = timestamp.safeParse(text).success ? Date.parse(text) : NaN;
  if (Number.isNaN(at))
    throw malformed('query.time', `The parameter ${name} is Unix seconds or an ISO 8601 time.`);
  return { text, at };
}

const PER_PAGE = 20;
const MAX_LIMIT = 1000;

/**
 * Returns the requested part of a list: `page` (from 1) and `perPage`, or `limit` (both at most 1000) and `pageCursor`;
 * default: the first 20. Throws 400 if they are mixed or out of bounds.
 */
export function windowParams(req: Request): Exclude<PageWindow, 'all'> {
  const limit = wholeNumberParam(req, 'limit', MAX_LIMIT);
  const cursor = filledText(req, 'pageCursor');
  const page = wholeNumberParam(req, 'page', Number.MAX_SAFE_INTEGER);
  const perPage = wholeNumberParam(req, 'perPage', MAX_LIMIT);
  if (limit === undefined && cursor === undefined) return { page: page ?? 1, perPage: perPage ?? PER_PAGE };
  if (page !== undefined || perPage !== undefined)
    throw malformed('query.mixed-paging', 'Page either by page and perPage, or by limit and pageCursor.');
  return { limit: limit ?? PER_PAGE, ...(cursor === undefined ? {} : { cursor }) };
}

/** Returns whether any parameter for paging is set and not empty. */
export function isPaged(req: Request): boolean {
  return ['limit', 'pageCursor', 'page', 'perPage'].some((name) => filledText(req, name) !== undefined);
}

/** Returns undefined if absent or empty. Throws `query.page` (400) unless from 1 to `most`. */
function wholeNumberParam(req: Request, name: string, most: number): number | undefined {
  const text = filledText(req, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw malformed('query.page', `The parameter ${name} is a whole number from 1 to ${most}.`);
}

const malformed = (code: string, message: string): Refusal => new Refusal('malformed', code, message);

type Window = Exclude<PageWindow, 'all'>;

/** Returns the answer's `filter` members that describe the page. */
export function pageMembers(
  window: Window,
  nextPage: string | undefined,
): { page: number; perPage: number } | { limit: number; nextPage?: string } {
  if ('page' in window) return window;
  return { limit: window.limit, ...(nextPage === undefined ? {} : { nextPage }) };
}

/**
 * Returns the requested page; its cursor is `n` and an index. Throws `page.cursor` (400). A page beyond the end is
 * empty.
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
 * Returns the whole list or the requested page as `part`, and as `cut` the answer's `filter` members for it. Throws 400
 * for invalid page parameters.
 */
export function wholeOrPage<T>(req: Request, all: readonly T[]): { part: readonly T[]; cut: object } {
  if (!isPaged(req)) return { part: all, cut: {} };
  const window = windowParams(req);
  const { part, nextPage } = pageOfList(all, window);
  return { part, cut: pageMembers(window, nextPage) };
}
