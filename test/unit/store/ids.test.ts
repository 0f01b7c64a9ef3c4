import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { createIds } from '../../../server/base/ids.ts';

describe('ids', () => {
  it('rise strictly and never repeat, also when the clock goes back a day', () => {
    let now = Date.UTC(2026, 10, 20);
    const ids = createIds({ ...systemClock, now: () => now });
    const made = Array.from({ length: 20_000 }, (_, i) => {
      if (i === 10_000) now -= 86_400_000;
      return BigInt(ids.next());
    });
    expect(made.every((id, i) => i === 0 || id > (made[i - 1] ?? id))).toBe(true);
  });

  it('are others in each run, also by a clock that stands before 2010 and with the same machine number', () => {
    const dead = { ...systemClock, now: () => 0 };
    const made = Array.from({ length: 20 }, () => createIds(dead, 7).next());
    expect(new Set(made).size).toBe(20);
  });

  it('come after what is said to lie before them, also of a run whose clock is behind', () => {
    let now = Date.UTC(2026, 10, 20);
    const clock = { ...systemClock, now: () => now };
    const [earlier, again] = [createIds(clock, 900).next(), createIds(clock, 3)];
    now -= 86_400_000;
    const made = Array.from({ length: 9000 }, () => BigInt(again.next(earlier)));
    expect(made.every((id, i) => id > (made[i - 1] ?? BigInt(earlier)))).toBe(true);
  });

  it('stay within an unsigned 64-bit number until the year 2079', () => {
    const ids = createIds({ ...systemClock, now: () => Date.UTC(2079, 0, 1) }, 1023);
    expect(BigInt(ids.next()) < 2n ** 64n).toBe(true);
  });
});
