import type { Partition } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import type { RowWriter } from './row-batch.ts';
import { getRows, pageRows } from './row-table.ts';
import { TITLE_CHANGES, type TitleChange } from './title-changes.ts';
import { valuesOf } from '../values/value-sets.ts';

const SLICE = 500;

/** Referenced row ids by reference column id; `any`: all. */
export type Referring = ReadonlyMap<string, ReadonlySet<string> | 'any'>;

export interface ReferenceUpdates {
  changedTitles(limit: number): Promise<TitleChange[]>;
  /** Forgets these title changes, except rows retitled since. */
  markPropagated(rows: readonly TitleChange[]): Promise<void>;
  touchReferencing(referring: Referring): Promise<void>;
}

/**
 * Tells which of a list's titles changed, until marked as propagated, and sends its rows that refer to others to
 * followers again.
 */
export function createReferenceUpdates(deps: {
  partition: Partition;
  module: () => { readonly fields: readonly Field[] };
  writer: RowWriter;
}): ReferenceUpdates {
  const { partition, module, writer } = deps;

  /** Sets `retitledAt` of rows that still have these references, which sends them to followers again. */
  async function renewReferences(recordIDs: readonly string[], referring: Referring): Promise<void> {
    await writer.write(async (batch) => {
      const refers = refersTo(module().fields, referring);
      for (const row of await getRows(batch.tx, recordIDs))
        if (row && refers(row)) batch.put(row, { ...row, retitledAt: batch.now });
    });
  }

  return {
    /** Returns up to `limit` rows with changed titles, in columns that are titles elsewhere. */
    async changedTitles(limit) {
      return (await partition.page(TITLE_CHANGES, { limit })).map(({ value }) => value);
    },

    markPropagated: (rows) =>
      partition.transaction(async (tx) => {
        for (const { recordID, changes } of rows)
          if ((await tx.get(TITLE_CHANGES, recordID))?.changes === changes)
            tx.delete(TITLE_CHANGES, recordID);
      }),

    /** Sends rows with these references to followers again, values unchanged. Reads all rows. */
    async touchReferencing(referring) {
      const pause = createYielder();
      let page = await pageRows(partition, SLICE, undefined);
      while (page.length > 0) {
        // A column renamed meanwhile renumbers its rows anyway.
        const found = page.filter(refersTo(module().fields, referring));
        if (found.length > 0)
          await renewReferences(
            found.map(({ recordID }) => recordID),
            referring,
          );
        await pause();
        page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
      }
    },
  };
}

/** Returns a test whether a row outside the bin has one of these references; `any` means any value. */
export function refersTo(fields: readonly Field[], referring: Referring): (row: Row) => boolean {
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
