import type { Lists } from '../../lists/lists.ts';
import type { IncomingRow } from '../../lists/definitions/model.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import type { RemoteRecord } from '../../peer/remote.ts';
import type { Store } from '../../store/store.ts';
import type { PullJob } from './pull.ts';
import { findReferred } from './referred.ts';
import { LOOKED, REFERRING, rowKey, type ReferringRow } from '../tables.ts';
import { createTransformation } from './transform.ts';

/** Rows looked through, and written, at a time. */
const AT_ONCE = 500;

/**
 * Fills in what rows of one matched list refer to and what has arrived since, with whatever list, once the lists of a
 * run are in. Costs next to nothing while none of the lists changed that this partner's rows come into.
 * @param from those lists
 * @throws StoreError
 */
export async function fillReferences(
  { store, lists }: { readonly store: Store; readonly lists: Lists },
  { shared, mapping, module }: PullJob,
  from: readonly string[],
): Promise<void> {
  const { nodeID, moduleID: sharedModuleID } = shared;
  const partition = await store.partition(listPartition(module.moduleID));
  const waiting = (await partition.find(REFERRING, 'shared', sharedModuleID)).map(({ value }) => value);
  if (waiting.length === 0) return;
  const standing = await standingOf(lists, from);
  if ((await partition.get(LOOKED, sharedModuleID)) === standing) return;

  const rows = await lists.rows(module.moduleID);
  const isReferring = (name: string): boolean =>
    shared.fields.some((field) => field.name === name && field.kind === 'Record');
  const matches = mapping.fields.filter(({ origin }) => isReferring(origin.name));
  const transformation = createTransformation(matches, shared.fields, module.fields);
  for (let at = 0; at < waiting.length; at += AT_ONCE) {
    const piece = waiting.slice(at, at + AT_ONCE);
    const records = await asReceived(rows, nodeID, piece);
    const named = new Set(records.flatMap((record) => transformation.references(record)));
    const found = await findReferred(lists, nodeID, from, named);
    const filled: IncomingRow[] = [];
    const done = new Set(piece.map(({ recordID }) => recordID));
    for (const record of records) {
      const ids = transformation.references(record);
      if (ids.some((id) => !found.has(id))) done.delete(record.recordID);
      const transformed = transformation.apply(record, found);
      if ('row' in transformed && ids.some((id) => found.has(id))) filled.push(transformed.row);
    }
    if (filled.length === 0 && done.size === 0) continue;
    await rows.receive({
      nodeID,
      rows: filled,
      mappedColumns: transformation.columns,
      overrule: true,
      also: (tx) => {
        for (const recordID of done) tx.delete(REFERRING, rowKey(sharedModuleID, recordID));
      },
    });
  }
  await partition.transaction((tx) => tx.put(LOOKED, sharedModuleID, standing));
}

/** Differs as soon as anything does in these lists. */
async function standingOf(lists: Lists, from: readonly string[]): Promise<string> {
  const each = [...new Set(from)].map(
    async (moduleID) => `${moduleID}:${await (await lists.rows(moduleID)).lastSeq()}`,
  );
  return (await Promise.all(each)).sort().join(' ');
}

/** The versions that we have, with what came in the columns that refer to rows; those that are gone are left out. */
async function asReceived(
  rows: Rows,
  nodeID: string,
  waiting: readonly ReferringRow[],
): Promise<RemoteRecord[]> {
  const known = await rows.findReceived(
    nodeID,
    waiting.map(({ recordID }) => recordID),
  );
  return waiting.flatMap(({ recordID, values }, index): RemoteRecord[] => {
    const row = known[index];
    const way = row && wayFrom(row, nodeID);
    if (!way || way.deletedAt !== undefined) return [];
    const { createdAt, updatedAt, via, origin } = way;
    return [{ recordID, createdAt, updatedAt, via, ...(origin && { origin }), values: new Map(values) }];
  });
}
