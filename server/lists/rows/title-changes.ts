import type { Table, Tx } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { titleIn } from './row-titles.ts';

/**
 * A row that is called something else by columns that rows of other lists are shown by, while it has not been told to
 * those yet. It lies beside the row and is written with it, so that neither a stop nor a full disk loses it.
 */
export interface TitleChange {
  readonly recordID: string;
  /** These columns. */
  readonly fieldIDs: readonly string[];
  /** Counts the changes while it waits. */
  readonly changes: number;
}

/** Key: the row's id. */
export const TITLE_CHANGES: Table<TitleChange> = { name: 'retitled' };

/** What of one write calls rows something else. */
export interface TitleChanges {
  compare(before: Row | undefined, after: Row): void;
  write(tx: Tx): Promise<void>;
}

/** @param naming the columns by which rows of this list are called elsewhere */
export function createTitleChanges(naming: readonly Field[]): TitleChanges {
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
        const known = await tx.get(TITLE_CHANGES, recordID);
        const all = new Set([...(known?.fieldIDs ?? []), ...fieldIDs]);
        tx.put(TITLE_CHANGES, recordID, { recordID, fieldIDs: [...all], changes: (known?.changes ?? 0) + 1 });
      }
    },
  };
}
