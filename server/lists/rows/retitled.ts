import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { createPause } from '../../base/yield.ts';
import type { RowWriter } from './row-batch.ts';
import { getRows, pageRows } from './row-table.ts';
import type { Rows } from './rows.ts';
import { titleIn } from './row-titles.ts';
import { valuesOf } from '../values/value-sets.ts';

/**
 * A row that is called something else by columns that rows of other lists are shown by, while it has not been told to
 * those yet. It lies beside the row and is written with it, so that neither a stop nor a full disk loses it.
 */
export interface RetitledRow {
  readonly recordID: string;
  /** These columns. */
  readonly fieldIDs: readonly string[];
  /** Counts the changes while it waits. */
  readonly changes: number;
}

/** Key: the row's id. */
const RETITLED: Table<RetitledRow> = { name: 'retitled' };

/** Rows read at a time. */
const SLICE = 500;

/** What of one write calls rows something else. */
export interface RetitledNotes {
  compare(before: Row | undefined, after: Row): void;
  write(tx: Tx): Promise<void>;
}

/** @param naming the columns by which rows of this list are called elsewhere */
export function createRetitledNotes(naming: readonly Field[]): RetitledNotes {
  const found = new Map<string, Set<string>>();
  return {
    compare(before, after) {
      // Nothing refers to a row whose number has only just been made.
      if (!before) return;
      for (const field of naming) {
        if (titleIn(before, field) === titleIn(after, field)) continue;
        found.set(after.recordID, (found.get(after.recordID) ?? new Set()).add(field.fieldID));
      }
    },
    async write(tx) {
      for (const [recordID, fieldIDs] of found) {
        const known = await tx.get(RETITLED, recordID);
        const all = new Set([...(known?.fieldIDs ?? []), ...fieldIDs]);
        tx.put(RETITLED, recordID, { recordID, fieldIDs: [...all], changes: (known?.changes ?? 0) + 1 });
      }
    },
  };
}

/** Which rows are meant by what they refer to: by the id of the column, the rows of the other list. */
export type Referring = ReadonlyMap<string, ReadonlySet<string> | 'any'>;

/** How what rows are called here comes to the rows elsewhere that are shown by it. */
export function createRetitling(deps: {
  partition: Partition;
  module: () => { readonly fields: readonly Field[] };
  writer: RowWriter;
}): Pick<Rows, 'retitled' | 'retitledTold' | 'tellAgain'> {
  const { partition, module, writer } = deps;

  async function tell(recordIDs: readonly string[], referring: Referring): Promise<void> {
    await writer.write(async (batch) => {
      const refers = referringBy(module().fields, referring);
      for (const row of await getRows(batch.tx, recordIDs))
        if (row && refers(row)) batch.put(row, { ...row, retitledAt: batch.now });
    });
  }

  return {
    async retitled(limit) {
      return (await partition.page(RETITLED, { limit })).map(({ value }) => value);
    },

    retitledTold: (rows) =>
      partition.transaction(async (tx) => {
        for (const { recordID, changes } of rows)
          if ((await tx.get(RETITLED, recordID))?.changes === changes) tx.delete(RETITLED, recordID);
      }),

    async tellAgain(referring) {
      const pause = createPause();
      let page = await pageRows(partition, SLICE, undefined);
      while (page.length > 0) {
        // A column that is renamed meanwhile gives all of its rows another number anyway.
        const found = page.filter(referringBy(module().fields, referring));
        if (found.length > 0)
          await tell(
            found.map(({ recordID }) => recordID),
            referring,
          );
        await pause();
        page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
      }
    },
  };
}

/** Of deleted rows nothing is shown. */
function referringBy(fields: readonly Field[], referring: Referring): (row: Row) => boolean {
  const columns = fields.flatMap(({ fieldID, name }) => {
    const rows = referring.get(fieldID);
    return rows ? [{ name, rows }] : [];
  });
  return ({ values, deletedAt }) =>
    deletedAt === undefined &&
    columns.some(({ name, rows }) =>
      valuesOf(values, name).some((text) => (rows === 'any' ? text !== '' : rows.has(text))),
    );
}
