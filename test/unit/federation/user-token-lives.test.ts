import { describe, expect, it } from 'vitest';
import { openTokenLives, type TokenLife } from '../../../server/federation/partners/user-token-lives.ts';
import { openSlewedClock, type SlewedClock } from '../../../server/store/engine/slewed-clock.ts';
import type { Partition } from '../../../server/store/store.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';
import { memoryStore } from './memory-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const START = Date.parse('2026-11-23T08:00:00Z');

interface Office {
  readonly clock: ManualClock;
  readonly system: Partition;
  isOver: (token: TokenLife) => boolean;
  readonly made: (life: number) => TokenLife;
  /** As the program notes the time now and then. */
  hours(many: number): Promise<void>;
  restart(off: number): Promise<void>;
}

async function office(): Promise<Office> {
  const clock = manualClock(START);
  const system = await memoryStore(new Map()).store.partition('system');
  let believed: SlewedClock;
  const warned: unknown[] = [];
  const set: Office = {
    clock,
    system,
    isOver: () => false,
    made: (life) => ({ jti: 'a', issuedAt: clock.now(), expiresAt: clock.now() + life }),
    async hours(many) {
      for (let hour = 0; hour < many; hour++) {
        clock.advance(HOUR);
        await believed.advance();
      }
    },
    async restart(off) {
      await believed.advance();
      clock.advance(off);
      await begin();
    },
  };
  async function begin(): Promise<void> {
    believed = await openSlewedClock(system, clock);
    const known = {
      now: () => believed.now(),
      highWater: () => believed.highWater(),
      elapsed: () => believed.elapsed(),
    };
    const log = { warn: (about: unknown) => void warned.push(about) };
    set.isOver = await openTokenLives({ system, clock, known, log });
  }
  await begin();
  return set;
}

describe('a token of a user', () => {
  it('ends then, and for no clock that leaps past it', async () => {
    const set = await office();
    const token = set.made(90 * DAY);
    expect(set.isOver(token)).toBe(false);
    await set.hours(24);
    const right = set.clock.now();
    set.clock.set(right + YEAR);
    expect(set.isOver(token)).toBe(false);
    await set.hours(1);
    await set.restart(1000);
    expect(set.isOver(token)).toBe(false);
    set.clock.set(right + HOUR);
    await set.hours(88 * 24);
    expect(set.isOver(token)).toBe(false);
    await set.hours(24);
    expect(set.isOver(token)).toBe(true);
  });

  it('lives no more than a day longer by a clock that is put back', async () => {
    const set = await office();
    const token = set.made(12 * HOUR);
    expect(set.isOver(token)).toBe(false);
    for (let restart = 0; restart < 5; restart++) {
      await set.hours(7);
      set.clock.set(START - YEAR);
      await set.restart(1000);
      expect(set.isOver(token)).toBe(false);
    }
    await set.hours(2);
    expect(set.isOver(token)).toBe(true);
    await set.restart(1000);
    expect(set.isOver(token)).toBe(true);
  });

  it('that was never used while it was good opens nothing, and is good again with a clock that is put right', async () => {
    const set = await office();
    const token = set.made(12 * HOUR);
    set.clock.set(START + YEAR);
    expect(set.isOver(token)).toBe(true);
    set.clock.set(START + HOUR);
    expect(set.isOver(token)).toBe(false);
  });

  it('ends as it says where the computer was off meanwhile', async () => {
    const set = await office();
    const token = set.made(12 * HOUR);
    expect(set.isOver(token)).toBe(false);
    await set.restart(20 * HOUR);
    expect(set.isOver(token)).toBe(true);
  });

  it('is forgotten a month after its end', async () => {
    const set = await office();
    expect(set.isOver(set.made(2 * HOUR))).toBe(false);
    await set.hours(80 * 24);
    expect(set.isOver({ ...set.made(2 * HOUR), jti: 'b' })).toBe(false);
    const kept = async (): Promise<number> => set.system.count({ name: 'user-token-first-use' });
    await expect.poll(kept).toBe(1);
  });
});
