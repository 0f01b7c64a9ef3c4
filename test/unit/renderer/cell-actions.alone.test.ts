import { afterEach, expect, it, vi } from 'vitest';
import { CellActions } from '../../../renderer/places/lists/grid/cell-actions.ts';
import type { Rows } from '../../../renderer/places/lists/grid/rows.svelte.ts';
import type { App } from '../../../renderer/state/app.svelte.ts';
import type { GridRow, ListColumn } from '../../../server/contract/app/lists.ts';

// It needs a document.
vi.mock('../../../renderer/places/lists/grid/clipboard.ts', () => ({
  MAX_ROWS: 1000,
  clipboardDataFor: (rows: readonly GridRow[]) => ({ text: rows.map(({ recordID }) => recordID).join() }),
}));
afterEach(() => void vi.unstubAllGlobals());

const row = (recordID: string): GridRow => ({ recordID, values: {} }) as unknown as GridRow;

/** A list of a thousand rows, of which the first ten are in view; the browser copies only within a key press. */
function openList(): {
  copy: (top: number, bottom: number) => Promise<string | undefined>;
  reverse: () => void;
} {
  vi.stubGlobal('navigator', { clipboard: { write: () => Promise.reject(new Error('no key press')) } });
  vi.stubGlobal('ClipboardItem', Object);
  let ids = Array.from({ length: 1000 }, (_, at) => `${at}`);
  const actions = new CellActions({
    app: {
      attempt: (task: () => unknown) => task(),
      notices: { say: () => undefined },
      t: (key: string) => key,
    } as unknown as App,
    rows: {
      total: ids.length,
      rowAt: (at: number) => (at < 10 ? row(ids[at] ?? '') : undefined),
      fetchRange: (first: number, end: number) => Promise.resolve(ids.slice(first, end).map(row)),
    } as unknown as Rows,
    ...{ cells: {} as never, edits: {} as never },
    columns: () => [{ name: 'Name' } as unknown as ListColumn],
    pending: () => undefined,
  });
  return {
    reverse: () => {
      ids = ids.toReversed();
    },
    async copy(top, bottom) {
      let copied: string | undefined;
      const clipboardData = {
        setData: (type: string, text: string) => {
          if (type === 'text/plain') copied = text;
        },
      };
      const event = { preventDefault: () => undefined, clipboardData } as unknown as ClipboardEvent;
      actions.copy(event, { top, bottom, left: 0, right: 1 });
      await new Promise((resolve) => setTimeout(resolve, 0));
      return copied;
    },
  };
}

it('copies rows out of view once the key is pressed again', async () => {
  const { copy } = openList();
  expect([await copy(8, 12), await copy(8, 12)]).toEqual([undefined, '8,9,10,11']);
});

it('never copies rows that were fetched for another range, or are in another order', async () => {
  const { copy, reverse } = openList();
  await copy(100, 102);
  expect([await copy(500, 502), await copy(500, 502)]).toEqual([undefined, '500,501']);
  await copy(8, 12);
  reverse();
  expect([await copy(8, 12), await copy(8, 12)]).toEqual([undefined, '991,990,989,988']);
});
