import { describe, expect, it } from 'vitest';
import type { GridRow } from '../../../server/contract/app/lists.ts';
import {
  RowsBelowFold,
  MAX_SEARCHED_ROWS,
} from '../../../renderer/places/lists/grid/rows-below-fold.svelte.ts';

const rowAt = (at: number): GridRow => ({ recordID: String(at) }) as GridRow;

/** A sorted list of so many rows, of which one that is new stands there. */
function sortedList(
  total: number,
  place: number,
  fetched: (signal: AbortSignal | undefined) => Promise<unknown> = () => Promise.resolve(),
): { readonly further: RowsBelowFold; readonly read: number[] } {
  const read: number[] = [];
  const further = new RowsBelowFold({
    moduleID: '1',
    isNew: ({ recordID }) => recordID === String(place),
    sorted: () => true,
    rows: {
      ...{ grown: 1, total },
      async fetchRange(first, end, signal) {
        read.push(end - first);
        await fetched(signal);
        return Array.from({ length: end - first }, (_, at) => rowAt(first + at));
      },
    },
  });
  return { further, read };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

describe('a new row out of sight in a sorted list', () => {
  it('is found where it stands', async () => {
    const { further, read } = sortedList(9000, 1234);
    const found = await further.findNewRow();
    expect(found).toMatchObject({ at: 1234 });
    expect(sum(read)).toBe(1500);
    expect(await sortedList(9000, -1).further.findNewRow()).toBe('none');
  });

  it('is looked for among so many of the first rows and no more', async () => {
    const { further, read } = sortedList(10_000_000, 9_000_000);
    expect(await further.findNewRow()).toBe('too far');
    expect(sum(read)).toBe(MAX_SEARCHED_ROWS);
    expect(await sortedList(MAX_SEARCHED_ROWS, -1).further.findNewRow()).toBe('none');
  });

  it('is found at the end of one that is not sorted, however many came of our own before it', async () => {
    const own = MAX_SEARCHED_ROWS + 2000;
    const further = new RowsBelowFold({
      moduleID: '1',
      isNew: ({ recordID }) => recordID === String(9000 + own - 1),
      sorted: () => false,
      rows: {
        ...{ grown: own, total: 9000 + own },
        fetchRange: (first, end) =>
          Promise.resolve(Array.from({ length: end - first }, (_, at) => rowAt(first + at))),
      },
    });
    expect(await further.findNewRow()).toMatchObject({ at: 9000 + own - 1 });
  });

  it('is looked for no longer once one has enough of it, and told of still', async () => {
    const held = (signal: AbortSignal | undefined): Promise<unknown> =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('It was ended.'))));
    const { further, read } = sortedList(9000, 8000, held);
    further.countEvent({
      type: 'activity',
      activity: {
        ...{ activityID: '1', nodeID: '2', partner: 'Oslo', at: '2026-01-01T00:00:00Z', message: '' },
        ...{ kind: 'pull', outcome: 'ok', moduleID: '1' },
        counts: { created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 0 },
      },
    });
    const finding = further.findNewRow();
    expect([further.isLooking, further.count]).toEqual([true, 1]);
    further.stopSearch();
    expect(await finding).toBe('stopped');
    expect([further.isLooking, further.count, read.length]).toEqual([false, 1, 1]);
  });
});
