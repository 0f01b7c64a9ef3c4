import { Router, type Request, type Response } from 'express';
import type { z } from 'zod';
import type * as shape1 from '../../../contract/wire/shape1.ts';
import type { Federation } from '../../../federation/federation.ts';
import { mustBeConnected } from '../../../federation/sharing/may-read.ts';
import type { FeedRow } from '../../../federation/sharing/outgoing.ts';
import { mustNotBePaused } from '../../../federation/partners/pausing.ts';
import type { Exposure, Node, SharedModule } from '../../../federation/model.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { Refusal } from '../../../base/refusal.ts';
import { caller, revalidateCaller } from '../../auth/caller.ts';
import {
  assertDeleted,
  filledText,
  pageOfList,
  pageMembers,
  wholeOrPage,
  queryText,
  refuseParams,
  isSelected,
  shapeParam,
  sinceParam,
  windowParams,
  type Since,
} from './params.ts';
import type { Guards } from './guards.ts';
import { definitionAnswer } from './module-answers.ts';
import { callingPartner } from './pairing.ts';
import { pathID } from '../../listeners/path-id.ts';
import { whileInTurn } from '../../listeners/per-partner-queue.ts';
import { originOf } from '../../listeners/routed-streams.ts';
import { sendPage } from './rows-answer.ts';

/**
 * Serves an origin's answers in shapes 1 and 2 (links, definitions and records) to partners. Our users get the records
 * too, and the lists that a partner offers.
 */
export function feedsRouter({ federation, guards }: { federation: Federation; guards: Guards }): Router {
  const router = Router();
  const { columnMarks, feed, nodes, shared } = federation;

  router.get('/federation/nodes/:n/modules', guards.read, async (req, res) => {
    const all = await shared.list(pathID(req, 'n'));
    res.json({ response: sharedModulesAnswer(req, all) });
  });

  router.get('/federation/exposed/modules', guards.feed, async (req, res) => {
    const since = sinceParam(req, 'after');
    const modules = await feed.modules(await activePartner(req), since?.at);
    res.json({ response: linksAnswer(req, modules, since, (id) => `exposed/modules/${id}`) });
  });

  router.get('/federation/exposed/modules/:m', guards.feed, async (req, res) => {
    sinceParam(req, 'after');
    const exposure = await feed.module(await activePartner(req), pathID(req, 'm'));
    const { firstModuleID } = exposure;
    const marked = isSelected(req, 'marked')
      ? omitUndefined({ marks: columnMarks.forExposure(exposure), firstModuleID })
      : {};
    res.json({ response: definitionAnswer(exposure, shapeParam(req) ?? exposure.shape, marked) });
  });

  router.get('/federation/exposed/records', guards.feed, async (req, res) => {
    const since = sinceParam(req, 'after');
    const node = await activePartner(req);
    const modules = await whileInTurn(req, () => feed.modulesWithRecords(node, since?.at));
    res.json({ response: linksAnswer(req, modules, since, (id) => `exposed/records/${id}`) });
  });

  const records2 = [
    '/federation/exposed/records/:m',
    '/federation/exposed/modules/:m/records',
    '/exposed/modules/:m/records',
  ];
  router.get(records2, guards.feed, async (req, res) => {
    await sendRecords(federation, req, res, await activePartner(req), sinceParam(req, 'after'));
  });

  router.get('/federation/nodes/:n/modules/:m/records', guards.feedOrViewer, async (req, res) => {
    assertRecordSelectors(req);
    await sendRecords(federation, req, res, await partnerOfFeed(nodes, req), sinceParam(req, 'lastSync'));
  });

  return router;
}

/**
 * Sends one page (window, sort and query of the request) of the rows that the partner may see, logged as shared first;
 * `since`: those changed from then on, tombstones included.
 */
async function sendRecords(
  { feed }: Federation,
  req: Request,
  res: Response,
  node: Node,
  since: Since | undefined,
): Promise<void> {
  refuseParams(req, ['name', 'handle', 'status']);
  assertDeleted(req, since === undefined ? 0 : 1);
  const window = windowParams(req);
  const query = queryText(req, 'query') ?? '';
  const request = {
    ...(since === undefined ? {} : { since: since.at }),
    deleted: since !== undefined,
    sort: filledText(req, 'sort') ?? 'createdAt DESC',
    query,
    window,
    ...addressOf(req),
  };
  const page = await whileInTurn(req, () =>
    feed.recordBytes(node, pathID(req, 'm'), request, 'shapes', recordAnswer),
  );
  const filter = {
    moduleID: page.exposure.moduleID,
    query,
    sort: page.sort,
    ...pageMembers(window, page.nextPage),
    count: page.count,
    deleted: since === undefined ? 0 : 1,
  } satisfies z.infer<typeof shape1.recordList>['filter'];
  await sendPage(res, { filter }, page);
}

/** Returns the calling partner as stored now. Throws 401 or 403 unless connected and not paused. */
export async function activePartner(req: Request): Promise<Node> {
  const node = await pairedPartner(req);
  mustNotBePaused(node);
  return node;
}

/** Returns the calling partner as stored now, even paused. Throws 401 or 403 unless connected. */
export async function pairedPartner(req: Request): Promise<Node> {
  const who = await revalidateCaller(req);
  if (who.kind !== 'node')
    throw new Refusal('forbidden', 'auth.nodes-only', 'Only a partner’s own token opens this.');
  mustBeConnected(who.node);
  return who.node;
}

/**
 * Returns the path's partner. Called by this partner (connected and not paused) or by a user of ours; throws 401 or 403
 * for others, 404 for an unknown one.
 */
export async function partnerOfFeed(nodes: Federation['nodes'], req: Request): Promise<Node> {
  const n = pathID(req, 'n');
  const who = await revalidateCaller(req);
  if (who.kind === 'user') return nodes.get(n);
  const { node } = callingPartner(who, n);
  mustBeConnected(node);
  mustNotBePaused(node);
  return node;
}

/** Returns where a partner's request came from, for the sharing log; {} for a user's. */
export function addressOf(req: Request): { address: string } | Record<string, never> {
  return caller(req).kind === 'node' ? { address: originOf(req) ?? '' } : {};
}

/** Throws `query.selector` (400) if `exposed`, `shared` or `mapped` is anything but 1. */
function assertRecordSelectors(req: Request): void {
  for (const name of ['exposed', 'shared', 'mapped']) {
    if (!['1', undefined].includes(queryText(req, name)))
      throw new Refusal(
        'malformed',
        'query.selector',
        `The parameter ${name} has the value 1, or is not given.`,
      );
  }
}

/**
 * Returns the requested page of links to modules' rows, each with the request's `since`. Throws 400 for other
 * parameters.
 */
function linksAnswer(
  req: Request,
  modules: readonly Exposure[],
  since: Since | undefined,
  path: (moduleID: string) => string,
): z.infer<typeof shape1.linkList> {
  refuseParams(req, ['query', 'name', 'handle', 'sort', 'deleted', 'status']);
  const window = windowParams(req);
  const { part, nextPage } = pageOfList(modules, window);
  const base = `${req.protocol}://${req.get('host') ?? ''}${req.baseUrl}/federation`;
  const after = `after=${encodeURIComponent(since?.text ?? '0')}`;
  return {
    filter: {
      query: since === undefined ? '' : `after=${since.text}`,
      ...pageMembers(window, nextPage),
      count: modules.length,
    },
    set: part.map(({ moduleID, name }) => ({
      type: 'GET',
      rel: name,
      href: `${base}/${path(moduleID)}?${after}`,
    })),
  };
}

const LIST_SORT = /^(name|handle|createdAt|updatedAt|id)(?: (ASC|DESC))?$/i;

/** Returns offered lists, filtered, sorted and paged by the query. Throws 400 for invalid parameters. */
function sharedModulesAnswer(req: Request, all: readonly SharedModule[]): object {
  refuseParams(req, ['deleted', 'status']);
  const [query, handle, name] = ['query', 'handle', 'name'].map((key) => queryText(req, key) ?? '');
  const sort = filledText(req, 'sort') ?? 'name ASC';
  const [, column, direction = 'ASC'] = LIST_SORT.exec(sort) ?? [];
  if (column === undefined)
    throw new Refusal('malformed', 'query.sort', 'Sort by name, handle, createdAt, updatedAt or id.');
  /** Returns the text in the sorted `column`: ids padded to sort as numbers, and `createdAt` for an unset one. */
  const sortKeyOf = (module: SharedModule): string =>
    column === 'id'
      ? module.moduleID.padStart(20, '0')
      : (module[column as 'name' | 'updatedAt'] ?? module.createdAt);
  const wanted = (query ?? '').toLowerCase();
  const fitting = all
    .filter((module) => `${module.name}\n${module.handle}`.toLowerCase().includes(wanted))
    .filter((module) => (handle === '' || module.handle === handle) && (name === '' || module.name === name))
    .sort((a, b) => sortKeyOf(a).localeCompare(sortKeyOf(b)) * (direction.toUpperCase() === 'DESC' ? -1 : 1));
  const shape = shapeParam(req) ?? 1;
  const { part, cut } = wholeOrPage(req, fitting);
  return {
    filter: { query, handle, name, sort, ...cut, count: fitting.length },
    set: part.map((module) => definitionAnswer(module, shape)),
  };
}

/** Returns a row in shapes 1 and 2; only tombstones have `deletedAt`. */
function recordAnswer(
  { recordID, values, createdAt, updatedAt, deletedAt }: FeedRow,
  { moduleID }: Exposure,
): z.infer<typeof shape1.record> {
  const deleted = deletedAt === undefined ? {} : { deletedAt };
  return { recordID, moduleID, values: [...values], createdAt, updatedAt, ...deleted };
}
