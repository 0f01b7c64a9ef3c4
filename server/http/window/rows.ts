import { Router } from 'express';
import { z } from 'zod';
import type { GridRow } from '../../contract/app/lists.ts';
import { revertRequest, rowsRequest, rowValues } from '../../contract/app/lists.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Row } from '../../lists/definitions/model.ts';
import type { Reference, References } from '../../lists/rows/references.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { userOf, type Guard } from './guard.ts';
import { pathID } from '../listeners/path-id.ts';
import { partnerNames } from '../../app/partner-names.ts';

const gridQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  sort: z.string().max(500).optional(),
  query: z.string().max(2000).optional(),
  search: z.string().max(200).optional(),
  bin: z.enum(['0', '1']).default('0'),
});

/** `/app/lists/{m}/rows`: the grid, a stretch at a time, and what is done to rows in it. */
export function rowsRouter(deps: { lists: Lists; federation: Federation; guard: Guard }): Router {
  const { lists, guard } = deps;
  const router = Router({ mergeParams: true });
  async function shown(moduleID: string, rows: readonly Row[]): Promise<GridRow[]> {
    const names = await partnerNames(deps.federation);
    const references = await lists.references(moduleID, rows);
    return rows.map((row) => gridRow(row, names, references));
  }
  const show = async ({ moduleID }: Rows, row: Row): Promise<{ response: GridRow | undefined }> => ({
    response: (await shown(moduleID, [row]))[0],
  });

  router.get('/', guard.read, async (req, res) => {
    const { offset, limit, sort, query, search, bin } = gridQuery.parse(req.query);
    const moduleID = pathID(req, 'm');
    const page = await lists.listAsShown(moduleID, {
      offset,
      limit,
      ...(sort ? { sort } : {}),
      ...(query ? { query } : {}),
      ...(search ? { search } : {}),
      deleted: bin === '1' ? 2 : 0,
      incTotal: true,
    });
    res.json({ response: { offset, total: page.total ?? 0, rows: await shown(moduleID, page.rows) } });
  });

  router.post('/', guard.write, async (req, res) => {
    const { values } = rowValues.parse(req.body);
    const rows = await lists.rows(pathID(req, 'm'));
    res.json(await show(rows, await rows.create(values, userOf(req))));
  });

  router.post('/delete', guard.write, async (req, res) => {
    const { recordIDs } = rowsRequest.parse(req.body);
    const rows = await lists.rows(pathID(req, 'm'));
    res.json({ response: { done: await rows.removeMany(recordIDs, userOf(req)) } });
  });

  router.post('/restore', guard.write, async (req, res) => {
    const { recordIDs } = rowsRequest.parse(req.body);
    const rows = await lists.rows(pathID(req, 'm'));
    res.json({ response: { done: await rows.restoreMany(recordIDs, userOf(req)) } });
  });

  router.get('/:r', guard.read, async (req, res) => {
    const rows = await lists.rows(pathID(req, 'm'));
    res.json(await show(rows, await rows.get(pathID(req, 'r'))));
  });
  router.patch('/:r', guard.write, async (req, res) => {
    const { values } = rowValues.parse(req.body);
    const rows = await lists.rows(pathID(req, 'm'));
    res.json(await show(rows, await rows.patch(pathID(req, 'r'), values, userOf(req))));
  });

  router.delete('/:r', guard.write, async (req, res) => {
    const rows = await lists.rows(pathID(req, 'm'));
    res.json(await show(rows, await rows.remove(pathID(req, 'r'), userOf(req))));
  });

  router.post('/:r/restore', guard.write, async (req, res) => {
    const rows = await lists.rows(pathID(req, 'm'));
    res.json(await show(rows, await rows.restore(pathID(req, 'r'), userOf(req))));
  });

  router.post('/:r/revert', guard.write, async (req, res) => {
    const { columns } = revertRequest.parse(req.body ?? {});
    const rows = await lists.rows(pathID(req, 'm'));
    res.json(await show(rows, await rows.revertEdits(pathID(req, 'r'), columns, userOf(req))));
  });

  return router;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const copy = (values: Row['values']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, [...list]]));

/** A row as the grid shows it, with its provenance. */
function gridRow(row: Row, names: ReadonlyMap<string, string>, references: References): GridRow {
  const { recordID, createdAt, updatedAt, deletedAt, received } = row;
  const shown: Writable<GridRow> = { recordID, values: copy(row.values), createdAt, updatedAt };
  if (deletedAt !== undefined) shown.deletedAt = deletedAt;
  const named = namedBy(row, references);
  if (named.length > 0) shown.references = Object.fromEntries(named);
  if (received) {
    const also = (received.ways ?? []).slice(1).map(({ nodeID }) => names.get(nodeID) ?? '');
    shown.received = {
      nodeID: received.nodeID,
      partner: names.get(received.nodeID) ?? '',
      recordID: received.recordID,
      updatedAt: received.updatedAt,
      ...(also.length > 0 ? { also } : {}),
      receivedAt: received.receivedAt,
      values: copy(received.values),
      ...(received.previous ? { previous: copy(received.previous) } : {}),
      edited: [...received.edited],
    };
  }
  return shown;
}

/** Those of a page's references that stand in this row. */
function namedBy({ values, received }: Row, references: References): [string, Reference][] {
  if (references.size === 0) return [];
  const texts = [values, received?.values ?? {}, received?.previous ?? {}].flatMap((source) =>
    Object.values(source).flat(),
  );
  return [...new Set(texts)].flatMap((text) => {
    const reference = references.get(text);
    return reference ? [[text, reference]] : [];
  });
}
