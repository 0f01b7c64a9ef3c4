import { describe, expect, it } from 'vitest';
import { missingChanges } from '../../../server/store/engine/lost-changes.ts';
import { createPartitionState } from '../../../server/store/engine/partition-state.ts';
import { seqAfterLoss } from '../../../server/store/recovery/repair.ts';

const stateAt = (last: number): ReturnType<typeof createPartitionState> => {
  const state = createPartitionState();
  state.replay([], last);
  return state;
};
const markAt = (last: number): NonNullable<Parameters<typeof missingChanges>[1]> => ({
  ...{ journal: 1, bytes: 1, crc: 0, last },
});

describe('how many changes are missing', () => {
  it('is counted where numbers were given out one by one', () => {
    expect(missingChanges(stateAt(17), markAt(17))).toBe(0);
    expect(missingChanges(stateAt(17), markAt(4_211))).toBe(4_194);
    expect(missingChanges(stateAt(20), markAt(17))).toBe(0);
    expect(missingChanges(stateAt(17), undefined)).toBeUndefined();
  });

  it('is not known across an earlier loss, after which the numbers went on from the time', () => {
    const second = Date.UTC(2026, 2, 3, 9) / 1000;
    const [before, after] = [second, second + 1].map((time) => seqAfterLoss(17, time * 1000));
    expect(missingChanges(stateAt(17), markAt(before ?? 0))).toBeUndefined();
    // The smallest such jump is from one second to the next.
    expect(missingChanges(stateAt(before ?? 0), markAt(after ?? 0))).toBeUndefined();
    expect(missingChanges(stateAt(before ?? 0), markAt((after ?? 0) - 1))).toBe(2 ** 20 - 1);
  });

  it('is told by a jump, also where the clock was ahead at an earlier loss, or stands', () => {
    const now = Date.UTC(2026, 2, 3, 9);
    for (const earlier of [now + 365 * 86_400_000, now + 3_600_000, now]) {
      const before = seqAfterLoss(17, earlier);
      expect(seqAfterLoss(before + 9, now) - (before + 9)).toBeGreaterThanOrEqual(2 ** 20);
    }
  });
});
