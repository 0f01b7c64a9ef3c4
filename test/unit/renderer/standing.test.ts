import { expect, it } from 'vitest';
import { GRACE_MS, saidOf, type Standing } from '../../../renderer/state/standing.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const good: Standing = {
  state: 'up-to-date',
  reason: '',
  also: [],
  awaited: false,
  freshUntil: '2026-11-22T10:00:00Z',
};

it('has one word for how it stands, and none that is good for what nobody has confirmed in time', () => {
  expect(saidOf(good, NOW)).toBe('up-to-date');
  expect(saidOf(good, NOW + GRACE_MS + 1)).toBe('offline');
  expect(saidOf({ ...good, idle: true }, NOW)).toBe('connected');
  expect(saidOf({ ...good, idle: true }, NOW + GRACE_MS + 1)).toBe('offline');
  expect(saidOf({ ...good, state: 'offline', awaited: true }, NOW)).toBe('awaited');
  expect(saidOf({ ...good, state: 'paused' }, NOW + GRACE_MS + 1)).toBe('paused');
});
