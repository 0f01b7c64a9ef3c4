import { describe, expect, it } from 'vitest';
import { createStallDetector } from '../../../server/sync/schedule/stall-detector.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const SECOND = 1000;

describe('a pull that stands still', () => {
  it('is told after five seconds, now and then while it does, and when it goes on', () => {
    const clock = manualClock();
    const told: (number | undefined)[] = [];
    let last = clock.monotonic();
    const stillness = createStallDetector(clock, () => told.push(stillness.stalledMs()));
    stillness.watchPull(() => clock.monotonic() - last);
    for (let second = 0; second < 4; second++) clock.advance(SECOND);
    expect([stillness.stalledMs(), told]).toEqual([undefined, []]);
    for (let second = 4; second < 17; second++) clock.advance(SECOND);
    expect(told).toEqual([5 * SECOND, 10 * SECOND, 15 * SECOND]);
    last = clock.monotonic();
    clock.advance(SECOND);
    expect(told.at(-1)).toBeUndefined();
    expect(told).toHaveLength(4);
    clock.advance(SECOND);
    expect(told).toHaveLength(4);
  });

  it('is over with the pull, and leaves no timer', () => {
    const clock = manualClock();
    let told = 0;
    const stillness = createStallDetector(clock, () => (told += 1));
    stillness.watchPull(() => 60 * SECOND);
    expect(told).toBe(1);
    stillness.end();
    expect([stillness.stalledMs(), told]).toEqual([undefined, 2]);
    clock.advance(60 * SECOND);
    expect(told).toBe(2);
  });
});
