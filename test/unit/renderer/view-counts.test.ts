import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ViewCounts } from '../../../renderer/places/lists/view/view-counts.svelte.ts';

describe('the rows of views', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function counting(rows: Record<string, number | undefined>): {
    counts: ViewCounts;
    asked: string[];
  } {
    const asked: string[] = [];
    const counts = new ViewCounts((viewID) => {
      asked.push(viewID);
      return Promise.resolve(rows[viewID]);
    });
    return { counts, asked };
  }

  it('are counted of those that are seen, one after the other, and once', async () => {
    const { counts, asked } = counting({ a: 3, b: 5, c: 7 });
    counts.countVisible(['a', 'b']);
    expect(asked).toEqual(['a']);
    await vi.runAllTimersAsync();
    counts.countVisible(['b', 'a']);
    await vi.runAllTimersAsync();
    expect(asked).toEqual(['a', 'b']);
    expect(['a', 'b', 'c'].map((viewID) => counts.countOf(viewID))).toEqual([3, 5, undefined]);
  });

  it('are counted again once for all that happens within a second', async () => {
    const rows = { a: 3 };
    const { counts, asked } = counting(rows);
    counts.countVisible(['a']);
    await vi.runAllTimersAsync();
    rows.a = 4;
    for (let times = 0; times < 20; times++) counts.invalidate();
    expect(counts.countOf('a')).toBe(3);
    await vi.runAllTimersAsync();
    expect(counts.countOf('a')).toBe(4);
    expect(asked).toEqual(['a', 'a']);
  });

  it('take a small part of the time to count, however long that takes and however often they change', async () => {
    const asked: string[] = [];
    const counts = new ViewCounts(async (viewID) => {
      asked.push(viewID);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return asked.length;
    });
    counts.countVisible(['a', 'b']);
    for (let at = 0; at < 200; at++) {
      await vi.advanceTimersByTimeAsync(200);
      counts.invalidate();
    }
    expect(asked.length).toBeLessThan(12);
    await vi.runAllTimersAsync();
    expect(counts.countOf('b')).toBe(asked.length);
  });

  it('of one that cannot be counted are not asked for without end, and hold up no other', async () => {
    const { counts, asked } = counting({ a: undefined, b: 5 });
    counts.countVisible(['a', 'b']);
    await vi.runAllTimersAsync();
    expect(asked).toEqual(['a', 'b']);
    expect([counts.countOf('a'), counts.countOf('b')]).toEqual([undefined, 5]);
  });

  it('are not asked for any more once nobody looks', async () => {
    const { counts, asked } = counting({ a: 3 });
    counts.countVisible(['a']);
    await vi.runAllTimersAsync();
    counts.invalidate();
    counts.stopCounting();
    await vi.runAllTimersAsync();
    expect(asked).toEqual(['a']);
  });
});
