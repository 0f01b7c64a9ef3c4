import { describe, expect, it } from 'vitest';
import {
  describeClockSkew,
  isApart,
  isOursWrong,
  durationInWords,
} from '../../../server/federation/partners/clocks.ts';
import { english, speak } from '../../../server/words/said.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('two clocks', () => {
  it('are worth a word from two minutes on, either way', () => {
    for (const ahead of [undefined, 0, MINUTE, -1.9 * MINUTE]) expect(isApart(ahead)).toBe(false);
    for (const ahead of [2 * MINUTE, -3 * HOUR, 365 * DAY]) expect(isApart(ahead)).toBe(true);
  });

  it.each([
    ['one partner alone', [HOUR], false],
    ['two that say the same', [HOUR, HOUR + MINUTE], true],
    ['two that say the same, as ours is ahead', [-365 * DAY, -365 * DAY], true],
    ['two that differ among themselves', [HOUR, -HOUR], false],
    ['one that agrees with us', [HOUR, 20_000, HOUR], false],
    ['none', [], false],
  ])('of %s tell whose is wrong', (_, aheads, ours) => {
    expect(isOursWrong(aheads)).toBe(ours);
  });

  it.each([
    [2 * MINUTE, '2 minutes', '2 Minuten'],
    [119 * MINUTE, '119 minutes', '119 Minuten'],
    [3 * HOUR, '3 hours', '3 Stunden'],
    [365 * DAY, '365 days', '365 Tagen'],
  ])('%i ms is said as %s', (span, inEnglish, inGerman) => {
    expect([english(durationInWords(span)), speak(durationInWords(span), 'de')]).toEqual([
      inEnglish,
      inGerman,
    ]);
    expect(describeClockSkew(-span, 0) !== undefined).toBe(span >= HOUR);
  });
});
