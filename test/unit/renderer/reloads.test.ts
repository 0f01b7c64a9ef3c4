import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReloads, type Reloads } from '../../../renderer/state/reloads.ts';

let loads: (() => void)[];
let reloads: Reloads;
beforeEach(() => {
  vi.useFakeTimers();
  loads = [];
  reloads = createReloads(() => new Promise((resolve) => loads.push(resolve)));
});
afterEach(() => vi.useRealTimers());

const answer = async (): Promise<void> => {
  loads.at(-1)?.();
  await vi.advanceTimersByTimeAsync(100);
};

it('asks once more after an answer, and not before, however many events come meanwhile', async () => {
  for (let at = 0; at < 50; at++) {
    reloads.request();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(loads).toHaveLength(1);
  await answer();
  expect(loads).toHaveLength(2);
  await answer();
  expect(loads).toHaveLength(2);
});

it('waits for no answer of before an interruption, which may never come', async () => {
  reloads.request();
  await vi.advanceTimersByTimeAsync(100);
  reloads.request(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(loads).toHaveLength(2);
  // That it comes after all is no reason to ask during the second one.
  loads[0]?.();
  reloads.request();
  await vi.advanceTimersByTimeAsync(100);
  expect(loads).toHaveLength(2);
  await answer();
  expect(loads).toHaveLength(3);
});

it('asks for nothing any more once it is stopped', async () => {
  reloads.request();
  await vi.advanceTimersByTimeAsync(100);
  reloads.request();
  reloads.stop();
  await answer();
  expect(loads).toHaveLength(1);
});
