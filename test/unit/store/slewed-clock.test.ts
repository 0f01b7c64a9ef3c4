import { expect, it } from 'vitest';
import { openSlewedClock, type SlewedClock } from '../../../server/store/engine/slewed-clock.ts';
import type { Clock } from '../../../server/base/clock.ts';
import { memoryStore } from '../federation/memory-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A computer whose clock can be set while time passes as it does. */
async function computer(): Promise<{
  wall: number;
  /** Runs for so long. */
  run(ms: number): void;
  /** The program ends, so much later it starts again. */
  off(ms: number): Promise<void>;
  time: SlewedClock;
  /** Milliseconds that the believed time is behind the clock. */
  behind(): number;
}> {
  let real = 0;
  const { store } = memoryStore(new Map());
  const system = await store.partition('system');
  const office = {
    wall: Date.UTC(2026, 2, 2, 8),
    run(ms: number) {
      office.wall += ms;
      real += ms;
    },
    async off(ms: number) {
      await office.time.advance();
      office.wall += ms;
      real = 0;
      office.time = await openSlewedClock(system, clock);
    },
    behind: () => office.wall - office.time.now(),
    time: undefined as unknown as SlewedClock,
  };
  const clock = { now: () => office.wall, monotonic: () => real } as Clock;
  office.time = await openSlewedClock(system, clock);
  office.run(40 * HOUR);
  expect(office.behind()).toBe(0);
  return office;
}

it('is the clock’s own time while that goes as time passes', async () => {
  const office = await computer();
  for (let hours = 0; hours < 100; hours++) {
    office.run(HOUR);
    expect(office.behind()).toBe(0);
  }
});

it('does not move by more than minutes for a clock that is a year ahead for 20 seconds', async () => {
  const office = await computer();
  const before = office.time.now();
  office.wall += YEAR;
  office.run(20_000);
  expect(office.time.now() - before).toBeLessThan(9 * 60_000);
  office.wall -= YEAR;
  office.run(HOUR);
  expect(office.behind()).toBe(0);
});

it('has caught up half an hour after a night, and a working day or two after a holiday', async () => {
  const office = await computer();
  await office.off(15 * HOUR);
  expect(office.behind()).toBe(15 * HOUR);
  office.run(40 * 60_000);
  expect(office.behind()).toBe(0);
  await office.off(21 * DAY);
  office.run(8 * HOUR);
  expect(office.behind()).toBeGreaterThan(12 * DAY);
  office.run(14 * HOUR);
  expect(office.behind()).toBe(0);
});

it('waits for a clock that went back, and takes nothing for old meanwhile', async () => {
  const office = await computer();
  const before = office.time.now();
  office.wall -= YEAR;
  office.run(HOUR);
  expect(office.time.now()).toBe(office.wall);
  office.wall += YEAR;
  office.run(HOUR);
  expect(office.time.now()).toBe(before + 2 * HOUR);
});

it('does not believe a clock at the first start, and neither does a start with another clock', async () => {
  const office = await computer();
  await office.off(YEAR);
  expect(office.behind()).toBe(YEAR);
  const { store } = memoryStore(new Map());
  const first = await openSlewedClock(await store.partition('system'), {
    now: () => Date.UTC(2027, 0, 1),
    monotonic: () => 0,
  } as Clock);
  expect(first.now()).toBe(Date.UTC(2026, 11, 2));
});

it('soon forgets a clock that ran days ahead and was put right, so that the next jump is not believed', async () => {
  const office = await computer();
  office.wall += 10 * DAY;
  office.run(12 * HOUR);
  expect(office.behind()).toBe(0);
  office.wall -= 10 * DAY;
  for (let hours = 0; hours < 24; hours++) {
    office.run(HOUR);
    expect(office.behind()).toBe(0);
  }
  const before = office.time.now();
  office.wall += YEAR;
  office.run(20_000);
  expect(office.time.now() - before).toBeLessThan(9 * 60_000);
});
