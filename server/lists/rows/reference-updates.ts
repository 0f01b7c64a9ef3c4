import type { Partition } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import type { RowWriter } from './row-batch.ts';
import { getRows, pageRows } from './row-table.ts';
import { TITLE_CHANGES, type TitleChange } from './title-changes.ts';
import { valuesOf } from '../values/value-sets.ts';

/** Rows read at a time. */
const SLICE = 500;

/** Rows identified by their references: by column id, the referenced rows. */
export type Referring = ReadonlyMap<string, ReadonlySet<string> | 'any'>;

/** Propagates changed titles to rows elsewhere that display them. */
export interface ReferenceUpdates {
  /**
   * Returns up to `limit` rows whose title changed in a column of {@link Lists.keepTitles} and isn't
   * propagated yet.
   */
  changedTitles(limit: number): Promise<TitleChange[]>;
  /** Marks titles as propagated, except those that changed again meanwhile. */
  markPropagated(rows: readonly TitleChange[]): Promise<void>;
  /**
   * Sends rows with these references again to followers of this list, as their displayed titles changed.
   * Author and time of the last change stay.
   */
  touchReferencing(referring: Referring): Promise<void>;
}

/** Creates the updates of a list's own title changes, and of its references. */
export function createReferenceUpdates(deps: {
  partition: Partition;
  module: () => { readonly fields: readonly Field[] };
  writer: RowWriter;
}): ReferenceUpdates {
  const { partition, module, writer } = deps;

  /**
   * Writes those of the rows that still have these references with a new `retitledAt`, so that followers get them
   * again.
   */
  async function retitle(recordIDs: readonly string[], referring: Referring): Promise<void> {
    await writer.write(async (batch) => {
      const refers = refersTo(module().fields, referring);
      for (const row of await getRows(batch.tx, recordIDs))
        if (row && refers(row)) batch.put(row, { ...row, retitledAt: batch.now });
    });
  }

  return {
    /** Returns up to `limit` stored title changes that aren't propagated yet. */
    async changedTitles(limit) {
      return (await partition.page(TITLE_CHANGES, { limit })).map(({ value }) => value);
    },

    markPropagated: (rows) =>
      partition.transaction(async (tx) => {
        for (const { recordID, changes } of rows)
          if ((await tx.get(TITLE_CHANGES, recordID))?.changes === changes)
            tx.delete(TITLE_CHANGES, recordID);
      }),

    /**
     * Reads all rows, and writes those with these references with a new `retitledAt`: followers get them again as
     * their displayed titles changed. Author and time of the last change stay.
     */
    async touchReferencing(referring) {
      const pause = createYielder();
      let page = await pageRows(partition, SLICE, undefined);
      while (page.length > 0) {
        // A column renamed meanwhile renumbers all of its rows anyway.
        const found = page.filter(refersTo(module().fields, referring));
        if (found.length > 0)
          await retitle(
            found.map(({ recordID }) => recordID),
            referring,
          );
        await pause();
        page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
      }
    },
  };
}

/** Returns a predicate for rows with these references, `any` meaning any value; deleted rows have none. */
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
