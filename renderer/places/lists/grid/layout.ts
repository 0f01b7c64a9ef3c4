import type { ListColumn } from '../../../../server/contract/app/lists.ts';

/** Browsers draw so many pixels reliably; longer lists scroll in larger steps. */
export const TALLEST = 15_000_000;

export interface Window {
  readonly first: number;
  readonly end: number;
}

export interface Vertical extends Window {
  readonly height: number;
  /** Rows drawn of a long list, wherever scrolled. */
  readonly size: number;
  /** Vertical position in the body. */
  top(index: number): number;
}

/**
 * Returns rows to draw at a scroll position (pixels) by virtual scrolling, with `overscan` around the visible ones.
 * Their number is constant, so that leaving rows' elements are reused. A list above {@link TALLEST} is drawn in a
 * smaller height, whose scroll position is scaled up.
 */
export function visibleRows(
  total: number,
  rowHeight: number,
  scrollTop: number,
  viewport: number,
  overscan = 8,
): Vertical {
  const full = total * rowHeight;
  const height = Math.min(full, TALLEST);
  const room = Math.max(1, height - viewport);
  const scale = full > TALLEST ? (full - viewport) / room : 1;
  const position = scrollTop * scale;
  const size = Math.ceil(viewport / rowHeight) + 1 + 2 * overscan;
  const wanted = Math.floor(position / rowHeight) - overscan;
  const first = Math.max(0, Math.min(total - size, wanted));
  return {
    first,
    end: Math.min(total, first + size),
    size,
    height,
    // A row that is drawn out of view must not lengthen the scroll bar.
    top: (index) => Math.min(height - rowHeight, index * rowHeight - position + scrollTop),
  };
}

/** Returns indexes in an order in which each drawn row keeps its element while the range moves. */
export function orderBySlot({ first, end, size }: Pick<Vertical, 'first' | 'end' | 'size'>): number[] {
  const rows: number[] = [];
  for (let index = first; index < end; index++) rows.push(index);
  // Shorter than the window: reuses nothing.
  if (rows.length < size) return rows;
  return rows.sort((a, b) => (a % size) - (b % size));
}

/** Returns the scroll position, scaled as by {@link visibleRows}, that shows the whole row; undefined if visible. */
export function scrollToShow(
  index: number,
  total: number,
  rowHeight: number,
  scrollTop: number,
  viewport: number,
): number | undefined {
  const full = total * rowHeight;
  const scale = full > TALLEST ? (full - viewport) / Math.max(1, TALLEST - viewport) : 1;
  const position = scrollTop * scale;
  const top = index * rowHeight;
  if (top < position) return top / scale;
  if (top + rowHeight > position + viewport) return (top + rowHeight - viewport) / scale;
  return undefined;
}

const REMS: Partial<Record<ListColumn['kind'], number>> = {
  Number: 7,
  Bool: 5,
  DateTime: 10,
  Email: 14,
  Url: 14,
};

/** Returns a column's width in pixels by its kind; at least by the label or else the name, up to 18 rem. */
function defaultWidth(column: Pick<ListColumn, 'kind' | 'label' | 'name'>, rem: number): number {
  const title = Math.min(18, (column.label || column.name).length * 0.5 + 3);
  return Math.round(Math.max(REMS[column.kind] ?? 11, title) * rem);
}

/** Take the remaining room. */
const WANT_ROOM: ReadonlySet<ListColumn['kind']> = new Set([
  'String',
  'Email',
  'Url',
  'Select',
  'Record',
  'User',
  'File',
]);

/**
 * Returns the columns' widths in pixels. Widths `chosen` by the user (in rem) stay; text columns, or without any all
 * others, share the remaining `room` (pixels).
 * @param rem pixels of one rem
 */
export function columnWidths(
  columns: readonly Pick<ListColumn, 'fieldID' | 'kind' | 'label' | 'name'>[],
  chosen: (fieldID: string) => number | undefined,
  rem: number,
  room: number,
): readonly number[] {
  const own = columns.map(({ fieldID }) => chosen(fieldID));
  const widths = columns.map(
    (column, index) => Math.round((own[index] ?? 0) * rem) || defaultWidth(column, rem),
  );
  const free = columns.map((_, index) => own[index] === undefined);
  const wanting = columns.map(({ kind }, index) => free[index] === true && WANT_ROOM.has(kind));
  const taking = wanting.includes(true) ? wanting : free;
  const weights = widths.map((width, index) => (taking[index] ? width : 0));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const spare = room - widths.reduce((sum, width) => sum + width, 0);
  if (spare <= 0 || all === 0) return widths;
  return widths.map((width, index) => width + Math.floor((spare * (weights[index] ?? 0)) / all));
}

/** Returns the columns' left edges, and the last one's right edge, in pixels. */
export function edgePositions(widths: readonly number[]): readonly number[] {
  const result = [0];
  for (const width of widths) result.push((result.at(-1) ?? 0) + width);
  return result;
}

/** In rem, left by frozen columns. */
export const ROOM_FOR_OTHERS = 11;

/** Returns how many of the `wanted` columns fit within this width. */
export function frozenWithin(columnEdges: readonly number[], wanted: number, room: number): number {
  let frozen = Math.min(wanted, columnEdges.length - 1);
  while (frozen > 0 && (columnEdges[frozen] ?? 0) > room) frozen--;
  return frozen;
}

/** Returns the columns to draw: the visible ones and `overscan` on both sides. */
export function visibleColumns(
  columnEdges: readonly number[],
  scrollLeft: number,
  viewport: number,
  overscan = 2,
): Window {
  const count = columnEdges.length - 1;
  let first = 0;
  while (first < count - 1 && (columnEdges[first + 1] ?? 0) <= scrollLeft) first++;
  let end = first;
  while (end < count && (columnEdges[end] ?? 0) < scrollLeft + viewport) end++;
  return { first: Math.max(0, first - overscan), end: Math.min(count, end + overscan) };
}
