import type { Table, Tx } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { titleIn } from './row-titles.ts';

/** A title change that displaying lists still lack; written with the row. */
export interface TitleChange {
  readonly recordID: string;
  readonly fieldIDs: readonly string[];
  readonly changes: number;
}

/** Key: row id. The table keeps its first name. */
export const TITLE_CHANGES: Table<TitleChange> = { name: 'retitled' };

export interface TitleChanges {
  compare(before: Row | undefined, after: Row): void;
  write(tx: Tx): Promise<void>;
}

/**
 * Collects changed titles of one write.
 * @param naming columns that other lists show as titles
 */
export function createTitleChanges(naming: readonly Field[]): TitleChanges {
  const found = new Map<string, Set<string>>();
  return {
    /** Records title columns whose text differs; none for a new row. */
    compare(before, after) {
      if (!before) return;
      for (const field of naming) {
        if (titleIn(before, field) === titleIn(after, field)) continue;
        found.set(after.recordID, (found.get(after.recordID) ?? new Set()).add(field.fieldID));
      }
    },
    /** Adds the collected changes to the stored ones that aren't propagated yet. */
    async write(tx) {
      for (const [recordID, fieldIDs] of found) {
        const known = await tx.get(TITLE_CHANGES, recordID);
        const all = new Set([...(known?.fieldIDs ?? []), ...fieldIDs]);
        tx.put(TITLE_CHANGES, recordID, { recordID, fieldIDs: [...all], changes: (known?.changes ?? 0) + 1 });
      }
    },
  };
}
