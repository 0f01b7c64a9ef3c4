import { omitUndefined } from '../../../base/omit-undefined.ts';
import type { Request, RequestHandler } from 'express';
import { roleCovers } from '../../../federation/partners/identity.ts';
import type { Lists } from '../../../lists/lists.ts';
import type { Module } from '../../../lists/definitions/model.ts';
import { readCursor, writeCursor, type Cursor } from '../../../lists/rows/row-cursor.ts';
import { compareKeys } from '../../../base/sorted-list.ts';
import type { SortKey } from '../../../lists/query/sort.ts';
import { Refusal } from '../../../base/refusal.ts';
import { caller, requireValidCaller } from '../../auth/caller.ts';
import { requireJSON } from '../../listeners/errors.ts';
import { receiveJSON } from '../../listeners/json-body.ts';
import { pathID } from '../../listeners/path-id.ts';
import { said } from '../../../words/said.ts';
import { fold } from '../../../lists/values/text.ts';

export interface ComposeDeps {
  readonly lists: Lists;
  readonly guard: {
    /** Callers who may read. */
    readonly read: RequestHandler;
    /** Callers who may change lists and rows. */
    readonly write: RequestHandler;
  };
}

const json = receiveJSON({ limit: 1024 * 1024, type: ['application/json', 'application/*+json'] });

/** Parses JSON up to 1 MiB. */
export const jsonBody: readonly RequestHandler[] = [requireJSON, json, requireValidCaller];

/** Returns whether the caller may change lists and rows. Throws 401 for anonymous callers. */
export function mayWrite(req: Request): boolean {
  const who = caller(req);
  return who.kind === 'user' && roleCovers(who.role, 'editor');
}

/** Returns the path's list. Throws `list.unknown` (404) if it is missing, or in another workspace. */
export async function pathModule(lists: Lists, req: Request): Promise<Module> {
  const module = await lists.module(pathID(req, 'm'));
  if (module.namespaceID === pathID(req, 'ns')) return module;
  throw new Refusal('not-found', 'list.unknown', said('list.other-workspace'));
}

/**
 * Throws `query.unsupported` (400) for Corteza's parameters that can't be evaluated here: labels, meta, summaries and
 * page navigation, unless empty or off.
 */
export function assertEvaluable({ query }: Request): void {
  /** Returns whether the parameter isn't empty and can't be evaluated. `incPageNavigation` can if `false` or `0`. */
  const isUnevaluable = ([name, value]: [string, unknown]): boolean =>
    value !== '' &&
    (/^(?:labels|meta|summaries)(?:\[|$)/.test(name) ||
      (name === 'incPageNavigation' && value !== 'false' && value !== '0'));
  const unable = Object.entries(query).find(isUnevaluable)?.[0];
  if (unable === undefined) return;
  const message = `\`${unable.slice(0, 80)}\` cannot be evaluated here. Leave it out, and select from the answer yourself.`;
  throw new Refusal('malformed', 'query.unsupported', message);
}

export interface AskedPage {
  readonly limit?: number | undefined;
  readonly pageCursor?: string | undefined;
  readonly incTotal?: boolean | undefined;
  /** `name DESC`; default: by id. */
  readonly sort?: string | undefined;
}

interface Sortable {
  readonly name: string;
  readonly slug?: string;
  readonly handle?: string;
  readonly createdAt: string;
  readonly updatedAt?: string;
}

const SORT_KEYS: Readonly<Record<string, ((one: Sortable) => string) | undefined>> = {
  name: ({ name }) => fold(name),
  slug: ({ slug = '' }) => slug,
  handle: ({ handle = '' }) => handle,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt = '' }) => updatedAt,
};

type OwnKey = 'slug' | 'handle';

interface SetOrder {
  readonly sort: string;
  readonly keyOf: ((one: Sortable) => string) | undefined;
  readonly isDown: boolean;
}

/**
 * Parses a sort of workspaces or lists; blank means by id. Throws `sort.malformed` (400) for another key or direction.
 */
function parseOrder(text: string, own: OwnKey): SetOrder {
  const [, name = '', direction = 'ASC'] = /^([A-Za-z]+)(?:\s+(ASC|DESC))?$/i.exec(text.trim() || 'id') ?? [];
  const names = ['name', own, 'createdAt', 'updatedAt'];
  const keyOf = names.includes(name) ? SORT_KEYS[name] : undefined;
  if (!keyOf && !(own === 'slug' ? /^(?:id|namespaceID)$/i : /^(?:id|namespaceID|moduleID)$/i).test(name)) {
    const message = `These cannot be sorted by “${text.slice(0, 80)}”. Use one of id, ${names.join(', ')}.`;
    throw new Refusal('malformed', 'sort.malformed', message);
  }
  const isDown = direction.toUpperCase() === 'DESC';
  return { sort: `${keyOf ? name : 'id'}${isDown ? ' DESC' : ''}`, keyOf, isDown };
}

/** Compares by sort key, then by id; both descending if `isDown`. */
function compareInOrder({ isDown }: SetOrder, a: SortKey, b: SortKey): number {
  const order = compareTexts(a.keys[0] ?? '', b.keys[0] ?? '') || compareKeys(a.recordID, b.recordID);
  return isDown ? -order : order;
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Sorts workspaces or lists and returns the requested page with the next cursor. Throws 400 for an unknown cursor or
 * one of another sort. `own`: the sort key that only workspaces or only lists have. No `limit`: all.
 */
export function sortAndPage<T extends Sortable>(
  found: readonly T[],
  idOf: (one: T) => string,
  own: OwnKey,
  { limit = 0, pageCursor = '', incTotal = false, sort: asked = '' }: AskedPage,
): {
  readonly set: readonly T[];
  readonly filter: { sort: string; limit?: number; nextPage?: string; total?: number };
} {
  const cursor = pageCursor === '' ? undefined : readCursor(pageCursor);
  const order = orderOfPage(asked, own, cursor);
  const { sort, keyOf } = order;
  const all = found.map((one) => ({ one, key: { recordID: idOf(one), keys: keyOf ? [keyOf(one)] : [] } }));
  all.sort((a, b) => compareInOrder(order, a.key, b.key));
  const rest = cursor ? all.filter(({ key }) => compareInOrder(order, key, cursor.key) > 0) : all;
  const page = limit === 0 ? rest : rest.slice(0, limit);
  const last = page.at(-1);
  const nextPage =
    last && page.length < rest.length ? writeCursor({ sort, key: last.key, columns: [] }) : undefined;
  const total = incTotal ? all.length : undefined;
  return {
    set: page.map(({ one }) => one),
    filter: { sort, ...omitUndefined({ limit: limit === 0 ? undefined : limit, nextPage, total }) },
  };
}

/** Returns the requested order, by default the cursor's. Throws `page.cursor` (400) if they differ. */
function orderOfPage(asked: string, own: OwnKey, cursor: Cursor | undefined): SetOrder {
  if (!cursor) return parseOrder(asked, own);
  const order = parseOrder(asked.trim() === '' ? cursor.sort : asked, own);
  if (order.sort === cursor.sort && cursor.key.keys.length === (order.keyOf ? 1 : 0)) return order;
  const message = 'The page cursor belongs to another sort. Start again without it.';
  throw new Refusal('malformed', 'page.cursor', message);
}

export const OK = { success: { message: 'OK' } } as const;
