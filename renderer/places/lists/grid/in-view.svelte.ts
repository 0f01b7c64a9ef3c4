import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { ColumnLayout } from '../view/column-layout.ts';
import type { Position } from './editing.ts';
import {
  bySlot,
  edges,
  frozenWithin,
  horizontal,
  ROOM_FOR_OTHERS,
  scrollFor,
  vertical,
  type Vertical,
  widthsOf,
} from './layout.ts';

/** Heights of the head and of a row, as the tokens `--row-head` and `--row` have them. */
const [HEAD_REMS, ROW_REMS] = [2.125, 2];
/** In rem: the column that says from whom a row came. */
export const FROM = 9;
/** It is scrolled no more after so long. */
const REST_MS = 150;

interface Drawn {
  readonly columns: () => readonly ListColumn[];
  readonly arrangement: () => ColumnLayout;
  /** With the one to write a new row into. */
  readonly lines: () => number;
  /** In rem: what stands before the columns of the list; with it {@link FROM}, if that is shown. */
  readonly head: () => number;
  readonly from: () => boolean;
}

/** What of a grid is in view, and where: by its size, by how far it is scrolled, and by how wide the columns are. */
export class InView {
  height = $state(0);
  width = $state(0);
  headHeight = $state(34);
  #scrollTop = $state(0);
  #scrollLeft = $state(0);
  /** While one scrolls, rows stand in the document as they are used again; at rest, as one reads them. */
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
    return widthsOf(this.#drawn.columns(), (fieldID) => widths[fieldID], this.rem, this.width - this.#lead);
  });
  readonly columnEdges = $derived(edges(this.widths));
  readonly wholeWidth = $derived(this.#lead + (this.columnEdges.at(-1) ?? 0));
  /** Those that are drawn, which are some more than have room. */
  readonly rows = $derived.by(() => this.#vertical());
  readonly seen = $derived.by(() => this.#vertical(0));
  readonly frozen = $derived.by(() =>
    frozenWithin(
      this.columnEdges,
      this.#drawn.arrangement().frozen,
      this.width - this.rem * (this.#drawn.head() + ROOM_FOR_OTHERS),
    ),
  );
  readonly #frozenWidth = $derived(this.columnEdges[this.frozen] ?? 0);
  readonly across = $derived.by(() => {
    const { first, end } = horizontal(this.columnEdges, this.#scrollLeft, this.width);
    return { first: Math.max(this.frozen, first), end: Math.max(this.frozen, end) };
  });
  /** One for all rows: a style of its own for each cell would be computed anew for each cell at every step. */
  readonly tracks = $derived.by(() =>
    [
      this.#drawn.from() ? 'var(--head) var(--from)' : 'var(--head)',
      ...this.widths.slice(0, this.frozen).map((pixels) => `${pixels}px`),
      `${(this.columnEdges[this.across.first] ?? 0) - this.#frozenWidth}px`,
      ...this.widths.slice(this.across.first, this.across.end).map((pixels) => `${pixels}px`),
    ].join(' '),
  );
  readonly drawn = $derived(this.#resting ? bySlot(this.rows).sort((a, b) => a - b) : bySlot(this.rows));

  constructor(drawn: Drawn) {
    this.#drawn = drawn;
  }

  #vertical(overscan?: number): Vertical {
    const room = Math.max(0, this.height - this.headHeight);
    return vertical(this.#drawn.lines(), this.rowHeight, this.#scrollTop, room, overscan);
  }

  /** It was scrolled. @param keeps no row takes another place in the document */
  scrolled(grid: HTMLElement, keeps: boolean): void {
    this.#scrollTop = grid.scrollTop;
    this.#scrollLeft = Math.abs(grid.scrollLeft);
    if (!keeps) this.#resting = false;
    this.end();
    this.#rest = setTimeout(() => (this.#resting = true), REST_MS);
  }

  /** Nothing is to come any more of what was scrolled. */
  end(): void {
    clearTimeout(this.#rest);
  }

  /** Scrolls as far as it takes to see a cell. */
  reveal(grid: HTMLElement, { row, column }: Position): void {
    const room = this.height - this.headHeight;
    const top = scrollFor(row, this.#drawn.lines(), this.rowHeight, grid.scrollTop, room);
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
