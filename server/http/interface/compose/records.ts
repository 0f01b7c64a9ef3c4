import { omitUndefined } from '../../../base/omit-undefined.ts';
import { Refusal } from '../../../base/refusal.ts';
import { Router, type Request } from 'express';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import {
  moduleRemoval,
  recordQuery,
  recordRequest,
  recordsDelete,
  recordsPatch,
  recordsUndelete,
  type RecordListAnswer,
} from '../../../contract/wire/compose.ts';
import type { Module, Row, Values } from '../../../lists/definitions/model.ts';
import { parseQuery } from '../../../lists/query/query.ts';
import type { ListOptions } from '../../../lists/rows/row-list.ts';
import type { Rows } from '../../../lists/rows/rows.ts';
import type { RowTest } from '../../../lists/rows/row-writes.ts';
import { checkValues } from '../../../lists/values/check-values.ts';
import { labelsAnswer, recordAnswer } from './answers.ts';
import { assertStorable, nonBlank, recordValues } from './bodies.ts';
import { assertEvaluable, jsonBody, mayWrite, OK, pathModule, type ComposeDeps } from './request.ts';
import { userID } from '../../auth/caller.ts';
import { toCortezaValues } from './values.ts';
import { pathID } from '../../listeners/path-id.ts';
import { prependResult, streamResponse } from '../../listeners/stream-response.ts';

const DEFAULT_LIMIT = 500;
const MAX_PAGE = 1000;
const MAX_BULK = 100_000;

/** Corteza's calls not offered here: unknown addresses, not invalid ids. */
const NOT_OFFERED = /^\/(?:report|export[^/]*|import|attachment|trigger)\/?$/;

/**
 * Serves rows (`…/module/{m}/record/…`): queries, reading, creation, changes, deletion into the bin and restore. Bulk
 * calls change, delete or restore all rows that match a query, or none. Refuses purging; other calls of Corteza pass
 * on.
 */
export function composeRecordsRouter({ lists, guard }: ComposeDeps): Router {
  const router = Router({ mergeParams: true });

  /** Returns a row as an answer, which says whether the caller may change it. */
  const rowAnswer = (req: Request, module: Module, row: Row): object => ({
    response: recordAnswer(module, row, mayWrite(req)),
  });

  router.get('/', guard.read, async (req, res) => {
    assertEvaluable(req);
    const asked = recordQuery.parse(req.query);
    const pieces = streamConsistentList(lists, req, asked);
    const start = await pieces.next();
    res.type('json');
    await streamResponse(res, prependResult(start, pieces));
  });

  router.post('/', guard.write, ...jsonBody, async (req, res) => {
    const { module, rows } = await openList(lists, req);
    const body = recordRequest.parse(req.body);
    assertStorable(body, userID(req));
    const values = await toCortezaValues(lists, module, recordValues(body), { by: userID(req) });
    res.json(rowAnswer(req, module, await rows.create(values, userID(req))));
  });

  router.patch('/', guard.write, ...jsonBody, async (req, res) => {
    assertNoParameters(req);
    const list = await openList(lists, req);
    const { query, ...body } = recordsPatch.parse(req.body);
    const values = await toCortezaValues(lists, list.module, recordValues(body), { by: userID(req) });
    // An unknown column is an error even without matching rows.
    checkValues(list.module.fields, values, false);
    const { recordIDs, fits } = await findMatching(lists, req, query, 0);
    const changes = recordIDs.map((recordID) => ({ recordID, values }));
    await list.rows.saveMany(changes, userID(req), { fits });
    res.json(OK);
  });

  router.delete('/', guard.write, ...jsonBody, async (req, res) => {
    assertNoParameters(req);
    const list = await openList(lists, req);
    const { query, truncate } = recordsDelete.parse(req.body);
    if ((query == null) !== (truncate === true)) {
      const message = 'Say which rows to delete: give `query`, or `truncate` for all of them.';
      throw new Refusal('malformed', 'record.which', message);
    }
    const { recordIDs, fits } = await findMatching(lists, req, query ?? '', 0);
    await list.rows.removeMany(recordIDs, userID(req), { fits });
    res.json(OK);
  });

  router.patch('/undelete', guard.write, ...jsonBody, async (req, res) => {
    assertNoParameters(req);
    const list = await openList(lists, req);
    const { query } = recordsUndelete.parse(req.body);
    const { recordIDs, fits } = await findMatching(lists, req, query, 2);
    await list.rows.restoreMany(recordIDs, userID(req), { fits });
    res.json(OK);
  });

  router.all(NOT_OFFERED, (_req, _res, next) => next('router'));

  router.get('/:r', guard.read, async (req, res) => {
    const { module, rows } = await openList(lists, req);
    res.json(rowAnswer(req, module, await rows.get(pathID(req, 'r'))));
  });

  router.post('/:r', guard.write, ...jsonBody, async (req, res) => {
    const { module, rows } = await openList(lists, req);
    const { recordID, values, expected } = await parseRowUpdate(lists, req, { module, rows });
    res.json(rowAnswer(req, module, await rows.replace(recordID, values, userID(req), expected)));
  });

  router.patch('/:r', guard.write, ...jsonBody, async (req, res) => {
    const { module, rows } = await openList(lists, req);
    const { recordID, values, expected } = await parseRowUpdate(lists, req, { module, rows });
    res.json(
      rowAnswer(
        req,
        module,
        await rows.patch(recordID, values, userID(req), omitUndefined({ updatedAt: expected })),
      ),
    );
  });

  router.delete('/:r', guard.write, async (req, res) => {
    if (moduleRemoval.parse(req.query).purge) {
      const message =
        'Rows go to the bin, and only lists and columns can be deleted for good. Leave out `purge`.';
      throw new Refusal('malformed', 'query.unsupported', message);
    }
    const { rows } = await openList(lists, req);
    await rows.remove(pathID(req, 'r'), userID(req));
    res.json(OK);
  });

  router.post('/:r/undelete', guard.write, async (req, res) => {
    const { rows } = await openList(lists, req);
    await rows.restore(pathID(req, 'r'), userID(req));
    res.json(OK);
  });

  return router;
}

/** Throws `query.unsupported` (400) for any parameter: a bulk call that ignored it would change other rows. */
function assertNoParameters({ query }: Request): void {
  const [name] = Object.keys(query);
  if (name === undefined) return;
  const message = `A call for many rows takes no \`${name.slice(0, 80)}\` in its address. Send it in the body.`;
  throw new Refusal('malformed', 'query.unsupported', message);
}

interface Opened {
  readonly module: Module;
  readonly rows: Rows;
}

/**
 * Returns the path's list and its rows, after pending column changes. Throws `list.unknown` (404) if the list isn't
 * in this workspace.
 */
async function openList(lists: ComposeDeps['lists'], req: Request): Promise<Opened> {
  const { moduleID } = await pathModule(lists, req);
  const rows = await lists.rows(moduleID);
  return { module: await lists.settledModule(moduleID), rows };
}

interface RowUpdate {
  readonly recordID: string;
  readonly values: Values;
  readonly expected: string | undefined;
}

/**
 * Parses a row's changes, with the `updatedAt` that the row must still have, if sent; only PATCH may empty numbers.
 * Throws `record.unsupported` or `row.values` (422), and 404 for an unknown row.
 */
async function parseRowUpdate(
  lists: ComposeDeps['lists'],
  req: Request,
  { module, rows }: Opened,
): Promise<RowUpdate> {
  const recordID = pathID(req, 'r');
  const body = recordRequest.parse(req.body);
  const row = await rows.get(recordID);
  assertStorable(body, row.createdBy, labelsAnswer(row));
  const values = await toCortezaValues(lists, module, recordValues(body), {
    by: userID(req),
    known: row.values,
    // Corteza can't change single columns.
    mayEmptyNumbers: req.method === 'PATCH',
  });
  return { recordID, values, expected: body.updatedAt ?? undefined };
}

/** Returns the options by which queries are read as in Corteza. */
const composeOptions = (): Pick<ListOptions, 'scope' | 'now'> => ({
  scope: 'compose',
  now: new Date().toISOString(),
});

interface Matching {
  readonly recordIDs: readonly string[];
  /** Tests a row again at its write, as it may have changed. */
  readonly fits: RowTest;
}

/**
 * Returns the ids of all rows that match a query (empty: all) in (`deleted` 2) or outside (0) the bin, and a test for
 * it. Throws 400 for an invalid query, 422 above 100,000 rows, 409 if columns keep changing.
 */
async function findMatching(
  lists: ComposeDeps['lists'],
  req: Request,
  query: string,
  deleted: 0 | 2,
): Promise<Matching> {
  const options = { query, deleted, ...composeOptions() };
  /** Creates a test for rows that match the query, in or outside the bin as wanted. */
  const createTest: RowTest = (fields) => {
    const test = parseQuery(query, fields, options);
    return (row) => (row.deletedAt === undefined) === (deleted === 0) && test(row.values, row);
  };
  for (let tries = 1; ; tries++) {
    const { module, rows } = await openList(lists, req);
    const recordIDs: string[] = [];
    for await (const page of readPages(rows, { ...options, limit: MAX_BULK + 1 }))
      for (const { recordID } of page.rows) recordIDs.push(recordID);
    if (recordIDs.length > MAX_BULK) {
      const message = `More than ${MAX_BULK} rows fit. Narrow the query, and call again for the others.`;
      throw new Refusal('impossible', 'record.too-many', message);
    }
    const now = await openList(lists, req);
    if (isDeepStrictEqual(now.module.fields, module.fields)) return { recordIDs, fits: createTest };
    if (tries === MAX_TRIES) throw listChangingRefusal(module);
  }
}

const MAX_TRIES = 5;
const MAX_PAGE_TRIES = 20;

/** Yields pages of at most 1000 rows up to `limit`, each with the cursor to continue at; at least one page. */
async function* readPages(
  rows: Rows,
  { limit, cursor: first, ...options }: ListOptions,
): AsyncGenerator<Awaited<ReturnType<Rows['list']>>> {
  let left = limit;
  let cursor = first;
  do {
    const page = await rows.list({
      ...options,
      limit: Math.min(left, MAX_PAGE),
      ...omitUndefined({ cursor }),
    });
    yield page;
    left -= page.rows.length;
    cursor = page.nextPage;
  } while (cursor !== undefined && left > 0);
}

/** Characters of one answer held until all rows are read. */
const MAX_HELD = 32 * 1024 * 1024;

/**
 * Yields the JSON answer to a row query from one state of the list: holds up to 32 Mi characters and starts again if
 * the list changes. Throws `record.changing` (409) after 5 attempts (20 for one page), or within a larger answer.
 */
async function* streamConsistentList(
  lists: ComposeDeps['lists'],
  req: Request,
  asked: z.infer<typeof recordQuery>,
): AsyncGenerator<string> {
  for (let tries = 1; ; tries++) {
    const list = await openList(lists, req);
    const seq = await list.rows.lastSeq();
    /** Returns whether rows or columns changed since the answer was begun. */
    const isChanged = async (): Promise<boolean> => {
      const now = await openList(lists, req);
      return (await now.rows.lastSeq()) !== seq || !isDeepStrictEqual(now.module.fields, list.module.fields);
    };
    const held = new HeldPieces();
    let [pieces, length, isBegun] = [0, 0, false];
    try {
      for await (const piece of streamRecordList(req, asked, list)) {
        held.hold(piece);
        pieces++;
        length += piece.length;
        if (length < MAX_HELD) continue;
        if (await isChanged()) throw listChangingRefusal(list.module);
        isBegun = true;
        yield* held.release();
      }
      if (await isChanged()) throw listChangingRefusal(list.module);
      isBegun = true;
      yield* held.release();
      return;
    } catch (error) {
      // One page and the end.
      const maxTries = pieces > 2 ? MAX_TRIES : MAX_PAGE_TRIES;
      if (isBegun || tries >= maxTries || !(await isChanged())) throw error;
    } finally {
      held.clear();
    }
  }
}

/** Returns the error `record.changing` (409). */
function listChangingRefusal({ name }: Module): Refusal {
  const message = `“${name}” keeps changing while it is read. Call again, or read it in pages with \`limit\` and \`pageCursor\`.`;
  return new Refusal('conflict', 'record.changing', message);
}

/** Yields the JSON answer to a row query, page by page. The `limit` is 500 by default; 0 means all rows. */
async function* streamRecordList(
  req: Request,
  asked: z.infer<typeof recordQuery>,
  { module, rows }: Opened,
): AsyncGenerator<string> {
  const { limit = DEFAULT_LIMIT, pageCursor, sort, query, deleted = 0, incTotal = false } = asked;
  const options = omitUndefined({ cursor: nonBlank(pageCursor), sort: nonBlank(sort), query });
  let filter: RecordListAnswer['filter'] | undefined;
  const all = { limit: limit === 0 ? Infinity : limit, deleted, incTotal, ...composeOptions(), ...options };
  for await (const page of readPages(rows, all)) {
    const isFirst = filter === undefined;
    filter = {
      moduleID: module.moduleID,
      namespaceID: module.namespaceID,
      query: query ?? '',
      deleted,
      sort: page.sort,
      limit,
      ...omitUndefined({ nextPage: page.nextPage }),
      ...(incTotal && { incTotal: true as const, ...omitUndefined({ total: filter?.total ?? page.total }) }),
    };
    const records = page.rows.map((row) => JSON.stringify(recordAnswer(module, row, mayWrite(req))));
    yield `${isFirst ? '{"response":{"set":[' : records.length > 0 ? ',' : ''}${records.join(',')}`;
  }
  yield `],"filter":${JSON.stringify(filter)}}}`;
}

/** Characters of all answers together. */
const MAX_TOTAL = 256 * 1024 * 1024;

/** Characters that all answers hold, and may hold. */
export interface HeldBudget {
  total: number;
  readonly max: number;
}

const ALL_ANSWERS: HeldBudget = { total: 0, max: MAX_TOTAL };

/** Holds an answer's pieces until all rows are read, within the answers' shared budget. */
export class HeldPieces {
  readonly #budget: HeldBudget;
  readonly #pieces: string[] = [];

  constructor(budget: HeldBudget = ALL_ANSWERS) {
    this.#budget = budget;
  }

  /**
   * Holds a piece of the answer. Throws `request.busy` (503) if all answers together would exceed the budget and any is
   * held.
   */
  hold(piece: string): void {
    const { total, max } = this.#budget;
    if (total + piece.length > max && total > 0) throw busyRefusal();
    this.#pieces.push(piece);
    this.#budget.total += piece.length;
  }

  /** Yields the held pieces. Forgets each, and returns its size to the budget, once the reader asks for the next. */
  *release(): Generator<string> {
    for (let piece = this.#pieces[0]; piece !== undefined; piece = this.#pieces[0]) {
      yield piece;
      this.#dropPieces();
    }
  }

  /** Forgets all pieces, and returns their size to the budget. */
  clear(): void {
    while (this.#pieces.length > 0) this.#dropPieces();
  }

  /** Forgets the first piece, and returns its size to the budget. */
  #dropPieces(): void {
    this.#budget.total -= this.#pieces.shift()?.length ?? 0;
  }
}

/** Returns the error `request.busy` (503), to repeat in 5 seconds. */
function busyRefusal(): Refusal {
  const message =
    'Too many large answers are being read at once. Call again in a few seconds, or read the list in pages with `limit` and `pageCursor`.';
  return new Refusal('busy', 'request.busy', message, { retryAfter: 5 });
}
