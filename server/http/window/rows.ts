import { Router } from 'express';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type {
  GridRow,
  NextSteps,
  Undone as UndoneAnswer,
  UndoStep as UndoStepAnswer,
} from '../../contract/app/lists.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Row } from '../../lists/definitions/model.ts';
import type { Reference, References } from '../../lists/rows/references.ts';
import { takeWhileFitting, countValueChars } from '../../lists/rows/row-size.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { languageOf } from '../listeners/language.ts';
import { handleCall } from './handle-call.ts';
import { findArrivedRows } from '../../app/arrived-rows.ts';
import { viewersOfColumns } from '../../app/former-shares.ts';
import { partnerNames } from '../../app/partner-names.ts';
import { rowHistoryOf } from '../../app/row-history.ts';
import { findDuplicateRows, recountDuplicates } from '../../app/duplicate-pairs.ts';
import type { Undone } from '../../lists/rows/undo.ts';
import type { NextSteps as LastSteps, UndoStep } from '../../lists/rows/undo-log.ts';
import type { Sync } from '../../sync/sync.ts';

/**
 * Serves the window's grid: ranges of rows with partners' names and titles, rows that a partner changed, a row's
 * history, changes of one or many rows, joins of duplicates, undo and redo.
 */
export function rowsRouter(deps: { lists: Lists; federation: Federation; sync: Sync }): Router {
  const { lists } = deps;
  const router = Router();
  /** Returns rows for the grid; only the first ones if they are large. */
  async function toGridRows(moduleID: string, rows: readonly Row[]): Promise<GridRow[]> {
    const names = await partnerNames(deps.federation);
    const references = await lists.references(moduleID, rows);
    const shown = rows.map((row) => toGridRow(row, names, references));
    // Counts titles too: a row may refer to ten thousand.
    return (await takeWhileFitting(shown, (row) => gridRowChars(row))).first;
  }
  /** Changes one row by `done`, and returns it for the grid. */
  async function applyToRow(moduleID: string, done: (rows: Rows) => Promise<Row>): Promise<GridRow> {
    const rows = await lists.rows(moduleID);
    const row = await done(rows);
    return toGridRow(row, await partnerNames(deps.federation), await lists.references(rows.moduleID, [row]));
  }

  /** Returns the answer to an undo or redo. Counts duplicates again after that of a join, which changes them. */
  async function turnedAnswer(rows: Rows, turned: Undone, by: string): Promise<UndoneAnswer> {
    if (turned.step.kind === 'join') await recountDuplicates(deps, rows.moduleID);
    return undoneAnswer(deps, rows, turned, by);
  }

  handleCall(router, 'GET /app/lists/:m/rows', async ({ params, query, req }) => {
    const { offset, limit, sort, query: comparisons, search, bin, pinned } = query;
    const twice =
      query.twice === undefined ? undefined : await findDuplicateRows(deps, params.m, query.twice);
    const page = await lists.listAsShown(params.m, {
      offset,
      limit,
      ...(sort ? { sort } : {}),
      ...(comparisons ? { query: comparisons } : {}),
      ...(search ? { search } : {}),
      deleted: bin === '1' ? 2 : 0,
      incTotal: true,
      language: languageOf(req),
      ...(twice ? { among: twice.recordIDs } : {}),
      ...(pinned ? { pinned: pinned.split(',') } : {}),
    });
    const rows = await toGridRows(params.m, page.rows);
    const total = page.total ?? 0;
    return { offset, total, rows: twice ? rows.map((row) => markDuplicate(row, twice)) : rows };
  });
  handleCall(router, 'GET /app/lists/:m/arrived', async ({ params, query }) => {
    const { partner, since, until, did, limit } = query;
    const when = { nodeID: partner, from: Date.parse(since), until: Date.parse(until), did, limit };
    const { rows, more, references } = await findArrivedRows(deps, params.m, when);
    return {
      rows: [...rows],
      more,
      ...(references.size > 0 ? { references: Object.fromEntries(references) } : {}),
    };
  });
  handleCall(router, 'POST /app/lists/:m/rows', ({ params: { m }, body, by }) =>
    applyToRow(m, (rows) => rows.create(body.values, by, body.idempotencyKey)),
  );
  handleCall(router, 'POST /app/lists/:m/rows/delete', async ({ params, body, by }) => ({
    done: await (
      await lists.rows(params.m)
    ).removeMany(body.recordIDs, by, omitUndefined({ continues: body.step })),
  }));
  handleCall(router, 'POST /app/lists/:m/rows/restore', async ({ params, body, by }) => ({
    done: await (
      await lists.rows(params.m)
    ).restoreMany(body.recordIDs, by, omitUndefined({ continues: body.step })),
  }));

  handleCall(router, 'POST /app/lists/:m/rows/join', async ({ params, body, by }) => {
    const { pairs, columns } = await findDuplicateRows(deps, params.m, body.twice);
    const sets = pairs.map(({ before, came }) => ({ kept: came, others: before }));
    const { joined, differing, filled } = await (await lists.rows(params.m)).joinMany(sets, by, body.trial);
    if (joined > 0 && !body.trial) await recountDuplicates(deps, params.m);
    return {
      ...{ compared: [...columns], joined, differing },
      filled: [...filled].map(([column, rows]) => ({ column, rows })),
    };
  });

  handleCall(router, 'GET /app/lists/:m/steps', async ({ params, by }) =>
    stepsAnswer(await lists.rows(params.m), by),
  );
  handleCall(router, 'POST /app/lists/:m/undo', async ({ params, body, by }) => {
    const rows = await lists.rows(params.m);
    return turnedAnswer(rows, await rows.undo(by, body.stepID), by);
  });
  handleCall(router, 'POST /app/lists/:m/redo', async ({ params, body, by }) => {
    const rows = await lists.rows(params.m);
    return turnedAnswer(rows, await rows.redo(by, body.stepID), by);
  });

  handleCall(router, 'GET /app/lists/:m/rows/:r', ({ params: { m, r } }) =>
    applyToRow(m, (rows) => rows.get(r)),
  );
  handleCall(router, 'GET /app/lists/:m/rows/:r/history', ({ params: { m, r } }) => rowHistoryOf(deps, m, r));
  handleCall(router, 'PATCH /app/lists/:m/rows/:r', ({ params: { m, r }, body, by }) =>
    applyToRow(m, (rows) => rows.patch(r, body.values, by, omitUndefined({ values: body.before }))),
  );
  handleCall(router, 'DELETE /app/lists/:m/rows/:r', ({ params: { m, r }, by }) =>
    applyToRow(m, (rows) => rows.remove(r, by)),
  );
  handleCall(router, 'POST /app/lists/:m/rows/:r/restore', ({ params: { m, r }, by }) =>
    applyToRow(m, (rows) => rows.restore(r, by)),
  );
  handleCall(router, 'POST /app/lists/:m/rows/:r/revert', ({ params: { m, r }, body, by }) =>
    applyToRow(m, (rows) => rows.revertEdits(r, body.columns, by)),
  );
  return router;
}

/** Returns an undo step as sent to the window. */
const stepAnswer = ({
  stepID,
  kind,
  rows,
  added,
  file,
  columns,
  offer,
  idempotencyKey,
  at,
  isTooLarge,
}: UndoStep): UndoStepAnswer => ({
  ...{ stepID, kind, rows, at },
  ...omitUndefined({ added, file, offer, idempotencyKey, isTooLarge }),
  ...(columns === undefined ? {} : { columns: [...columns] }),
});

/** Returns a user's next undo and redo, and those of others' steps. */
async function stepsAnswer(rows: Rows, by: string): Promise<NextSteps> {
  const { others, ...own } = await rows.nextSteps(by);
  return { ...lastStepsAnswer(own), others: lastStepsAnswer(others) };
}

const lastStepsAnswer = ({ undo, redo }: LastSteps): NextSteps['others'] =>
  omitUndefined({ undo: undo && stepAnswer(undo), redo: redo && stepAnswer(redo) });

/** Returns the result of an undo with the next steps, and the partners that saw restored columns. */
async function undoneAnswer(
  { federation }: { readonly federation: Federation },
  rows: Rows,
  { step, done, left, edited, keepsName, restored }: Undone,
  by: string,
): Promise<UndoneAnswer> {
  return {
    ...(await stepsAnswer(rows, by)),
    ...{ step: stepAnswer(step), done, left, ...omitUndefined({ edited, keepsName }) },
    sharedBefore: restored.length > 0 ? await viewersOfColumns(federation, rows.moduleID, restored) : [],
  };
}

/** Returns the number of characters in a row's values and reference titles. */
const gridRowChars = ({ values, received, references = {} }: GridRow): number =>
  [values, received?.values, received?.previous].reduce((sum, each) => sum + countValueChars(each), 0) +
  Object.values(references).reduce((sum, { text }) => sum + text.length, 0);

/** Adds to a row which side of a duplicate it is, if it is one. */
function markDuplicate(row: GridRow, { which }: Awaited<ReturnType<typeof findDuplicateRows>>): GridRow {
  const twice = which.get(row.recordID);
  return twice ? { ...row, twice } : row;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const copyValues = (values: Row['values']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, [...list]]));

/** Returns a row for the grid. `names` are the partners' by our id. Values are copied. */
function toGridRow(row: Row, names: ReadonlyMap<string, string>, references: References): GridRow {
  const { recordID, createdAt, updatedAt, deletedAt, received } = row;
  const shown: Writable<GridRow> = { recordID, values: copyValues(row.values), createdAt, updatedAt };
  if (deletedAt !== undefined) shown.deletedAt = deletedAt;
  const named = referencesIn(row, references);
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
      values: copyValues(received.values),
      ...(received.previous ? { previous: copyValues(received.previous) } : {}),
      edited: [...received.edited],
    };
  }
  return shown;
}

/** Returns the row's references by text, each once. */
function referencesIn({ values, received }: Row, references: References): [string, Reference][] {
  if (references.size === 0) return [];
  const texts = [values, received?.values ?? {}, received?.previous ?? {}].flatMap((source) =>
    Object.values(source).flat(),
  );
  return [...new Set(texts)].flatMap((text) => {
    const reference = references.get(text);
    return reference ? [[text, reference]] : [];
  });
}
