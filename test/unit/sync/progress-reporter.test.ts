import { expect, it } from 'vitest';
import type { SyncReport } from '../../../server/peer/dialects/footbridge.ts';
import { createProgressReporter } from '../../../server/sync/schedule/progress-reporter.ts';

/** A partner that hears what it is told when the test says so. */
function partner(): {
  readonly heard: number[];
  readonly under: { done(): void; fail(): void }[];
  reportProgress(report: SyncReport): Promise<void>;
} {
  const heard: number[] = [];
  const under: { done(): void; fail(): void }[] = [];
  return {
    heard,
    under,
    reportProgress: (report) =>
      new Promise((resolve, reject) => {
        under.push({
          done() {
            heard.push(report.lists[0]?.held ?? -1);
            resolve();
          },
          fail: () => reject(new Error('cut off')),
        });
      }),
  };
}

const reportOf = (held: number): SyncReport => ({
  lists: [{ moduleID: '7', wanted: 'yes', held, lost: 0, apart: 0 }],
});

it('tells what is news once, what did not arrive again, and all again to whoever may have forgotten', async () => {
  const there = partner();
  let held = 1;
  const telling = createProgressReporter(() => Promise.resolve(reportOf(held)));
  const tell = async (end: 'done' | 'fail'): Promise<void> => {
    const told = telling.send(there);
    await expect.poll(() => there.under.length).toBe(1);
    there.under.pop()?.[end]();
    await told;
  };
  await tell('done');
  await telling.send(there);
  expect(there.heard).toEqual([1]);
  held = 2;
  await tell('fail');
  await tell('done');
  expect(there.heard).toEqual([1, 2]);
  telling.forgetReported();
  await tell('done');
  expect(there.heard).toEqual([1, 2, 2]);
});

it('tells one report after the other, so that none stands for a newer one', async () => {
  const there = partner();
  let held = 1;
  const telling = createProgressReporter(() => Promise.resolve(reportOf(held)));
  const first = telling.send(there);
  await expect.poll(() => there.under.length).toBe(1);
  held = 2;
  const second = telling.send(there);
  // Time enough for the second to overtake the first, if it could.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(there.under).toHaveLength(1);
  there.under[0]?.done();
  await first;
  await expect.poll(() => there.under.length).toBe(2);
  there.under[1]?.done();
  await second;
  expect(there.heard).toEqual([1, 2]);
});

it('tells all again to whoever may have forgotten while a report was on its way to it', async () => {
  const there = partner();
  const telling = createProgressReporter(() => Promise.resolve(reportOf(4)));
  const first = telling.send(there);
  await expect.poll(() => there.under.length).toBe(1);
  telling.forgetReported();
  there.under.pop()?.done();
  await first;
  const again = telling.send(there);
  await expect.poll(() => there.under.length).toBe(1);
  there.under.pop()?.done();
  await again;
  expect(there.heard).toEqual([4, 4]);
});
