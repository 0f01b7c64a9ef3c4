import type { Ids } from '../store/ids.ts';
import type { Partition, Table } from '../store/store.ts';
import { applyIncoming } from './apply.ts';
import type { ApplyCounts, Field, IncomingRow, Module, Row } from './model.ts';
import { omit } from './omit.ts';
import { createPause } from './pause.ts';
import type { RowWriter } from './row-batch.ts';
import { findRows, originText, pageRows } from './row-table.ts';
import type { Rows } from './rows.ts';
import { valuesOf, withoutEmpties } from './value-sets.ts';

type RowReceive = Pick<Rows, 'receive' | 'releaseFrom' | 'releasedFrom' | 'findReceived'>;

/** Key: our id of the partner; when its rows in this list were released last. */
const RELEASED: Table<string> = { name: 'released' };

/** Rows of a page that are dealt with before other work may run. */
const RECEIVED_AT_ONCE = 50;

/** Rows read at a time when a partner is released. */
const SLICE = 500;

/** What partners do to rows. */
export function createRowReceive(deps: {
  partition: Partition;
  module: () => Module;
  writer: RowWriter;
  ids: Ids;
}): RowReceive {
  const { partition, module, writer, ids } = deps;

  return {
    receive: ({ nodeID, rows, mappedColumns, overrule = false, also }) =>
      writer.write(async (batch) => {
        const fields = module().fields.filter((field) => mappedColumns.includes(field.name));
        const context = {
          nodeID,
          columns: fields.map((field) => field.name),
          now: batch.now,
          newID: () => ids.next(),
          overrule,
        };
        const pause = createPause();
        const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 } satisfies ApplyCounts;
        // A page may hold two versions of one row: the second meets what became of the first.
        const written = new Map<string, Row>();
        for (let at = 0; at < rows.length; at += RECEIVED_AT_ONCE) {
          const part = rows.slice(at, at + RECEIVED_AT_ONCE);
          const origins = part.map((row) => originText(nodeID, row.recordID));
          const known = await findRows(batch.tx, origins);
          for (const [index, incoming] of part.entries()) {
            const origin = origins[index] ?? '';
            const existing = written.get(origin) ?? known[index];
            const { outcome, row } = applyIncoming(existing, tidy(incoming, fields), context);
            counts[outcome]++;
            if (!row) continue;
            batch.put(existing, row);
            written.set(origin, row);
          }
          await pause();
        }
        await also?.(batch.tx);
        return counts;
      }),

    releaseFrom: (nodeID, what) =>
      writer.writeAlone(async (batch) => {
        const pause = createPause();
        let released = 0;
        let page = await pageRows(partition, SLICE, undefined);
        while (page.length > 0) {
          for (const row of page) {
            if (row.received?.nodeID !== nodeID) continue;
            if (!row.purged) released++;
            batch.put(row, release(row, what, batch.now));
          }
          await pause();
          page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
        }
        batch.tx.put(RELEASED, nodeID, batch.now);
        return { rows: released };
      }),

    releasedFrom: (nodeID) => partition.get(RELEASED, nodeID),

    findReceived: (nodeID, originRecordIDs) =>
      findRows(
        partition,
        originRecordIDs.map((recordID) => originText(nodeID, recordID)),
      ),
  };
}

function release(row: Row, what: 'keep' | 'remove', now: string): Row {
  const ours = { ...omit(row, 'received'), updatedAt: now };
  if (what === 'keep') return ours;
  return { ...ours, values: {}, deletedAt: row.deletedAt ?? now, purged: true };
}

/** Without empty texts, which are no values. */
function tidy(incoming: IncomingRow, fields: readonly Field[]): IncomingRow {
  const isTidy = fields.every((field) => {
    const texts = valuesOf(incoming.values, field.name);
    return texts.length <= 1 && (texts[0] !== '' || field.kind === 'Bool');
  });
  if (isTidy) return incoming;
  const values = fields.map((field) => [
    field.name,
    withoutEmpties(field, valuesOf(incoming.values, field.name)),
  ]);
  return { ...incoming, values: Object.fromEntries(values) as IncomingRow['values'] };
}
