import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import { emptied, filledDown, pasted, targetOf } from './block.ts';
import type { Cells } from './cells.svelte.ts';
import { copiedOf, MOST_ROWS, readCopied } from './copied.ts';
import { withinRows, type Range } from './range.ts';
import type { Rows } from './rows.svelte.ts';

/** What is done with the cells that are marked in the grid. */
export interface Marked {
  empty(range: Range): Promise<void>;
  /** The first row's values into those below; into a single cell, the value above it. */
  fillDown(range: Range): Promise<void>;
  copy(event: ClipboardEvent, range: Range): void;
  /** Answers the cells that took what was pasted; undefined where nothing went in. */
  paste(event: ClipboardEvent, range: Range): Promise<Range | undefined>;
}

export function createMarked(deps: {
  readonly app: App;
  readonly rows: Rows;
  readonly cells: Cells;
  readonly columns: () => readonly ListColumn[];
}): Marked {
  const { app, rows, cells } = deps;
  const columnsOf = ({ left, right }: Range): readonly ListColumn[] => deps.columns().slice(left, right);
  /** Rows that had to be fetched to be copied, for the next try. */
  let fetched: readonly GridRow[] | undefined;

  /**
   * The rows of these cells; those out of view are read first. Undefined where not all of them are to be had: what is
   * meant for a row must not become a new one.
   */
  async function rowsOf(range: Range): Promise<readonly GridRow[] | undefined> {
    const { top, bottom } = withinRows(range, rows.total ?? 0);
    const found = await app.attempt(() => rows.between(top, bottom));
    if (!found || found.length >= bottom - top) return found;
    app.notices.fail(app.t('cells.rows-gone'));
    rows.refresh();
    return undefined;
  }

  function isTooMany({ top, bottom }: Range): boolean {
    const many = bottom - top > MOST_ROWS;
    if (many) app.notices.fail(app.t('cells.too-many', { n: MOST_ROWS }));
    return many;
  }

  /** Where the clipboard cannot be reached without a key, the rows are there for the next one. */
  async function copyFetched(range: Range): Promise<void> {
    fetched = await rowsOf(range);
    if (!fetched) return;
    const { text, html } = copiedOf(fetched, columnsOf(range), app);
    const blobs = Object.entries({ 'text/plain': text, 'text/html': html }).map(
      ([type, content]): [string, Blob] => [type, new Blob([content], { type })],
    );
    try {
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
      fetched = undefined;
      tellCopied(range);
    } catch {
      app.notices.say(app.t('cells.copy-again'));
    }
  }

  const tellCopied = (range: Range): void => {
    const { top, bottom } = withinRows(range, rows.total ?? 0);
    app.notices.say(app.t('cells.copied', { n: (bottom - top) * columnsOf(range).length }));
  };

  return {
    async empty(range) {
      const found = await rowsOf(range);
      if (found) await cells.put(emptied(columnsOf(range), found));
    },
    async fillDown(range) {
      const top = range.bottom - range.top === 1 ? Math.max(0, range.top - 1) : range.top;
      const found = await rowsOf({ ...range, top });
      if (found) await cells.put(filledDown(columnsOf(range), found));
    },
    copy(event, range) {
      const { top, bottom } = withinRows(range, rows.total ?? 0);
      event.preventDefault();
      if (bottom <= top || isTooMany({ ...range, top, bottom })) return;
      const here = Array.from({ length: bottom - top }, (_, line) => rows.at(top + line));
      const seen = here.filter((row) => row !== undefined);
      const known = seen.length < bottom - top ? (fetched ?? seen) : seen;
      fetched = undefined;
      if (known.length !== bottom - top) {
        void copyFetched(range);
        return;
      }
      const { text, html } = copiedOf(known, columnsOf(range), app);
      event.clipboardData?.setData('text/plain', text);
      event.clipboardData?.setData('text/html', html);
      tellCopied(range);
    },
    async paste(event, range) {
      if (!event.clipboardData) return undefined;
      event.preventDefault();
      const copied = readCopied(event.clipboardData);
      const target = targetOf(copied, range);
      if (copied.length === 0 || isTooMany(target)) return undefined;
      const known = await rowsOf(target);
      if (!known) return undefined;
      const columns = columnsOf(target);
      const places = Array.from({ length: target.bottom - target.top }, (_, line) => known[line]);
      const tooWide = target.right - target.left - columns.length;
      const isIn = await cells.put(pasted(copied, columns, places), tooWide);
      return isIn ? { ...target, right: target.left + columns.length } : undefined;
    },
  };
}
