import { expect, it } from 'vitest';
import { ListBackoff } from '../../../server/sync/schedule/fetching.ts';
import { msUntilNextWake } from '../../../server/sync/schedule/sync-scheduler.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { pairedNode } from '../../support/data/paired-node.ts';

const NOW = Date.UTC(2026, 10, 25);
const HOUR = 3_600_000;

const node = pairedNode({ footbridge: false, role: 'invitee' });

it.each([
  ['a minute', 60_000],
  ['a year', 365 * 24 * HOUR],
])(
  'a pause that ends in %s is looked at in time, and at least every hour, as the clock may be put back',
  (_name, length) => {
    const until = new Date(NOW + length).toISOString();
    const paused = { ...node, paused: { until, fetch: true, serve: true } };
    const within = msUntilNextWake(paused, NOW, { interval: 60_000, usualPause: () => 60_000 });
    expect(within).toBe(Math.min(length, HOUR));
  },
);

it('wakes once for a list that failed, and not for ever where no run tries it any more', () => {
  const clock = manualClock();
  const backoff = new ListBackoff(clock, () => 0.5);
  expect(backoff.nextRetryMs).toBe(Infinity);
  backoff.recordFailure('7101 12');
  const wait = backoff.nextRetryMs;
  expect(wait).toBeGreaterThan(0);
  expect(backoff.isBackingOff('7101 12')).toBe(true);
  clock.advance(wait);
  expect(backoff.isBackingOff('7101 12')).toBe(false);
  // Its mapping was removed meanwhile: neither a success nor a failure follows.
  expect(backoff.nextRetryMs).toBe(Infinity);
  backoff.recordFailure('7101 12');
  expect(backoff.nextRetryMs, 'failures are still counted').toBeGreaterThan(wait);
});
