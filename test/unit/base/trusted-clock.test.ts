import { describe, expect, it } from 'vitest';
import type { Pause } from '../../../server/federation/model.ts';
import { hasExpired } from '../../../server/federation/partners/invites.ts';
import type { TrustedClock, TimeAnchor } from '../../../server/base/trusted-clock.ts';
import { isPauseOver, toStoredPause } from '../../../server/federation/partners/pausing.ts';
import { openSlewedClock } from '../../../server/store/engine/slewed-clock.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';
import { memoryStore } from '../federation/memory-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Office {
  readonly clock: ManualClock;
  known: TrustedClock;
  readonly mark: () => TimeAnchor;
  /** Closes it, lets time pass while it is off, and starts it again. */
  readonly restart: (off: number) => Promise<void>;
  readonly iso: (after: number) => string;
}

async function office(): Promise<Office> {
  const clock = manualClock('2026-11-23T08:00:00Z');
  const system = await memoryStore(new Map()).store.partition('system');
  let believed = await openSlewedClock(system, clock);
  const known: TrustedClock = {
    now: () => believed.now(),
    highWater: () => believed.highWater(),
    elapsed: () => believed.elapsed(),
  };
  return {
    clock,
    known,
    mark: () => ({ wall: clock.now(), seen: known.elapsed() }),
    async restart(off) {
      await believed.advance();
      clock.advance(off);
      believed = await openSlewedClock(system, clock);
    },
    iso: (after) => new Date(clock.now() + after).toISOString(),
  };
}

describe('a pause that ends at a time', () => {
  const over = ({ clock, known }: Office, pause: Pause): boolean => isPauseOver(pause, clock.now(), known);

  it('ends then, and does not for a clock that leaps past it, for however short or long', async () => {
    const set = await office();
    const { clock } = set;
    const pause = toStoredPause({ until: set.iso(7 * DAY) }, set.mark());
    // As the program looks at it every hour, and at each request.
    const hours = (many: number): void => {
      for (let hour = 0; hour < many; hour++) {
        clock.advance(HOUR);
        over(set, pause);
      }
    };
    hours(24);
    const right = clock.now();
    for (const ahead of [8 * DAY, 30 * DAY, 365 * DAY]) {
      clock.set(right + ahead);
      expect(over(set, pause)).toBe(false);
      clock.advance(2000);
      expect(over(set, pause)).toBe(false);
    }
    clock.set(right);
    hours(6 * 24 - 1);
    expect(over(set, pause)).toBe(false);
    clock.advance(HOUR + 1000);
    expect(over(set, pause)).toBe(true);
  });

  it('ends in the morning where the computer was off at night, and soon after a week', async () => {
    const set = await office();
    const night = toStoredPause({ until: set.iso(15 * HOUR) }, set.mark());
    clock(set).advance(HOUR);
    await set.restart(14 * HOUR + 1000);
    expect(over(set, night)).toBe(true);
    // By then it knows that its clock is right.
    for (let hour = 0; hour < 32; hour++) {
      clock(set).advance(HOUR);
      set.known.now();
    }
    const week = toStoredPause({ until: set.iso(7 * DAY) }, set.mark());
    await set.restart(7 * DAY + 1000);
    clock(set).advance(7 * HOUR);
    expect(over(set, week)).toBe(true);
  });

  it('lasts as long as was wished, where the clock stood a year ahead as it began, or is put back meanwhile', async () => {
    for (const [then, later] of [
      [365 * DAY, 0],
      [0, -365 * DAY],
      [0, -3 * HOUR],
    ] as const) {
      const set = await office();
      const right = set.clock.now();
      set.clock.set(right + then);
      const pause = toStoredPause({ until: set.iso(2 * HOUR) }, set.mark());
      set.clock.set(right + later);
      set.clock.advance(2 * HOUR - 180_000);
      expect(over(set, pause)).toBe(false);
      set.clock.advance(180_000);
      expect(over(set, pause)).toBe(true);
    }
  });

  const clock = (set: Office): ManualClock => set.clock;
});

describe('an invite', () => {
  it('is over a day after it was made, also where the clock stood ahead then, or is put back later', async () => {
    const set = await office();
    const { clock } = set;
    const right = clock.now();
    const made = (): { expiresAt: string; made: TimeAnchor } => ({
      expiresAt: set.iso(DAY),
      made: set.mark(),
    });
    clock.set(right + 365 * DAY);
    const ahead = made();
    clock.set(right);
    const usual = made();
    expect([ahead, usual].map((invite) => hasExpired(invite, set))).toEqual([false, false]);
    clock.advance(DAY);
    expect([ahead, usual].map((invite) => hasExpired(invite, set))).toEqual([true, true]);
    clock.set(right - 2 * DAY);
    expect([ahead, usual].map((invite) => hasExpired(invite, set))).toEqual([true, true]);
  });

  it('that was made under a clock that stood a year ahead is over within days, however often the computer is shut', async () => {
    const set = await office();
    const right = set.clock.now();
    set.clock.set(right + 365 * DAY);
    const invite = { expiresAt: set.iso(DAY), made: set.mark() };
    set.clock.set(right);
    for (let day = 0; day < 40; day++) {
      set.clock.advance(8 * HOUR);
      await set.restart(16 * HOUR);
    }
    set.clock.advance(HOUR);
    expect(hasExpired(invite, set)).toBe(true);
  });

  it('lasts its day in an office that was just set up, and does not know yet whether its clock is right', async () => {
    const set = await office();
    const invite = { expiresAt: set.iso(DAY), made: set.mark() };
    for (let hour = 0; hour < 23; hour++) {
      set.clock.advance(HOUR);
      expect(hasExpired(invite, set)).toBe(false);
    }
  });

  it('is not over for a clock that leaps ahead, once that is right again', async () => {
    const set = await office();
    const right = set.clock.now();
    const invite = { expiresAt: set.iso(DAY), made: set.mark() };
    set.clock.set(right + 365 * DAY);
    expect(hasExpired(invite, set)).toBe(true);
    set.clock.advance(HOUR / 2);
    set.clock.set(right + HOUR / 2);
    expect(hasExpired(invite, set)).toBe(false);
  });
});
