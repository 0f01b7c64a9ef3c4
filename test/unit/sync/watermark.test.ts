import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceMark,
  partnerClockWentBack,
  nextPullStart,
  versionTimeMs,
  type PullTimes,
  type TimeMark,
} from '../../../server/sync/pull/watermark.ts';

const second = 1000;
const minute = 60 * second;
const day = 86_400 * second;

function pulled(more: Partial<PullTimes>): PullTimes {
  return {
    greatest: undefined,
    startedAt: undefined,
    startedHere: 0,
    whole: false,
    took: 0,
    now: 0,
    ...more,
  };
}

describe('the mark of a pull by time', () => {
  it('stays behind the greatest time seen by an overlap', () => {
    const mark = advanceMark(
      {},
      pulled({ greatest: 100 * minute, startedAt: 101 * minute, took: minute, whole: true }),
    );
    expect(mark).toEqual({
      since: 100 * minute - 30 * second,
      greatest: 100 * minute,
      greatestSeenAt: 101 * minute,
      clock: { theirs: 101 * minute, ours: 0 },
      wholeAt: 0,
    });
  });

  it('stays before the start of a pull during which rows went on changing', () => {
    const times = { greatest: 110 * minute, took: 10 * minute, now: 110 * minute };
    expect(advanceMark({}, pulled({ ...times, startedAt: 100 * minute })).since).toBe(
      100 * minute - 30 * second,
    );
    expect(advanceMark({}, pulled(times)).since).toBeLessThanOrEqual(100 * minute - 30 * second);
  });

  it('is never carried past the partner’s clock by a row from the future', () => {
    expect(advanceMark({}, pulled({ greatest: 10 ** 13, startedAt: 100 * minute })).since).toBe(
      100 * minute - 30 * second,
    );
  });

  it('moves behind the last row once nothing newer came for longer than the overlap', () => {
    const first = advanceMark({}, pulled({ greatest: 100 * minute, startedAt: 101 * minute }));
    const soon = advanceMark(
      first,
      pulled({ greatest: 100 * minute, startedAt: 101 * minute + 20 * second }),
    );
    expect(soon.since).toBe(first.since);
    const later = advanceMark(first, pulled({ greatest: 100 * minute, startedAt: 102 * minute }));
    expect(later.since).toBe(100 * minute + second);
  });

  it('never settles for a partner that shows no clock', () => {
    let mark: TimeMark = {};
    for (let pull = 0; pull < 5; pull++) {
      mark = advanceMark(mark, pulled({ greatest: 100 * minute, now: 10 ** 13 + pull * minute }));
    }
    expect(mark.since).toBe(100 * minute - 30 * second);
  });

  it('T1: notices that the partner’s clock has gone back, but not a small correction or a slow answer', () => {
    const mark = { clock: { theirs: 5000 * minute, ours: 100 * minute } };
    expect(partnerClockWentBack(mark, 4990 * minute, 101 * minute)).toBe(true);
    expect(partnerClockWentBack(mark, 5000 * minute, 101 * minute)).toBe(true);
    expect(partnerClockWentBack(mark, 5001 * minute - 3 * second, 101 * minute)).toBe(false);
    expect(partnerClockWentBack(mark, 5009 * minute, 101 * minute)).toBe(false);
    expect(partnerClockWentBack({}, 0, 0)).toBe(false);
    expect(partnerClockWentBack(mark, undefined, 101 * minute)).toBe(false);
  });

  it('begins at the beginning once a day, whatever the clocks say', () => {
    const mark = { since: 5, wholeAt: 100 * day };
    expect(nextPullStart(mark, 100.5 * day)).toBe(5);
    expect(nextPullStart(mark, 101.1 * day)).toBeUndefined();
    expect(nextPullStart(mark, 90 * day)).toBeUndefined();
    expect(nextPullStart({ since: 5 }, 0)).toBeUndefined();
  });

  it('takes the time of a deletion where that is later', () => {
    const row = { updatedAt: '2026-01-01T00:00:00.123456789Z', deletedAt: '2026-01-02T00:00:00Z' };
    expect(versionTimeMs(row)).toBe(Date.UTC(2026, 0, 2));
  });

  type Step =
    | { do: 'write'; row: number; delay: number; gap: number }
    | { do: 'pull'; took: number; gap: number }
    | { do: 'clock'; by: number; gap: number };

  const write = (delay: number): fc.Arbitrary<Step> =>
    fc.record({ do: fc.constant('write' as const), row: fc.nat(40), delay: fc.nat(delay), gap: fc.nat(15) });
  const pull: fc.Arbitrary<Step> = fc.record({
    do: fc.constant('pull' as const),
    took: fc.constantFrom(0, 0, 10, 200),
    gap: fc.nat(20),
  });
  const clock: fc.Arbitrary<Step> = fc.record({
    do: fc.constant('clock' as const),
    by: fc.integer({ min: -90_000, max: 90_000 }),
    gap: fc.nat(5),
  });

  /** A partner as a model, in seconds: rows that become visible some time after the time that they carry. */
  function missed(steps: readonly Step[], skew: number): string[] {
    let real = 10_000_000;
    let offset = skew;
    let putBackSincePull = false;
    let version = 0;
    let mark: TimeMark = {};
    const rows = new Map<number, { version: number; stamp: number; visibleAt: number }>();
    const seen = new Map<number, number>();

    const doPull = (took: number): void => {
      putBackSincePull = false;
      const startedAt = (real + offset) * second;
      const startedHere = real * second;
      if (partnerClockWentBack(mark, startedAt, startedHere)) mark = {};
      const since = mark.since === undefined ? undefined : Math.floor(mark.since / second);
      let greatest: number | undefined;
      // Rows are read one after the other while time passes, each as it is at that moment.
      const order = [...rows.keys()].sort((a, b) => a - b);
      for (const [index, id] of order.entries()) {
        real += index === 0 ? 0 : took / order.length;
        const row = rows.get(id);
        if (!row || row.visibleAt > real || (since !== undefined && row.stamp < since)) continue;
        seen.set(id, row.version);
        greatest = Math.max(greatest ?? 0, row.stamp * second);
      }
      const times = { greatest, startedAt, startedHere, took: took * second, now: real * second };
      mark = advanceMark(mark, pulled(times));
    };

    for (const step of steps) {
      real += step.gap;
      if (step.do === 'pull') doPull(step.took);
      else if (step.do === 'write') {
        if ((rows.get(step.row)?.visibleAt ?? 0) > real) continue;
        const stamp = Math.floor(real + offset);
        rows.set(step.row, { version: ++version, stamp, visibleAt: real + step.delay });
      } else if (!putBackSincePull) {
        offset += step.by;
        putBackSincePull = true;
      }
    }
    for (let round = 0; round < 2; round++) {
      real += 300;
      doPull(0);
    }
    return [...rows].filter(([id, row]) => seen.get(id) !== row.version).map(([id]) => `row ${id}`);
  }

  const skews = fc.integer({ min: -86_400, max: 86_400 });

  it('T1/T2: loses no change of a partner whose clock is off and whose rows show late (fast-check)', () => {
    const steps = fc.array(fc.oneof(write(20), write(20), pull), { maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(steps, skews, (all, skew) => {
        expect(missed(all, skew)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('T1: loses no change of a partner whose clock jumps between pulls (fast-check)', () => {
    const steps = fc.array(fc.oneof(write(0), pull, clock), { maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(steps, skews, (all, skew) => {
        expect(missed(all, skew)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
