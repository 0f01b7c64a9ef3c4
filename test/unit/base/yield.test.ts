import { expect, it } from 'vitest';
import { createYielder, yieldToEventLoop } from '../../../server/base/yield.ts';

/** Holds the event loop. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** How many slices of work there were in each turn of the loop, until all are done. */
async function slicesInEachTurn(all: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const turns: number[] = [];
  let slices = 0;
  let isDone = false;
  const count = (): void => {
    turns.push(slices);
    slices = 0;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    all.map(async (wait) => {
      for (let at = 0; at < 20; at++) {
        await wait();
        slices++;
        work(2);
      }
    }),
  );
  isDone = true;
  await new Promise((resolve) => setImmediate(resolve));
  return turns;
}

it('lets long work of many have one slice in a turn of the event loop, and not each of them one', async () => {
  const pausing = (): (() => Promise<unknown>) => {
    const pause = createYielder();
    work(2);
    return async () => pause();
  };
  const turns = await slicesInEachTurn([
    pausing(),
    pausing(),
    pausing(),
    yieldToEventLoop,
    yieldToEventLoop,
    yieldToEventLoop,
  ]);
  expect(turns.reduce((sum, each) => sum + each)).toBe(6 * 20);
  expect(Math.max(...turns)).toBeLessThanOrEqual(2);
});

it('goes on behind work that failed', async () => {
  await expect(yieldToEventLoop().then(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await yieldToEventLoop();
});
