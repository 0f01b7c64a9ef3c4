import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Highlights } from '../../../renderer/places/lists/grid/highlights.svelte.ts';
import { Rows, type Came } from '../../../renderer/places/lists/grid/rows.svelte.ts';
import type { GridRow } from '../../../server/contract/app/lists.ts';

const OPENED = Date.parse('2026-11-22T10:00:00.400Z');
const EARLIER = '2026-11-22T09:00:00Z';
const NOW = '2026-11-22T10:00:01Z';
const GLOW_MS = 2000;

type Values = Record<string, string[]>;

function received(recordID: string, values: Values, receivedAt: string, own: Values = {}): GridRow {
  const times = { createdAt: receivedAt, updatedAt: receivedAt };
  const from = {
    nodeID: 'berlin',
    partner: 'Berlin office',
    recordID: `t${recordID}`,
    updatedAt: receivedAt,
  };
  return {
    recordID,
    values: { ...values, ...own },
    ...times,
    received: { ...from, receivedAt, values, edited: Object.keys(own) },
  };
}

const ours = (recordID: string, values: Values): GridRow => ({
  recordID,
  values,
  createdAt: NOW,
  updatedAt: NOW,
});

describe('what arrives while one looks on', () => {
  beforeEach(() => void vi.useFakeTimers({ now: OPENED }));
  afterEach(() => void vi.useRealTimers());

  it('glows and then keeps its line until one has gone there: cells that changed, rows that are new', () => {
    const fresh = new Highlights(OPENED);
    fresh.record([received('1', { City: ['Riga'], Name: ['Anna'] }, EARLIER)], 'not');
    expect(fresh.highlightOf('1')).toBeUndefined();
    fresh.record(
      [
        received('1', { City: ['Oslo'], Name: ['Anna'] }, NOW),
        received('2', { City: ['Lyon'] }, NOW),
        received('3', { City: ['Bern'] }, EARLIER),
      ],
      'now',
    );
    expect(fresh.highlightOf('1')).toEqual({ columns: new Set(['City']), glows: true });
    expect(fresh.highlightOf('2')).toEqual({ columns: undefined, glows: true });
    expect(fresh.highlightOf('3')).toBeUndefined();
    expect(fresh.glowing).toBe(2);
    fresh.markSeen('1');
    expect(fresh.highlightOf('1')?.glows).toBe(true);
    vi.advanceTimersByTime(GLOW_MS);
    expect([fresh.glowing, fresh.highlightOf('1')?.glows, fresh.highlightOf('2')?.glows]).toEqual([
      0,
      false,
      false,
    ]);
    fresh.markSeen('1');
    expect([fresh.highlightOf('1'), fresh.highlightOf('2')?.glows]).toEqual([undefined, false]);
  });

  it('glows anew when it changes once more, and tells of all that changed until one has gone there', () => {
    const fresh = new Highlights(OPENED);
    fresh.record([received('1', { City: ['Riga'], Name: ['Anna'] }, EARLIER)], 'not');
    fresh.record([received('1', { City: ['Oslo'], Name: ['Anna'] }, NOW)], 'now');
    vi.advanceTimersByTime(GLOW_MS / 2);
    fresh.record([received('1', { City: ['Oslo'], Name: ['Anne'] }, NOW)], 'now');
    vi.advanceTimersByTime(GLOW_MS / 2);
    expect(fresh.highlightOf('1')).toEqual({ columns: new Set(['City', 'Name']), glows: true });
    vi.advanceTimersByTime(GLOW_MS / 2);
    expect(fresh.highlightOf('1')?.glows).toBe(false);
  });

  it('only has its line where it came while the row was out of sight', () => {
    const fresh = new Highlights(OPENED);
    fresh.record([received('1', { City: ['Riga'] }, EARLIER)], 'not');
    fresh.record([received('1', { City: ['Oslo'] }, NOW)], 'meanwhile');
    expect(fresh.highlightOf('1')).toEqual({ columns: new Set(['City']), glows: false });
  });

  it('is not what one changed or added oneself, nor a value that came and is not shown', () => {
    const fresh = new Highlights(OPENED);
    fresh.record([received('1', { City: ['Riga'] }, EARLIER), ours('2', { City: ['Lyon'] })], 'not');
    fresh.record([received('1', { City: ['Riga'] }, EARLIER, { City: ['Kiel'] }), ours('3', {})], 'now');
    fresh.record([ours('2', { City: ['Nice'] })], 'now');
    fresh.record([received('1', { City: ['Turku'] }, NOW, { City: ['Kiel'] })], 'now');
    fresh.record([received('1', { City: ['Åbo'] }, NOW), received('4', {}, NOW)], 'not');
    expect(['1', '2', '3', '4'].filter((id) => fresh.highlightOf(id))).toEqual([]);
  });

  it('is not what comes into view by scrolling, sorting or searching', async () => {
    const noted: Came[] = [];
    const PAGE = 100;
    const rows = new Rows(
      (offset) => Promise.resolve({ offset, total: 10_000, rows: [ours(String(offset), {})] }),
      (_, came) => noted.push(came),
    );
    const shown = async (first: number): Promise<Came[]> => {
      noted.length = 0;
      rows.showRange(first, first + 1);
      await vi.advanceTimersByTimeAsync(GLOW_MS);
      return [...noted];
    };
    const refreshed = async (...asks: Parameters<typeof rows.refresh>): Promise<Came[]> => {
      noted.length = 0;
      rows.refresh(...asks);
      await vi.advanceTimersByTimeAsync(GLOW_MS);
      return [...noted];
    };
    expect(await shown(0)).toEqual(['not', 'not']);
    expect(await refreshed()).toEqual(['now']);
    expect(await shown(20 * PAGE)).toEqual(['not', 'not']);
    expect(await shown(0)).toEqual([]);
    await refreshed();
    // It was there before something happened, and has been out of sight since.
    expect(await shown(20 * PAGE)).toEqual(['meanwhile']);
    expect(await refreshed('for others')).toEqual(['not']);
    await refreshed();
    // What is left of it is of another order.
    expect(await shown(0)).toEqual(['not']);
    expect(await refreshed()).toEqual(['now']);
    rows.abortRequests();
  });
});
