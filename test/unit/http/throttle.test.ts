import { expect, it } from 'vitest';
import { throttle } from '../../../server/base/concurrency/coalescing-queue.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

it('tells each id once in a while, however often it is named, and again later', () => {
  const clock = manualClock();
  const told: string[] = [];
  const name = throttle(clock, 500, (id) => told.push(id));
  for (const id of ['1', '2', '1', '1']) name(id);
  expect(told).toEqual([]);
  clock.advance(500);
  expect(told).toEqual(['1', '2']);
  name('1');
  clock.advance(500);
  expect(told).toEqual(['1', '2', '1']);
});
