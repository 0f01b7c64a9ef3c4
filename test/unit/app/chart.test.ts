import { describe, expect, it } from 'vitest';
import { createChart } from '../../../server/app/activity.ts';

describe('rows a day', () => {
  const now = new Date(2026, 10, 20, 23, 30).getTime();
  const at = (day: number, hour: number): string => new Date(2026, 10, day, hour).toISOString();

  it('has every day, oldest first, in this computer’s days', () => {
    const chart = createChart(
      [
        { at: at(20, 0), rows: 5 },
        { at: at(20, 23), rows: 2 },
        { at: at(18, 1), rows: 9 },
      ],
      3,
      now,
    );
    expect(chart).toEqual([
      { day: '2026-11-18', rows: 9 },
      { day: '2026-11-19', rows: 0 },
      { day: '2026-11-20', rows: 7 },
    ]);
  });

  it('leaves out what is older, and has no day twice when the clocks change', () => {
    const days = createChart([{ at: at(1, 1), rows: 1 }], 366, now).map(({ day }) => day);
    expect(new Set(days).size).toBe(366);
    expect(
      createChart([{ at: '2001-01-01T00:00:00Z', rows: 1 }], 30, now).every(({ rows }) => rows === 0),
    ).toBe(true);
  });
});
