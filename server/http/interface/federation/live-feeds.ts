import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import type * as live from '../../../contract/wire/live.ts';
import type { Federation } from '../../../federation/federation.ts';
import type { PageWindow } from '../../../federation/sharing/feed.ts';
import type { FeedRow } from '../../../federation/sharing/outgoing.ts';
import type { Exposure } from '../../../federation/model.ts';
import { omit } from '../../../base/omit.ts';
import { Refusal } from '../../../base/refusal.ts';
import { caller } from '../../auth/caller.ts';
import { addressOf, partnerOfFeed } from './feeds.ts';
import type { Guards } from './guards.ts';
import { exposedAnswerLive, mappingAnswer1, sharedAnswerLive } from './module-answers.ts';
import {
  assertDeleted,
  isPaged,
  queryText,
  refuseParams,
  isSelected,
  sinceParam,
  windowParams,
} from './params.ts';
import { pathID } from '../../listeners/path-id.ts';
import { whileInTurn } from '../../listeners/per-partner-queue.ts';
import { sendPage } from './rows-answer.ts';

interface LiveFeedsDeps {
  readonly federation: Federation;
  readonly guards: Guards;
}

/**
 * Serves an origin's answers to live Corteza servers, which a wrong answer with status 200 crashes
 * (docs/live-servers.md).
 */
export function liveFeedsRouter(deps: LiveFeedsDeps): Router {
  const router = Router();
  addStructureRoutes(router, deps);
  addRecordRoutes(router, deps);
  return router;
}

const FILTERS = ['query', 'name', 'handle', 'deleted', 'status'];

/**
 * Adds the calls for modules and definitions. A live puller always gets all definitions, as they were at its
 * connection's first fetch; its request is recorded, to notice one that then fetches no rows.
 */
function addStructureRoutes(router: Router, { federation, guards }: LiveFeedsDeps): void {
  const { feed, nodes, exposures, shared, mappings, liveDefinitions, marks } = federation;
  router.get('/nodes/:n/modules', guards.read, async (req, res, next) => {
    const n = pathID(req, 'n');
    const chosen = ['exposed', 'shared', 'mapped'].filter((name) => isSelected(req, name));
    if (chosen.length > 1)
      throw new Refusal('malformed', 'query.selector', 'Give one of ?exposed, ?shared and ?mapped.');
    if (chosen.length > 0) refuseParams(req, [...FILTERS, 'sort', 'limit', 'pageCursor']);
    if (isSelected(req, 'exposed'))
      res.json({ response: pageOf(req, await exposures.list(n)).map((each) => exposedAnswerLive(each)) });
    else if (isSelected(req, 'shared'))
      res.json({ response: pageOf(req, await shared.list(n)).map(sharedAnswerLive) });
    else if (isSelected(req, 'mapped'))
      res.json({ response: pageOf(req, await mappings.list(n)).map(mappingAnswer1) });
    else next();
  });

  router.get('/nodes/:n/modules/exposed', guards.feedOrViewer, async (req, res) => {
    const node = await partnerOfFeed(nodes, req);
    refuseParams(req, [...FILTERS, 'page', 'perPage', ...(queryText(req, 'sort') === 'id' ? [] : ['sort'])]);
    // A puller's clock could miss some, and they are few.
    const since = acceptsJson(req) ? lastSyncParam(req) : 0;
    const all = await feed.modules(node, since || undefined);
    const limit = limitParam(req);
    const start = startAfterCursor(req, all);
    const part = all.slice(start, limit === undefined ? undefined : start + limit);
    const last = part.at(-1);
    const more = start + part.length < all.length && last;
    const filter: z.infer<typeof live.structure>['filter'] = {
      nodeID: pathID(req, 'n'),
      composeModuleID: '0',
      composeNamespaceID: '0',
      lastSync: Math.floor(lastSyncParam(req) / 1000),
      handle: '',
      name: '',
      query: '',
      sort: 'id',
      ...(limit === undefined ? {} : { limit }),
      ...(more ? { nextPage: `m${last.moduleID}` } : {}),
    };
    const isPartner = caller(req).kind === 'node';
    const isPuller = isPartner && !acceptsJson(req);
    if (isPuller && start === 0) marks.recordDefinitionsRequest(all);
    const offered = await Promise.all(
      part.map(async (each) => {
        if (!isPartner) return each;
        return isPuller ? liveDefinitions.pin(each, node) : liveDefinitions.asPinned(each);
      }),
    );
    const set = offered.map(asOffered);
    res.json({ response: { filter, set: set.length > 0 ? set : null } });
  });
}

/**
 * Returns the requested page; everything unless `page` or `perPage` is set. Throws `query.page` or
 * `query.mixed-paging` (400).
 */
function pageOf<T>(req: Request, all: readonly T[]): readonly T[] {
  if (!isPaged(req)) return all;
  const window = windowParams(req);
  return 'page' in window ? all.slice((window.page - 1) * window.perPage, window.page * window.perPage) : all;
}

/**
 * Adds the calls for modules with rows, and their rows. A live puller's connection stays open until its next poll,
 * which proves that the answer arrived.
 */
function addRecordRoutes(router: Router, { federation, guards }: LiveFeedsDeps): void {
  const { feed, nodes } = federation;
  router.get('/nodes/:n/modules/exposed/records', guards.feedOrViewer, async (req, res) => {
    const node = await partnerOfFeed(nodes, req);
    refuseParams(req, [...FILTERS, 'sort', 'limit', 'pageCursor', 'page', 'perPage']);
    const since = lastSyncParam(req) || undefined;
    const modules = await whileInTurn(req, () => feed.modulesWithRecords(node, since));
    const set = modules.map(({ moduleID }) => ({
      type: 'GET',
      rel: 'Federation Module',
      href: `/nodes/${pathID(req, 'n')}/modules/${moduleID}/records/`,
    }));
    res.json({ response: { set } });
  });

  /** Passes paths without final slash on to shape 1. */
  const withSlash: RequestHandler = (req, _res, next) => {
    next(req.path.endsWith('/') ? undefined : 'route');
  };
  router.get('/nodes/:n/modules/:m/records', withSlash, guards.feedOrViewer, async (req, res) => {
    const node = await partnerOfFeed(nodes, req);
    refuseParams(req, ['name', 'handle', 'status', 'page', 'perPage']);
    assertDeleted(req, 1);
    const since = lastSyncParam(req);
    const limit = limitParam(req);
    const query = queryText(req, 'query') ?? '';
    const sort = queryText(req, 'sort') ?? '';
    const window = recordsWindow(req, limit);
    const isPulling = isLivePull(req, window, query);
    if (isPulling) keepAlive(req, res);
    const request = {
      ...(isPulling ? { mark: since, connection: directConnection(req) } : since === 0 ? {} : { since }),
      deleted: true,
      asPinned: caller(req).kind === 'node',
      scope: 'live' as const,
      sort: sort === '' ? 'id' : sort,
      query,
      window,
      ...addressOf(req),
    };
    const page = await whileInTurn(req, () =>
      feed.recordBytes(node, pathID(req, 'm'), request, 'live', recordAnswer),
    );
    const { exposure } = page;
    const filter: z.infer<typeof live.recordList>['filter'] = {
      moduleID: exposure.composeModuleID,
      namespaceID: '0',
      query,
      deleted: 1,
      sort: page.sort === 'id ASC' ? 'id' : page.sort,
      ...(limit === undefined ? {} : { limit }),
      ...(page.nextPage === undefined ? {} : { nextPage: page.nextPage }),
    };
    await sendPage(res, { filter }, page, 'null');
  });
}

/** Returns a share as an offered definition: with '0' for ids of our users, without `canManageModule`. */
function asOffered(exposure: Exposure): NonNullable<z.infer<typeof live.structure>['set']>[number] {
  const known = omit(exposedAnswerLive(exposure), 'canManageModule');
  return { ...known, createdBy: '0', ...(known.updatedBy === undefined ? {} : { updatedBy: '0' }) };
}

const MAX_LIMIT = 1000;

/** Returns the parameter `lastSync` in milliseconds; 0 if absent or empty. Throws 400 for other texts than a time. */
function lastSyncParam(req: Request): number {
  return queryText(req, 'lastSync') === '' ? 0 : (sinceParam(req, 'lastSync')?.at ?? 0);
}

/** Returns the parameter `limit`; undefined if absent or 0. Throws `query.page` (400) for no whole number. */
function limitParam(req: Request): number | undefined {
  const text = queryText(req, 'limit') ?? '';
  if (!/^\d{0,15}$/.test(text))
    throw new Refusal('malformed', 'query.page', 'The parameter limit is a whole number.');
  return Number(text) === 0 ? undefined : Number(text);
}

/** Returns whether the request asks for JSON, which live servers don't. */
function acceptsJson(req: Request): boolean {
  return /\bapplication\/json\b/.test(req.get('accept') ?? '');
}

/**
 * Returns whether a live server pulls all rows: by a partner's GET that doesn't ask for JSON, with `limit`, and without
 * `sort`, query and cursor. Other requests with its token are somebody's who looks.
 */
function isLivePull(req: Request, window: PageWindow, query: string): boolean {
  return (
    req.method === 'GET' &&
    caller(req).kind === 'node' &&
    !acceptsJson(req) &&
    window === 'all' &&
    (queryText(req, 'limit') ?? '') !== '' &&
    (queryText(req, 'sort') ?? '') === '' &&
    query.trim() === ''
  );
}

const BY_PROXY = /^(?:via|forwarded|x-forwarded-.+|x-real-ip)$/;

/** Returns undefined behind a proxy, which reads for others. */
const directConnection = (req: Request): object | undefined =>
  Object.keys(req.headers).some((name) => BY_PROXY.test(name)) ? undefined : req.socket;

const POLLED_WITHIN_MS = 90_000;

/** Keeps the connection for 90 seconds after the answer, longer than the minute between two polls. */
function keepAlive({ socket }: Request, res: Response): void {
  // Node sets its timeout at this event, before this listener.
  res.once('finish', () => socket.setTimeout(POLLED_WITHIN_MS));
}

/**
 * Returns which rows to send: all, unless a cursor or, from callers that ask for JSON, `limit` asks for a page, of at
 * most 1000.
 */
function recordsWindow(req: Request, limit: number | undefined): PageWindow {
  const cursor = queryText(req, 'pageCursor') ?? '';
  if (!acceptsJson(req) || (limit === undefined && cursor === ''))
    return cursor === '' ? 'all' : { limit: MAX_LIMIT, cursor };
  return { limit: Math.min(limit ?? MAX_LIMIT, MAX_LIMIT), ...(cursor === '' ? {} : { cursor }) };
}

/**
 * Returns the index in `all` (ascending by id) of the first share after the cursor (`m` and a module ID): 0 without
 * one, the length after the last. Throws `page.cursor` (400).
 */
function startAfterCursor(req: Request, all: readonly Exposure[]): number {
  const cursor = queryText(req, 'pageCursor') ?? '';
  if (cursor === '') return 0;
  const moduleID = /^m(\d{1,20})$/.exec(cursor)?.[1];
  if (moduleID === undefined)
    throw new Refusal(
      'malformed',
      'page.cursor',
      'The page cursor is none that was given out. Start again without it.',
    );
  const next = all.findIndex((exposure) => BigInt(exposure.moduleID) > BigInt(moduleID));
  return next === -1 ? all.length : next;
}

/** Returns a row in live servers' form, always with `updatedAt`: without it they would duplicate the row. */
function recordAnswer(row: FeedRow, exposure: Exposure): z.infer<typeof live.record> {
  return {
    recordID: row.recordID,
    moduleID: exposure.composeModuleID,
    values: row.values.map(({ name, value }) => (value === '' ? { name } : { name, value })),
    namespaceID: exposure.composeNamespaceID,
    ownedBy: '0',
    createdAt: row.createdAt,
    createdBy: '0',
    updatedAt: row.updatedAt,
    updatedBy: '0',
    ...(row.deletedAt === undefined ? {} : { deletedAt: row.deletedAt, deletedBy: '0' }),
  };
}
