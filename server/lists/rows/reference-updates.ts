import type { Partition } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import type { RowWriter } from './row-batch.ts';
import { getRows, pageRows } from './row-table.ts';
import { TITLE_CHANGES, type TitleChange } from './title-changes.ts';
import { valuesOf } from '../values/value-sets.ts';

/** Rows read at a time. */
const SLICE = 500;

/** Which rows are meant by what they refer to: by the id of the column, the rows of the other list. */
export type Referring = ReadonlyMap<string, ReadonlySet<string> | 'any'>;

/** How what rows are called here comes to the rows elsewhere that are shown by it. */
export interface ReferenceUpdates {
  /** Up to `limit` rows that are called something else by a column of {@link Lists.keepTitles}, not told yet. */
  changedTitles(limit: number): Promise<TitleChange[]>;
  /** These were told where others refer to them; one that changed once more meanwhile stays. */
  markPropagated(rows: readonly TitleChange[]): Promise<void>;
  /**
   * Rows that refer to these go out once more to whoever follows this list, as what they show has changed. Nobody
   * changed them: who did so last, and when, stays.
   */
  touchReferencing(referring: Referring): Promise<void>;
}

export function createReferenceUpdates(deps: {
  partition: Partition;
  module: () => { readonly fields: readonly Field[] };
  writer: RowWriter;
}): ReferenceUpdates {
  const { partition, module, writer } = deps;

  async function tell(recordIDs: readonly string[], referring: Referring): Promise<void> {
    await writer.write(async (batch) => {
      const refers = refersTo(module().fields, referring);
      for (const row of await getRows(batch.tx, recordIDs))
        if (row && refers(row)) batch.put(row, { ...row, retitledAt: batch.now });
    });
  }

  return {
    async changedTitles(limit) {
      return (await partition.page(TITLE_CHANGES, { limit })).map(({ value }) => value);
    },

    markPropagated: (rows) =>
      partition.transaction(async (tx) => {
        for (const { recordID, changes } of rows)
          if ((await tx.get(TITLE_CHANGES, recordID))?.changes === changes)
            tx.delete(TITLE_CHANGES, recordID);
      }),

    async touchReferencing(referring) {
      const pause = createYielder();
      let page = await pageRows(partition, SLICE, undefined);
      while (page.length > 0) {
        // A column that is renamed meanwhile gives all of its rows another number anyway.
        const found = page.filter(refersTo(module().fields, referring));
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

/** Whether a row refers to one of these; of deleted rows nothing is shown. */
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
