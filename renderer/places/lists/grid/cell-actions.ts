import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import type { RowValues } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import { createEmptyBlock, fillDownBlock, pasteBlock, pasteRange, type Block } from './block.ts';
import type { Cells } from './cells.svelte.ts';
import { clipboardDataFor, MAX_ROWS, readClipboard, type Copied } from './clipboard.ts';
import type { Edits } from './edits.svelte.ts';
import { withinRows, type Range } from './editing.ts';
import type { Rows } from './rows.svelte.ts';

interface MarkedDeps {
  readonly app: App;
  readonly rows: Rows;
  readonly cells: Cells;
  readonly edits: Pick<Edits, 'changeBlock'>;
  readonly columns: () => readonly ListColumn[];
  /** Returns a row's values that the node hasn't confirmed; undefined if there are none. */
  readonly pending: (recordID: string) => RowValues | undefined;
}

export class CellActions {
  readonly #deps: MarkedDeps;
  /** For copying once the key is pressed again, with the row numbers. */
  #fetched: (Pick<Range, 'top' | 'bottom'> & { readonly rows: readonly GridRow[] }) | undefined;

  constructor(deps: MarkedDeps) {
    this.#deps = deps;
  }

  /** Empties the range's cells. Asks and reports like {@link Cells.put}. Returns whether they were written. */
  empty(range: Range): Promise<boolean> {
    return this.#deps.edits.changeBlock(this.#fetchAndPut(range, createEmptyBlock));
  }

  /** Writes the range's first row into the rows below it; into a single row, the values above it. */
  fillDown(range: Range): Promise<boolean> {
    const top = range.bottom - range.top === 1 ? Math.max(0, range.top - 1) : range.top;
    return this.#deps.edits.changeBlock(this.#fetchAndPut({ ...range, top }, fillDownBlock));
  }

  /**
   * Copies the range and says how many cells; refuses too many. Fetches missing rows; if the browser then refuses, asks
   * for another press of the key.
   * @param isCut empties what was copied
   */
  copy(event: ClipboardEvent, range: Range, isCut = false): void {
    const { top, bottom } = withinRows(range, this.#deps.rows.total ?? 0);
    event.preventDefault();
    if (bottom <= top || this.#isTooMany({ ...range, top, bottom })) return;
    const here = Array.from({ length: bottom - top }, (_, line) => this.#deps.rows.rowAt(top + line));
    const fetched = this.#fetched?.top === top && this.#fetched.bottom === bottom ? this.#fetched.rows : [];
    this.#fetched = undefined;
    // Other rows are in view since: another order, filter or list.
    const isSame = fetched.every(({ recordID }, line) => (here[line]?.recordID ?? recordID) === recordID);
    const known = here
      .map((row, line) => (row ? this.#withPending(row) : isSame ? fetched[line] : undefined))
      .filter((row) => row !== undefined);
    if (known.length !== bottom - top) {
      const copied = this.#copyFetched(range, isCut);
      void (isCut ? this.#deps.edits.changeBlock(copied) : copied);
      return;
    }
    const { text, html } = clipboardDataFor(known, this.#columnsOf(range), this.#deps.app);
    event.clipboardData?.setData('text/plain', text);
    event.clipboardData?.setData('text/html', html);
    void this.#onCopied(range, isCut);
  }

  /**
   * Writes the clipboard's cells from the range's corner on, as far as they fit. Returns the range without columns that
   * don't exist; undefined for an empty clipboard, too many rows, rows gone, a failure, or if the user declines.
   */
  async paste(event: ClipboardEvent, range: Range): Promise<Range | undefined> {
    if (!event.clipboardData) return undefined;
    event.preventDefault();
    const copied = readClipboard(event.clipboardData);
    if (!copied) this.#notifyTooMany();
    if (!copied?.length) return undefined;
    const target = pasteRange(copied, range);
    if (this.#isTooMany(target)) return undefined;
    return this.#deps.edits.changeBlock(this.#pasteInto(target, copied));
  }

  /** Writes copied cells into the range. Returns it without columns that don't exist; undefined if nothing is written. */
  async #pasteInto(target: Range, copied: Copied): Promise<Range | undefined> {
    const known = await this.#fetchRowsOf(target);
    if (!known) return undefined;
    const columns = this.#columnsOf(target);
    const places = Array.from({ length: target.bottom - target.top }, (_, line) => known[line]);
    const tooWide = target.right - target.left - columns.length;
    const isIn = await this.#deps.cells.put(pasteBlock(copied, columns, places), tooWide);
    return isIn ? { ...target, right: target.left + columns.length } : undefined;
  }

  /** Writes the block that `createBlock` makes of the range's rows. Returns false if nothing is written. */
  async #fetchAndPut(
    range: Range,
    createBlock: (columns: readonly ListColumn[], rows: readonly GridRow[]) => Block,
  ): Promise<boolean> {
    const found = await this.#fetchRowsOf(range);
    return found !== undefined && this.#deps.cells.put(createBlock(this.#columnsOf(range), found));
  }

  /** Returns the range's columns, without `right`; fewer, even none, if the range goes beyond the last column. */
  #columnsOf({ left, right }: Range): readonly ListColumn[] {
    return this.#deps.columns().slice(left, right);
  }

  /**
   * Returns the range's rows, fetched if out of view. If some are gone, says so, refreshes and returns undefined: their
   * values must not become new rows. Undefined also after a failure, which is reported.
   */
  async #fetchRowsOf(range: Range): Promise<readonly GridRow[] | undefined> {
    const { top, bottom } = withinRows(range, this.#deps.rows.total ?? 0);
    const found = await this.#deps.app.attempt(() => this.#deps.rows.fetchRange(top, bottom));
    if (!found || found.length >= bottom - top) return found?.map((row) => this.#withPending(row));
    this.#deps.app.notices.fail(this.#deps.app.t('cells.rows-gone'));
    this.#deps.rows.refresh();
    return undefined;
  }

  /** Returns the row as the user sees it, with values that the node hasn't confirmed. */
  #withPending(row: GridRow): GridRow {
    const pending = Object.entries(this.#deps.pending(row.recordID) ?? {});
    const values = pending.map(([name, texts]): [string, string[]] => [name, [...texts]]);
    return { ...row, values: { ...row.values, ...Object.fromEntries(values) } };
  }

  /** Returns whether the range has more rows than one copy or paste may have, and says so. */
  #isTooMany({ top, bottom }: Range): boolean {
    const many = bottom - top > MAX_ROWS;
    if (many) this.#notifyTooMany();
    return many;
  }

  #notifyTooMany(): void {
    this.#deps.app.notices.fail(this.#deps.app.t('cells.too-many', { n: MAX_ROWS }));
  }

  /**
   * Fetches missing rows and copies them. If the browser copies only within a key press, keeps the rows and asks for
   * another. Returns whether cut cells were emptied.
   */
  async #copyFetched(range: Range, isCut: boolean): Promise<boolean> {
    const rows = await this.#fetchRowsOf(range);
    if (!rows) return false;
    const { text, html } = clipboardDataFor(rows, this.#columnsOf(range), this.#deps.app);
    const blobs = Object.entries({ 'text/plain': text, 'text/html': html }).map(
      ([type, content]): [string, Blob] => [type, new Blob([content], { type })],
    );
    try {
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    } catch {
      this.#fetched = { ...withinRows(range, this.#deps.rows.total ?? 0), rows };
      this.#deps.app.notices.say(this.#deps.app.t('cells.copy-again'));
      return false;
    }
    return this.#onCopied(range, isCut);
  }

  /** Empties cut cells, and says how many were copied. Returns whether cells were emptied. */
  #onCopied(range: Range, isCut: boolean): Promise<boolean> {
    const emptied = isCut ? this.empty(range) : Promise.resolve(false);
    const { top, bottom } = withinRows(range, this.#deps.rows.total ?? 0);
    this.#deps.app.notices.say(
      this.#deps.app.t('cells.copied', { n: (bottom - top) * this.#columnsOf(range).length }),
    );
    return emptied;
  }
}

interface TickingDeps {
  readonly app: Pick<App, 'attempt'>;
  readonly rows: Pick<Rows, 'fetchRange'>;
  readonly ticked: () => ReadonlySet<string>;
  readonly ontick: (ticked: ReadonlySet<string>) => void;
}

export class RowSelection {
  readonly #deps: TickingDeps;
  #last = 0;
  #running: Promise<void> | undefined;

  constructor(deps: TickingDeps) {
    this.#deps = deps;
  }

  /** Selects or deselects a row; with `through`, also the rows between it and the last one. */
  async selectRow(index: number, on: boolean, through: boolean): Promise<void> {
    const last = through ? this.#last : index;
    this.#last = index;
    await this.selectRange(Math.min(last, index), Math.max(last, index) + 1, on);
  }

  /** Resolves once rows that are being fetched are selected; undefined if there are none. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Selects or deselects rows up to `end`, exclusive; fetches those out of view. Reports a failure. */
  async selectRange(start: number, end: number, on: boolean): Promise<void> {
    const selected = this.#selectFetched(start, end, on);
    this.#running = selected;
    await selected;
    if (this.#running === selected) this.#running = undefined;
  }

  /** Selects or deselects the rows once they are fetched. */
  async #selectFetched(start: number, end: number, on: boolean): Promise<void> {
    const { app, rows, ticked, ontick } = this.#deps;
    const found = await app.attempt(() => rows.fetchRange(start, end));
    const next = new Set(ticked());
    for (const { recordID } of found ?? []) {
      if (on) next.add(recordID);
      else next.delete(recordID);
    }
    ontick(next);
  }
}
