import { isDeepStrictEqual } from 'node:util';
import type { Lists } from '../../lists/lists.ts';
import type { IncomingRow, Values } from '../../lists/definitions/model.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { losesValue, valuesOf } from '../../lists/values/value-sets.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import { versionTime } from '../../lists/values/times.ts';
import type { Store } from '../../store/store.ts';
import { classifyLosses } from '../deletion-guard/classify.ts';
import type { PullJob } from './job.ts';
import { findReferred, isShown } from './referred.ts';
import { EXAMINED, REFERRING, rowKey, type Examined, type ReferringRow } from '../tables.ts';
import { createTransformation } from './transform.ts';

const AT_ONCE = 500;
/** References that never arrive must not prolong pulls. */
const MAX_FAILED_TRIES = 2000;

/**
 * Fills in references to rows that have arrived since, if a row changed in the lists `from` that receive from this
 * partner, or if rows were left last time. Ends after 2,000 that can't be filled in, and stores where to continue.
 * Throws StoreError.
 */
export async function fillReferences(
  { store, lists }: { readonly store: Store; readonly lists: Lists },
  job: PullJob,
  from: readonly string[],
): Promise<void> {
  const { moduleID: sharedModuleID } = job.shared;
  const partition = await store.partition(listPartition(job.module.moduleID));
  const waiting = await partition.count(REFERRING);
  if (waiting === 0) return;
  const looked = await partition.get(EXAMINED, sharedModuleID);
  const isNews = await hasChangedRows(lists, from, looked);
  if (!isNews && looked?.left === 0) return;

  const at = isNews || !looked ? await lastSeqs(lists, from) : looked.at;
  let left = isNews || !looked ? waiting : looked.left;
  let after = looked?.after;
  let inVain = 0;
  while (left > 0 && inVain < MAX_FAILED_TRIES) {
    const limit = Math.min(AT_ONCE, left);
    const page = await partition.page(REFERRING, { limit, ...(after === undefined ? {} : { after }) });
    // Wraps around.
    if (page.length === 0 && after === undefined) left = 0;
    left -= page.length;
    after = page.at(-1)?.key;
    const own = page.map(({ value }) => value).filter((row) => row.sharedModuleID === sharedModuleID);
    inVain += page.length - (await resolveReferences(lists, job, from, own));
  }
  const now: Examined = { at, left, ...(after === undefined ? {} : { after }) };
  await partition.transaction((tx) => tx.put(EXAMINED, sharedModuleID, now));
}

/**
 * Fills in references that are found by now, except rows whose other effects need approval. Returns how many rows
 * were changed or are done.
 */
async function resolveReferences(
  lists: Lists,
  { shared, mapping, module }: PullJob,
  from: readonly string[],
  waiting: readonly ReferringRow[],
): Promise<number> {
  if (waiting.length === 0) return 0;
  const { nodeID, moduleID: sharedModuleID } = shared;
  const rows = await lists.rows(module.moduleID);
  const isReferring = (name: string): boolean =>
    shared.fields.some((field) => field.name === name && field.kind === 'Record');
  const matches = mapping.fields.filter(({ origin }) => isReferring(origin.name));
  const transformation = createTransformation(matches, shared.fields, module.fields);
  const received = await toReferencingRecords(rows, nodeID, waiting);
  const records = received.map(({ record }) => record);
  const named = new Set(records.flatMap((record) => transformation.referencedIDs(record)));
  const found = await findReferred(lists, nodeID, from, named);
  const filled: IncomingRow[] = [];
  const done = new Set(waiting.map(({ recordID }) => recordID));
  for (const { record, values } of received) {
    const ids = transformation.referencedIDs(record);
    if (ids.some((id) => !isShown(found, id))) done.delete(record.recordID);
    const transformed = transformation.apply(record, found);
    if (!('row' in transformed) || !ids.some((id) => found.has(id))) continue;
    const now = withoutLoss(values, transformed.row.values);
    if (!isDeepStrictEqual(now, values)) filled.push({ ...transformed.row, values: now });
  }
  if (filled.length === 0 && done.size === 0) return 0;
  // May revive the partner as a source, so other effects are checked.
  const losses = classifyLosses({ nodeID, sharedModuleID, choice: '', wentBack: NEVER, isMissed: NEVER });
  const { updated } = await rows.receive({
    nodeID,
    rows: filled,
    mappedColumns: transformation.columns,
    overrule: true,
    judge: losses.judge,
    also: (tx) => {
      for (const recordID of done)
        if (!losses.found.has(recordID)) tx.delete(REFERRING, rowKey(sharedModuleID, recordID));
    },
  });
  return Math.min(waiting.length, Math.max(done.size, updated));
}

const NEVER = (): boolean => false;

/** Returns `found` with the previous values in columns that would lose one. */
function withoutLoss(was: Values, found: Values): Values {
  const columns = Object.keys(was).filter((column) =>
    losesValue({ [column]: valuesOf(was, column) }, { [column]: valuesOf(found, column) }),
  );
  return { ...found, ...Object.fromEntries(columns.map((column) => [column, valuesOf(was, column)])) };
}

/** Returns whether any of these lists has changes since it was last examined, or never was. */
async function hasChangedRows(
  lists: Lists,
  from: readonly string[],
  looked: Examined | undefined,
): Promise<boolean> {
  for (const moduleID of new Set(from)) {
    const afterSeq = looked?.at[moduleID];
    if (afterSeq === undefined) return true;
    if ((await (await lists.rows(moduleID)).changesSince({ afterSeq }, 1)).length > 0) return true;
  }
  return false;
}

/** Returns each list's latest sequence number. */
async function lastSeqs(lists: Lists, from: readonly string[]): Promise<Examined['at']> {
  const each = [...new Set(from)].map(
    async (moduleID) => [moduleID, await (await lists.rows(moduleID)).lastSeq()] as const,
  );
  return Object.fromEntries(await Promise.all(each));
}

/**
 * Returns rows as the partner sent them, beside the values received from it; not rows it deleted, nor those with
 * another version here.
 */
async function toReferencingRecords(
  rows: Rows,
  nodeID: string,
  waiting: readonly ReferringRow[],
): Promise<{ readonly record: IncomingRow; readonly values: Values }[]> {
  const known = await rows.findReceived(
    nodeID,
    waiting.map(({ recordID }) => recordID),
  );
  return waiting.flatMap(({ recordID, values, version }, index) => {
    const row = known[index];
    const source = row && sourceFrom(row, nodeID);
    if (!source || source.deletedAt !== undefined) return [];
    if (version !== undefined && version !== versionTime(source)) return [];
    const { createdAt, updatedAt, via, origin } = source;
    const record = {
      recordID,
      createdAt,
      updatedAt,
      via,
      ...(origin && { origin }),
      values: Object.fromEntries(values),
    };
    return [{ record, values: source.values }];
  });
}
