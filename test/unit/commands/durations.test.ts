import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../server/commands/durations.ts';

describe('durations on the command line', () => {
  it.each([
    ['60s', 60_000],
    ['250ms', 250],
    ['5m', 300_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
  ])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(['', '12', 'h', '-5s', '1.5h', '1 h', '9999999999s'])('%j is none', (text) =>
    expect(parseDuration(text)).toBeUndefined(),
  );
});
