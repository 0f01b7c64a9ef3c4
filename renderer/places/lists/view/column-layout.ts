import { MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH } from '../../../../server/base/vocabulary.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { ColumnsShown } from '../../../../server/contract/app/views.ts';
import type { Fixed } from '../../../../server/contract/app/calls.ts';

/** Order, widths, hidden and frozen columns. */
export type ColumnLayout = Fixed<ColumnsShown>;

export const LIST_LAYOUT: ColumnLayout = { order: [], hidden: [], widths: {}, frozen: 0 };

/** Returns all columns from left to right, even hidden ones; those unknown to the layout last. */
export function sortColumns(columns: readonly ListColumn[], { order }: ColumnLayout): readonly ListColumn[] {
  const places = new Map(order.map((fieldID, place) => [fieldID, place]));
  const placeOf = ({ fieldID }: ListColumn): number => places.get(fieldID) ?? order.length;
  return [...columns].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Returns visible columns from left to right; all if none were left. */
export function shownColumns(
  columns: readonly ListColumn[],
  arrangement: ColumnLayout,
): readonly ListColumn[] {
  const hidden = new Set(arrangement.hidden);
  const shown = sortColumns(columns, arrangement).filter(({ fieldID }) => !hidden.has(fieldID));
  return shown.length > 0 ? shown : sortColumns(columns, arrangement);
}

/** Returns the layout with a column moved before `before`, which must exist; undefined is the end. */
export function withColumnMoved(
  columns: readonly ListColumn[],
  arrangement: ColumnLayout,
  fieldID: string,
  before: string | undefined,
): ColumnLayout {
  if (before === fieldID) return arrangement;
  const order = sortColumns(columns, arrangement)
    .map((column) => column.fieldID)
    .filter((other) => other !== fieldID);
  order.splice(before === undefined ? order.length : order.indexOf(before), 0, fieldID);
  return { ...arrangement, order };
}

/** Returns the layout with a column hidden or shown. */
export function withColumnHidden(
  arrangement: ColumnLayout,
  fieldID: string,
  isHidden: boolean,
): ColumnLayout {
  const others = arrangement.hidden.filter((other) => other !== fieldID);
  return { ...arrangement, hidden: isHidden ? [...others, fieldID] : others };
}

/** Returns the layout with a column's width in rem, cut to the limits; undefined removes it. */
export function withColumnWidth(
  arrangement: ColumnLayout,
  fieldID: string,
  rems: number | undefined,
): ColumnLayout {
  const { [fieldID]: before, ...others } = arrangement.widths;
  if (rems === undefined) return before === undefined ? arrangement : { ...arrangement, widths: others };
  return {
    ...arrangement,
    widths: { ...others, [fieldID]: Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, rems)) },
  };
}
