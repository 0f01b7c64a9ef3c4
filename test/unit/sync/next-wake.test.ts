import { expect, it } from 'vitest';
import { nextWake } from '../../../server/sync/schedule/sync-scheduler.ts';
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
    const within = nextWake(paused, NOW, { interval: 60_000, usualPause: () => 60_000 });
    expect(within).toBe(Math.min(length, HOUR));
  },
);
