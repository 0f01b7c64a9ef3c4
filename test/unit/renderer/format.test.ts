import { afterAll, describe, expect, it, vi } from 'vitest';
import { createFormat } from '../../../renderer/text/format.ts';

vi.stubGlobal('navigator', { languages: ['en-GB'] });
afterAll(() => vi.unstubAllGlobals());
const format = createFormat('en');
const NOW = Date.parse('2026-11-20T12:00:00Z');
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const at = (milliseconds: number): string => new Date(NOW + milliseconds).toISOString();
const told = (milliseconds: number): string => format.until(at(milliseconds), NOW);

describe('how long it is until then', () => {
  it.each([
    // An invite just made, by a clock of the window that is read every half minute.
    [24 * HOUR - 40, 'in 24 hours'],
    [24 * HOUR - 29 * SECOND, 'in 24 hours'],
    [24 * HOUR + 29 * SECOND, 'in 24 hours'],
    [23 * HOUR + 10 * 60 * SECOND, 'in 23 hours'],
    [36 * HOUR, 'in 2 days'],
    [7 * 24 * HOUR - 60 * SECOND, 'in 7 days'],
    [HOUR - 5 * SECOND, 'in 60 minutes'],
    [3 * SECOND, 'in 1 minute'],
    [50 * SECOND, 'in 1 minute'],
    [150 * SECOND, 'in 3 minutes'],
    [59 * 60 * SECOND, 'in 59 minutes'],
    [90 * 24 * HOUR, 'in 3 months'],
  ])('%i ms: %s', (milliseconds, words) => {
    expect(told(milliseconds)).toBe(words);
  });

  it.each([
    [-3 * SECOND, 'now'],
    [-59 * SECOND, '50 seconds ago'],
    [-119 * SECOND, '1 minute ago'],
    [-23.9 * HOUR, '23 hours ago'],
    [-47 * HOUR, 'yesterday'],
  ])('and how long ago it was: %i ms: %s', (milliseconds, words) => {
    expect(told(milliseconds)).toBe(words);
    expect(format.ago(at(milliseconds), NOW)).toBe(words);
  });

  it.each([1, 3 * SECOND, 29 * SECOND])(
    'what happened %i ms after the last look at the clock is not to come',
    (ms) => {
      expect(format.ago(at(ms), NOW)).toBe('now');
    },
  );
});

it.each([
  ['en', 0, '0 bytes'],
  ['en', 1, '1 byte'],
  ['en', 999, '999 bytes'],
  ['en', 2900, '2.9 kB'],
  ['de', 12_400_000, '12,4 MB'],
  ['fr', 300, '300\u00a0octets'],
] as const)('says in %s how much %d bytes are: %s', (locale, bytes, said) => {
  expect(createFormat(locale).bytes(bytes)).toBe(said);
});
