import { describe, expect, it, onTestFinished } from 'vitest';
import { recordDecisionInQuota, openLossQuota } from '../../../server/sync/deletion-guard/quota.ts';
import { createElapsedTimer } from '../../../server/base/elapsed-timer.ts';
import type { Partition } from '../../../server/store/store.ts';
import { openOwnStore } from '../../support/harness/parts.ts';
import { incoming } from '../../support/harness/lists.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';

const HOUR = 3_600_000;
const OFFER = { sharedModuleID: '3', columns: ['City', 'Phone'] };

async function place(): Promise<{ clock: ManualClock; partition: Partition }> {
  const clock = manualClock('2026-03-02T08:00:00Z');
  const { store, close } = await openOwnStore({ clock });
  onTestFinished(close);
  return { clock, partition: await store.partition('list-1') };
}

describe('what a partner took away within a day', () => {
  it('is counted on over pulls, from the most rows that there were', async () => {
    const { clock, partition } = await place();
    const time = createElapsedTimer(clock, 'first');
    for (const [removes, received] of [
      [4, 120],
      [9, 116],
      [3, 107],
    ] as const) {
      const budget = await openLossQuota(partition, '17', received, time, OFFER);
      await partition.transaction((tx) => budget.countLoss(tx, { removes, empties: 1 }));
      clock.advance(3 * HOUR);
    }
    const budget = await openLossQuota(partition, '17', 104, time, OFFER);
    expect(budget.lossOfDay()).toEqual({ removes: 16, empties: 3, of: 120 });
    clock.advance(14 * HOUR);
    expect(budget.lossOfDay()).toEqual({ removes: 16, empties: 3, of: 120 });
    clock.advance(3 * HOUR);
    expect(budget.lossOfDay()).toEqual({ removes: 12, empties: 2, of: 116 });
    const other = await openLossQuota(partition, '18', 55, time, OFFER);
    expect(other.lossOfDay()).toEqual({ removes: 0, empties: 0, of: 55 });
  });

  it('is not forgotten when the computer’s clock jumps, in one run or between two', async () => {
    const { clock, partition } = await place();
    const before = await openLossQuota(partition, '17', 90, createElapsedTimer(clock, 'first'), OFFER);
    await partition.transaction((tx) => before.countLoss(tx, { removes: 11, empties: 0 }));
    clock.set('2027-03-02T08:00:00Z');
    expect(before.lossOfDay().removes).toBe(11);

    const time = createElapsedTimer(clock, 'second');
    const after = await openLossQuota(partition, '17', 79, time, OFFER);
    expect(after.lossOfDay()).toEqual({ removes: 11, empties: 0, of: 90 });
    clock.set('2025-03-02T08:00:00Z');
    clock.advance(10 * HOUR);
    expect(after.lossOfDay().removes).toBe(0);
  });

  it('goes by when the clock was ahead and is put right, also over a restart', async () => {
    const { clock, partition } = await place();
    clock.set('2027-08-01T00:00:00Z');
    const before = await openLossQuota(partition, '17', 90, createElapsedTimer(clock, 'first'), OFFER);
    await partition.transaction((tx) => before.countLoss(tx, { removes: 11, empties: 0 }));
    clock.set('2026-03-02T09:00:00Z');
    const after = await openLossQuota(partition, '17', 79, createElapsedTimer(clock, 'second'), OFFER);
    clock.advance(20 * HOUR);
    expect(after.lossOfDay().removes).toBe(11);
    clock.advance(6 * HOUR);
    expect(after.lossOfDay().removes).toBe(0);
  });

  it('is a part of what was there before, and not of what came meanwhile, until a day after that came', async () => {
    const { clock, partition } = await place();
    const time = createElapsedTimer(clock, 'first');
    const write = async (received: number, removes = 0): Promise<number> => {
      const budget = await openLossQuota(partition, '17', received, time, OFFER);
      await partition.transaction((tx) => {
        budget.countLoss(tx, { removes, empties: 0 });
        budget.storeAtIntervals(tx);
      });
      clock.advance(HOUR);
      return budget.baselineRows();
    };
    // What a first reading brings is there from the next pull on.
    expect(await write(0)).toBe(0);
    expect(await write(120)).toBe(120);
    clock.advance(23 * HOUR);
    expect(await write(120)).toBe(120);
    expect(await write(5120, 10)).toBe(120);
    expect(await write(5110)).toBe(120);
    clock.advance(19 * HOUR);
    expect(await write(5110)).toBe(120);
    clock.advance(2 * HOUR);
    expect(await write(5110)).toBe(5110);
  });

  it('takes no more room than the half hours of a day', async () => {
    const { clock, partition } = await place();
    const time = createElapsedTimer(clock, 'first');
    for (let turn = 0; turn < 400; turn++) {
      const budget = await openLossQuota(partition, '17', 5000, time, OFFER);
      await partition.transaction((tx) => budget.countLoss(tx, { removes: 1, empties: 0 }));
      clock.advance(HOUR / 4);
    }
    const budget = await openLossQuota(partition, '17', 4600, time, OFFER);
    expect(budget.lossOfDay().removes).toBeLessThanOrEqual(96);
    expect(budget.lossOfDay().removes).toBeGreaterThanOrEqual(94);
    const [entry] = await partition.page({ name: 'sync-losses' }, { limit: 5 });
    expect(entry?.bytes).toBeLessThan(4000);
  });
});

describe('rows in which a column lost its value, one after the other', () => {
  it('are counted over pulls and starts, until a row with a value arrives or the user decides', async () => {
    const { clock, partition } = await place();
    /** One pull: the values that arrive, and the columns that their rows lose. Returns both counts. */
    const pull = async (
      arrived: readonly Readonly<Record<string, string>>[],
      emptied: readonly string[],
      offer = OFFER,
    ): Promise<number[]> => {
      const budget = await openLossQuota(partition, '17', 90, createElapsedTimer(clock, 'start'), offer);
      const rows = arrived.map((values, at) => incoming(String(at), at, values));
      await partition.transaction((tx) => budget.countColumns(tx, rows, emptied));
      clock.advance(30 * HOUR);
      return [budget.emptiedRun('City'), budget.emptiedRun('Phone')];
    };
    expect(await pull([{ Name: 'a' }, { Name: 'b' }], ['Phone', 'Phone'])).toEqual([0, 2]);
    expect(await pull([{ City: 'Oslo' }], ['Phone'])).toEqual([0, 3]);
    expect(await pull([{ Name: 'c' }], ['City', 'Phone'])).toEqual([1, 4]);
    const other = { ...OFFER, sharedModuleID: '4' };
    expect(await pull([{ Phone: '1' }], ['City'], other), 'another list of the partner').toEqual([1, 0]);
    expect(await pull([{ Phone: '1' }, { Name: 'd' }], ['City', 'Phone'])).toEqual([2, 0]);
    const decided = { sharedModuleID: '3', columns: ['City', 'Phone'] };
    const none = { removes: 0, empties: 2 };
    await partition.transaction((tx) => recordDecisionInQuota(tx, '17', decided, none));
    expect(await pull([{ Name: 'e' }], ['City', 'Phone']), 'approved').toEqual([0, 1]);
    await partition.transaction((tx) => recordDecisionInQuota(tx, '17', decided, undefined));
    expect(await pull([{ Name: 'f' }], ['City', 'Phone']), 'kept').toEqual([Infinity, Infinity]);
    expect(await pull([{ City: 'Bergen' }], [])).toEqual([0, Infinity]);
    expect(await pull([], [], { ...OFFER, columns: ['City'] }), 'no longer matched').toEqual([0, 0]);
  });
});
