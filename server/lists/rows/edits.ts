import { omit } from '../../base/omit.ts';
import type { EditStamps, Provenance, Row, Values } from '../definitions/model.ts';
import { hasSameTexts, valuesOf, withColumn } from '../values/value-sets.ts';

/**
 * Applies a user's write, keeping the old time; the same object if nothing differs. A received column counts as edited
 * while it differs from the received value.
 * @param values checked values of the written columns; `[]` empties one
 */
export function editRow(row: Row, values: Values): Row {
  let edited = row;
  for (const [column, texts] of Object.entries(values)) {
    if (hasSameTexts(valuesOf(edited.values, column), texts)) continue;
    edited = {
      ...edited,
      values: withColumn(edited.values, column, texts),
      ...(edited.received ? { received: markEdit(edited.received, column, texts) } : {}),
    };
  }
  return edited;
}

/** Returns the row with these columns, or all, put back to the received values; the same row if none is edited. */
export function revertRow(row: Row, columns: readonly string[] | undefined): Row {
  const { received } = row;
  const reverted = received?.edited.filter((column) => columns?.includes(column) ?? true) ?? [];
  if (!received || reverted.length === 0) return row;
  return editRow(
    row,
    Object.fromEntries(reverted.map((column) => [column, valuesOf(received.values, column)])),
  );
}

/**
 * Returns the provenance with a column marked as edited if `texts` differ from the received ones, else unmarked;
 * columns not received stay.
 */
function markEdit(received: Provenance, column: string, texts: readonly string[]): Provenance {
  if (!Object.hasOwn(received.values, column)) return received;
  const others = received.edited.filter((name) => name !== column);
  const differs = !hasSameTexts(valuesOf(received.values, column), texts);
  return { ...received, edited: differs ? [...others, column] : others };
}

/** Ignores deletions, restorations and moved columns. */
export const lastEditOf = ({ lastEdit, updatedAt, updatedBy }: Row): EditStamps =>
  lastEdit ?? { updatedAt, updatedBy };

/**
 * Returns `after` with the stamps of the last edit: those of this write if it is an edit, else the former. Omits
 * `lastEdit` if it equals the row's own stamps.
 */
export function keepLastEdit(before: Row, after: Row, isEdit: boolean): Row {
  const rest = after.lastEdit === undefined ? after : omit(after, 'lastEdit');
  const lastEdit = lastEditOf(before);
  const isSame = lastEdit.updatedAt === after.updatedAt && lastEdit.updatedBy === after.updatedBy;
  return isEdit || isSame ? rest : { ...rest, lastEdit };
}
