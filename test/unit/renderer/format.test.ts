import { afterEach, expect, it, vi } from 'vitest';
import { createFormat } from '../../../renderer/text/format.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  [24 * 3600 - 2, 'in 24 hours'],
  [3600 - 5, 'in 60 minutes'],
  [7 * 86_400 - 60, 'in 7 days'],
  [95, 'in 2 minutes'],
  [-119, '1 minute ago'],
  [-(24 * 3600 - 2), '23 hours ago'],
])('says of what ends or was %i seconds away: %s', (seconds, words) => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] });
  const now = Date.UTC(2031, 4, 6, 9, 30);
  expect(createFormat('en').ago(new Date(now + seconds * 1000).toISOString(), now)).toBe(words);
});
