import { expect, it } from 'vitest';
import { GRACE_MS, statusText, type Status } from '../../../renderer/state/status.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const good: Status = {
  state: 'up-to-date',
  reason: '',
  also: [],
  awaited: false,
  freshUntil: '2026-11-22T10:00:00Z',
};

it('has one word for how it stands, and none that is good for what nobody has confirmed in time', () => {
  expect(statusText(good, NOW)).toBe('up-to-date');
  expect(statusText(good, NOW + GRACE_MS + 1)).toBe('offline');
  expect(statusText({ ...good, idle: true }, NOW)).toBe('connected');
  expect(statusText({ ...good, idle: true }, NOW + GRACE_MS + 1)).toBe('offline');
  expect(statusText({ ...good, state: 'offline', awaited: true }, NOW)).toBe('awaited');
  expect(statusText({ ...good, state: 'paused' }, NOW + GRACE_MS + 1)).toBe('paused');
});
