import { given } from '../../../base/given.ts';
import { Router, type Request } from 'express';
import type { z } from 'zod';
import { recordQuery, recordRequest, type RecordListAnswer } from '../../../contract/wire/compose.ts';
import type { Module, Row, Values } from '../../../lists/definitions/model.ts';
import type { Rows } from '../../../lists/rows/rows.ts';
import { recordAnswer } from './answers.ts';
import { filled, recordValues } from './bodies.ts';
import { jsonBody, mayWrite, OK, pathModule, userID, type ComposeDeps } from './request.ts';
import { pathID } from '../../listeners/path-id.ts';

const DEFAULT_LIMIT = 100;

/** `…/module/{m}/record/` and `…/record/{r}`. */
export function composeRecordsRouter({ lists, guard }: ComposeDeps): Router {
  const router = Router({ mergeParams: true });

  const bodyValues = (req: Request): Values => recordValues(recordRequest.parse(req.body));
  const answer = (req: Request, module: Module, row: Row): object => ({
    response: recordAnswer(module, row, mayWrite(req)),
  });

  router.get('/', guard.read, async (req, res) => {
    const asked = recordQuery.parse(req.query);
    res.json({ response: await recordList(req, asked, await opened(lists, req)) });
  });

  router.post('/', guard.write, ...jsonBody, async (req, res) => {
    const { module, rows } = await opened(lists, req);
    res.json(answer(req, module, await rows.create(bodyValues(req), userID(req))));
  });

  router.get('/:r', guard.read, async (req, res) => {
    const { module, rows } = await opened(lists, req);
    res.json(answer(req, module, await rows.get(pathID(req, 'r'))));
  });

  router.post('/:r', guard.write, ...jsonBody, async (req, res) => {
    const { module, rows } = await opened(lists, req);
    res.json(answer(req, module, await rows.replace(pathID(req, 'r'), bodyValues(req), userID(req))));
  });

  router.patch('/:r', guard.write, ...jsonBody, async (req, res) => {
    const { module, rows } = await opened(lists, req);
    res.json(answer(req, module, await rows.patch(pathID(req, 'r'), bodyValues(req), userID(req))));
  });

  router.delete('/:r', guard.write, async (req, res) => {
    const { rows } = await opened(lists, req);
    await rows.remove(pathID(req, 'r'), userID(req));
    res.json(OK);
  });

  router.post('/:r/undelete', guard.write, async (req, res) => {
    const { rows } = await opened(lists, req);
    await rows.restore(pathID(req, 'r'), userID(req));
    res.json(OK);
  });

  return router;
}

interface Opened {
  readonly module: Module;
  readonly rows: Rows;
}

async function opened(lists: ComposeDeps['lists'], req: Request): Promise<Opened> {
  const module = await pathModule(lists, req);
  return { module, rows: await lists.rows(module.moduleID) };
}

async function recordList(
  req: Request,
  asked: z.infer<typeof recordQuery>,
  { module, rows }: Opened,
): Promise<RecordListAnswer> {
  const { limit = DEFAULT_LIMIT, pageCursor, sort, query, deleted = 0, incTotal = false } = asked;
  const options = given({ cursor: filled(pageCursor), sort: filled(sort), query });
  const page = await rows.list({ limit, deleted, incTotal, ...options });
  return {
    filter: {
      moduleID: module.moduleID,
      namespaceID: module.namespaceID,
      query: query ?? '',
      deleted,
      sort: page.sort,
      limit,
      ...given({ nextPage: page.nextPage }),
      ...(incTotal && { incTotal: true as const, ...given({ total: page.total }) }),
    },
    set: page.rows.map((row) => recordAnswer(module, row, mayWrite(req))),
  };
}
