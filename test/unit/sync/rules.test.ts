import { describe, expect, it } from 'vitest';
import { ProtocolViolationError } from '../../../server/peer/guard/errors.ts';
import {
  LONGEST_PAUSE,
  longestUnreachedPauseMs,
  retryDelayMs,
} from '../../../server/sync/schedule/backoff.ts';
import { excessLoss } from '../../../server/sync/deletion-guard/threshold.ts';
import { LoopGuard } from '../../../server/sync/pull/loop-guard.ts';
import { CoalescingQueue } from '../../../server/base/concurrency/coalescing-queue.ts';

describe('pauses after failures', () => {
  it('double up to ten minutes, with jitter over the upper half', () => {
    expect([1, 2, 3, 4].map((failures) => retryDelayMs(failures, 1))).toEqual([5000, 10_000, 20_000, 40_000]);
    expect(retryDelayMs(3, 0)).toBe(10_000);
    expect(retryDelayMs(50, 1)).toBe(LONGEST_PAUSE);
    expect(retryDelayMs(100_000, 1)).toBe(LONGEST_PAUSE);
  });

  it('H7: are at least what Retry-After asks for, within a day', () => {
    expect(retryDelayMs(1, 1, 90_000)).toBe(90_000);
    expect(retryDelayMs(1, 1, 10 * 365 * 86_400_000)).toBe(86_400_000);
  });
});

describe('the longest pause of a partner that is not reached', () => {
  it.each([
    ['is the usual interval', 60_000, 60_000],
    ['leaves a moment where that is next to nothing', 100, 5000],
    ['is no longer than of one that refuses', 24 * 3_600_000, LONGEST_PAUSE],
  ])('%s', (_, interval, longest) => {
    expect(longestUnreachedPauseMs(interval)).toBe(longest);
    expect(retryDelayMs(30, 1, 0, longestUnreachedPauseMs(interval))).toBe(longest);
    expect(retryDelayMs(30, 1, 900_000, longestUnreachedPauseMs(interval))).toBe(Math.max(longest, 900_000));
  });
});

it('the longest pause of a partner that is not reached is shorter by what the try took, so that tries begin in time', () => {
  expect(longestUnreachedPauseMs(60_000, 30_000)).toBe(30_000);
  expect(longestUnreachedPauseMs(60_000, 120_000)).toBe(5000);
});

describe('the brake', () => {
  it.each([
    [{ removes: 20, empties: 0, of: 25 }, undefined],
    [{ removes: 21, empties: 0, of: 70 }, undefined],
    [
      { removes: 21, empties: 0, of: 69 },
      { removes: 21, empties: 0, of: 69 },
    ],
    [{ removes: 300, empties: 0, of: 1000 }, undefined],
    [
      { removes: 301, empties: 5, of: 1000 },
      { removes: 301, empties: 0, of: 1000 },
    ],
    [
      { removes: 7, empties: 800, of: 1000 },
      { removes: 0, empties: 800, of: 1000 },
    ],
    [{ removes: 200, empties: 200, of: 1000 }, undefined],
  ])('H8: of %j waits for a yes: %j', (loss, expected) => {
    expect(excessLoss(loss)).toEqual(expected);
  });
});

describe('lists without end', () => {
  function page(guard: LoopGuard, ids: readonly string[], next: string): void {
    const records = ids.map((recordID) => ({ recordID, createdAt: '', updatedAt: '', values: {} }));
    guard.addRows({ records, bad: [], letters: 0 });
    guard.endPage(next);
  }

  it('H3: a cursor that comes again is a fault', () => {
    const guard = new LoopGuard();
    page(guard, ['1'], 'a');
    page(guard, ['2'], 'b');
    expect(() => page(guard, ['3'], 'a')).toThrow(ProtocolViolationError);
  });

  it('H3: the same rows under ever new cursors are a fault', () => {
    const guard = new LoopGuard();
    page(guard, ['1', '2'], 'a');
    expect(() => page(guard, ['1', '2'], 'b')).toThrow(ProtocolViolationError);
  });

  it('H3: empty pages without end are a fault', () => {
    const guard = new LoopGuard();
    page(guard, [], 'a');
    page(guard, [], 'b');
    expect(() => page(guard, [], 'c')).toThrow(ProtocolViolationError);
  });
});

describe('turns', () => {
  it('run one at a time, and what is asked for meanwhile comes together in the next', async () => {
    const done: string[][] = [];
    let active = 0;
    const turns = new CoalescingQueue<string[], number>({
      async body(request) {
        expect(++active).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        active--;
        done.push(request);
        return done.length;
      },
      merge: (a, b) => [...a, ...b],
      stopwatch: () => 0,
      onIdle: () => undefined,
    });
    const answers = await Promise.all([turns.enqueue(['a']), turns.enqueue(['b']), turns.enqueue(['c'])]);
    expect(done).toEqual([['a'], ['b', 'c']]);
    expect(answers).toEqual([1, 2, 2]);
  });

  it('go on after one that failed, and stop when told', async () => {
    const turns = new CoalescingQueue<string, string>({
      body: (request, signal) =>
        request === 'bad'
          ? Promise.reject(new Error('bad'))
          : new Promise((resolve, reject) => {
              if (request === 'quick') resolve('done');
              signal.addEventListener('abort', () => reject(new Error('stopped')));
            }),
      merge: (_, b) => b,
      stopwatch: () => 0,
      onIdle: () => undefined,
    });
    const bad = turns.enqueue('bad');
    const quick = turns.enqueue('quick');
    await expect(bad).rejects.toThrow('bad');
    await expect(quick).resolves.toBe('done');
    const long = turns.enqueue('long');
    await turns.stop();
    await expect(long).rejects.toThrow('stopped');
    expect(turns.busyFor()).toBeUndefined();
  });
});
