import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { ColumnLayout } from '../view/column-layout.ts';
import type { Position } from './editing.ts';
import {
  orderBySlot,
  edgePositions,
  frozenWithin,
  visibleColumns,
  ROOM_FOR_OTHERS,
  scrollToShow,
  visibleRows,
  type Vertical,
  columnWidths,
} from './layout.ts';

/** The tokens `--row-head` and `--row`. */
const [HEAD_REMS, ROW_REMS] = [2.125, 2];
export const FROM = 9;
/** Without scroll events for so long, scrolling is over. */
const REST_MS = 150;

interface Drawn {
  readonly columns: () => readonly ListColumn[];
  readonly arrangement: () => ColumnLayout;
  readonly lines: () => number;
  /** Rem to the left of the list's columns, without {@link FROM}. */
  readonly head: () => number;
  readonly from: () => boolean;
  /** Position of the edited column, drawn also out of view. */
  readonly edited: () => number | undefined;
}

/** The visible part, in pixels. */
export class InView {
  height = $state(0);
  width = $state(0);
  headHeight = $state(34);
  #scrollTop = $state(0);
  #scrollLeft = $state(0);
  /** While scrolling, rows are in reuse order; at rest in reading order. */
  #resting = $state(true);
  #rest: ReturnType<typeof setTimeout> | undefined;
  readonly #drawn: Drawn;

  readonly rem = $derived(this.headHeight / HEAD_REMS);
  readonly rowHeight = $derived(this.rem * ROW_REMS);
  readonly #lead = $derived.by(
    () => this.rem * (this.#drawn.from() ? this.#drawn.head() + FROM : this.#drawn.head()),
  );
  readonly widths = $derived.by(() => {
    const { widths } = this.#drawn.arrangement();
    return columnWidths(
      this.#drawn.columns(),
      (fieldID) => widths[fieldID],
      this.rem,
      this.width - this.#lead,
    );
  });
  readonly columnEdges = $derived(edgePositions(this.widths));
  readonly wholeWidth = $derived(this.#lead + (this.columnEdges.at(-1) ?? 0));
  /** Rows to draw, more than visible. */
  readonly rows = $derived.by(() => this.#visibleRows());
  readonly seen = $derived.by(() => this.#visibleRows(0));
  readonly frozen = $derived.by(() =>
    frozenWithin(
      this.columnEdges,
      this.#drawn.arrangement().frozen,
      this.width - this.rem * (this.#drawn.head() + ROOM_FOR_OTHERS),
    ),
  );
  readonly #frozenWidth = $derived(this.columnEdges[this.frozen] ?? 0);
  readonly across = $derived.by(() => {
    const { first, end } = visibleColumns(this.columnEdges, this.#scrollLeft, this.width);
    const edited = this.#drawn.edited();
    return {
      first: Math.max(this.frozen, Math.min(first, edited ?? first)),
      end: Math.max(this.frozen, end, (edited ?? -1) + 1),
    };
  });
  /** One grid template for all: per-cell styles would be recomputed while scrolling. */
  readonly tracks = $derived.by(() =>
    [
      this.#drawn.from() ? 'var(--head) var(--from)' : 'var(--head)',
      ...this.widths.slice(0, this.frozen).map((pixels) => `${pixels}px`),
      `${(this.columnEdges[this.across.first] ?? 0) - this.#frozenWidth}px`,
      ...this.widths.slice(this.across.first, this.across.end).map((pixels) => `${pixels}px`),
    ].join(' '),
  );
  readonly drawn = $derived(
    this.#resting ? orderBySlot(this.rows).sort((a, b) => a - b) : orderBySlot(this.rows),
  );

  constructor(drawn: Drawn) {
    this.#drawn = drawn;
  }

  /** Returns the visible rows, with `overscan` rows above and below. */
  #visibleRows(overscan?: number): Vertical {
    const room = Math.max(0, this.height - this.headHeight);
    return visibleRows(this.#drawn.lines(), this.rowHeight, this.#scrollTop, room, overscan);
  }

  /**
   * Takes over the scroll position. Draws rows in an order that reuses their elements, unless `keeps`; 150 ms after the
   * last call in reading order, for screen readers.
   */
  followScroll(grid: HTMLElement, keeps: boolean): void {
    this.#scrollTop = grid.scrollTop;
    this.#scrollLeft = Math.abs(grid.scrollLeft);
    if (!keeps) this.#resting = false;
    this.cancelReordering();
    this.#rest = setTimeout(() => (this.#resting = true), REST_MS);
  }

  /** Cancels the timer of {@link followScroll}. */
  cancelReordering(): void {
    clearTimeout(this.#rest);
  }

  /** Scrolls just enough to show a cell completely. */
  revealCell(grid: HTMLElement, { row, column }: Position): void {
    const room = this.height - this.headHeight;
    const top = scrollToShow(row, this.#drawn.lines(), this.rowHeight, grid.scrollTop, room);
    if (top !== undefined) grid.scrollTop = top;
    if (column < this.frozen) return;
    const start = this.columnEdges[column] ?? 0;
    const stop = this.columnEdges[column + 1] ?? start;
    const direction = getComputedStyle(grid).direction === 'rtl' ? -1 : 1;
    const left = Math.abs(grid.scrollLeft);
    if (start - this.#frozenWidth < left) grid.scrollLeft = (start - this.#frozenWidth) * direction;
    else if (stop + this.#lead > left + this.width)
      grid.scrollLeft = (stop + this.#lead - this.width) * direction;
  }
}
