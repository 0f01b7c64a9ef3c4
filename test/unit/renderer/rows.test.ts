import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Rows, PAGE } from '../../../renderer/places/lists/grid/rows.svelte.ts';
import type { GridPage, GridRow } from '../../../server/contract/app/lists.ts';

const TOTAL = 100_000;
const IN_VIEW = 40;

interface Asked {
  readonly page: number;
  readonly signal: AbortSignal;
  answer(): Promise<void>;
}

/** Rows whose pages come when the test says so. */
function rowsOnCall(): { rows: Rows; asked: Asked[]; settle: () => Promise<void> } {
  const asked: Asked[] = [];
  const rows = new Rows(
    (offset, limit, signal) =>
      new Promise<GridPage>((resolve) => {
        const page = {
          offset,
          total: TOTAL,
          rows: Array.from({ length: limit }, (_, n) => ({ recordID: String(offset + n) }) as GridRow),
        };
        const answer = async (): Promise<void> => {
          resolve(page);
          await Promise.resolve();
          await Promise.resolve();
        };
        asked.push({ page: offset / PAGE, signal, answer });
      }),
  );
  const settle = async (): Promise<void> => {
    // An answer may ask for more; those come last.
    for (const call of asked) await call.answer();
  };
  return { rows, asked, settle };
}

const pagesOf = (asked: readonly Asked[]): number[] => asked.map(({ page }) => page);

describe('the rows of the grid', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are there before they come into view, whichever way one scrolls', async () => {
    const { rows, asked, settle } = rowsOnCall();
    rows.showRange(0, IN_VIEW);
    await settle();
    expect(pagesOf(asked)).toEqual([0, 1]);
    rows.showRange(120, 120 + IN_VIEW);
    vi.advanceTimersByTime(1000);
    await settle();
    expect(pagesOf(asked)).toEqual([0, 1, 2]);
    expect(rows.rowAt(250)?.recordID).toBe('250');
    rows.showRange(50_000, 50_000 + IN_VIEW);
    await settle();
    vi.advanceTimersByTime(1000);
    rows.showRange(49_990, 49_990 + IN_VIEW);
    await settle();
    expect(pagesOf(asked).slice(3)).toEqual([500, 501, 499, 498]);
  });

  it('are shown as they come, and fetched once more after that, where the list changes faster than they come', async () => {
    const { rows, asked } = rowsOnCall();
    rows.showRange(0, IN_VIEW);
    for (let change = 0; change < 9; change++) rows.refreshAfterAnswers();
    await asked[0]?.answer();
    expect(rows.rowAt(5)?.recordID).toBe('5');
    for (let change = 0; change < 9; change++) rows.refreshAfterAnswers();
    for (const { signal } of asked) expect(signal.aborted).toBe(false);
    await asked[1]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(pagesOf(asked)).toEqual([0, 1, 0]);
    rows.refresh();
    expect(asked[2]?.signal.aborted).toBe(true);
    rows.refreshAfterAnswers();
    rows.abortRequests();
    await vi.advanceTimersByTimeAsync(0);
    expect(pagesOf(asked)).toEqual([0, 1, 0, 0]);
  });

  it('are not asked for at every step while one drags, and at the end those in view come', async () => {
    const { rows, asked, settle } = rowsOnCall();
    rows.showRange(0, IN_VIEW);
    await settle();
    const before = asked.length;
    // A second at sixty frames, eight pages each.
    for (let step = 1; step <= 60; step++) {
      rows.showRange(step * 800, step * 800 + IN_VIEW);
      vi.advanceTimersByTime(1000 / 60);
      await settle();
    }
    expect(asked.length - before).toBeLessThan(30);
    vi.advanceTimersByTime(200);
    await settle();
    expect(rows.rowAt(48_000)?.recordID).toBe('48000');
  });

  it('come at once after a single jump', () => {
    const { rows, asked } = rowsOnCall();
    rows.showRange(70_000, 70_000 + IN_VIEW);
    expect(pagesOf(asked)).toEqual([700]);
  });

  it('that nobody looks at any more are not waited for', async () => {
    const { rows, asked } = rowsOnCall();
    rows.showRange(0, IN_VIEW);
    await asked[0]?.answer();
    rows.showRange(70_000, 70_000 + IN_VIEW);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, true, false, false]);
    expect(pagesOf(asked)).toEqual([0, 1, 700, 701]);
  });

  it('stay while they are fetched anew, and only those in view are', async () => {
    const { rows, asked, settle } = rowsOnCall();
    rows.showRange(0, IN_VIEW);
    await settle();
    rows.refresh();
    expect(rows.rowAt(5)?.recordID).toBe('5');
    expect(pagesOf(asked).slice(2)).toEqual([0]);
  });

  it('nothing is asked for once the list is left', async () => {
    const { rows, asked } = rowsOnCall();
    rows.showRange(0, IN_VIEW);
    rows.showRange(5000, 5000 + IN_VIEW);
    rows.showRange(9000, 9000 + IN_VIEW);
    const before = asked.length;
    rows.abortRequests();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.length).toBe(before);
    expect(asked.every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('are given without a gap where many are wanted that were never in view', async () => {
    const { rows, asked, settle } = rowsOnCall();
    rows.showRange(0, IN_VIEW);
    await settle();
    const found = rows.fetchRange(10, 1234);
    for (let turn = 0; turn < 10; turn++) {
      await settle();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect((await found).map(({ recordID }) => Number(recordID))).toEqual(
      Array.from({ length: 1224 }, (_, at) => 10 + at),
    );
    expect(asked.length).toBeLessThan(8);
  });

  it('are all there where they are so large that they come a few at a time', async () => {
    const total = 130;
    const rows = new Rows((offset, limit) =>
      Promise.resolve({
        offset,
        total,
        rows: Array.from(
          { length: Math.min(7, limit, total - offset) },
          (_, n) => ({ recordID: String(offset + n) }) as GridRow,
        ),
      }),
    );
    rows.showRange(90, total);
    await vi.advanceTimersByTimeAsync(1000);
    expect([0, 6, 7, 99, 100, 129].map((at) => rows.rowAt(at)?.recordID)).toEqual([
      '0',
      '6',
      '7',
      '99',
      '100',
      '129',
    ]);
    rows.abortRequests();
  });
});
