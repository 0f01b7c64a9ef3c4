import { describe, expect, it } from 'vitest';
import { createTokenRefusals } from '../../../server/sync/schedule/failure-state.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const MINUTE = 60_000;

describe('a token that is refused', () => {
  it.each([
    ['four times over five minutes', [0, 1, 2, 2], [false, false, false, true]],
    ['often within a moment', [0, 0.1, 0.1, 0.1, 0.1], [false, false, false, false, false]],
    ['three times, however far apart', [0, 600, 600], [false, false, false]],
  ])('counts as ended only when that was %s', (_, pauses, enough) => {
    const clock = manualClock();
    const refusals = createTokenRefusals(clock);
    const found = pauses.map((minutes) => {
      clock.advance(minutes * MINUTE);
      return refusals.add();
    });
    expect(found).toEqual(enough);
  });

  it('begins anew once it was accepted', () => {
    const clock = manualClock();
    const refusals = createTokenRefusals(clock);
    for (let times = 0; times < 3; times++) refusals.add();
    clock.advance(10 * MINUTE);
    refusals.clear();
    expect(refusals.add()).toBe(false);
    clock.advance(MINUTE);
    expect([refusals.add(), refusals.add(), refusals.add()]).toEqual([false, false, false]);
  });
});
