import { expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { nextWake } from '../../../server/sync/schedule/next-wake.ts';

const NOW = Date.UTC(2026, 10, 25);
const HOUR = 3_600_000;

const node: Node = {
  nodeID: '1',
  sharedNodeID: '7',
  name: 'Bergen',
  baseURL: 'https://bergen.example/federation',
  colour: 'plum',
  status: 'paired',
  contact: '',
  footbridge: false,
  role: 'invitee',
  ownNetwork: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: '0',
};

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
