import { describe, expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { msUntilWarnedEnd } from '../../../server/federation/partners/token-life.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = Date.parse('2026-11-20T18:00:00Z');

type Held = Parameters<typeof msUntilWarnedEnd>[0];

/** A connection to other software whose token lived so long until {@link END}. */
const living = (life: number | undefined, change: Partial<Node> = {}): Held => ({
  status: 'paired',
  footbridge: false,
  tokenExpiresAt: new Date(END).toISOString(),
  ...(life === undefined ? {} : { tokenSince: new Date(END - life).toISOString() }),
  ...change,
});

describe('the end of a connection is worth saying', () => {
  it.each([
    ['two hours', 2 * HOUR, 24 * 60_000],
    ['a day', DAY, 4.8 * HOUR],
    ['ninety days', 90 * DAY, 7 * DAY],
    ['nobody knows how long', undefined, HOUR / 2],
  ])('at a fifth of its life, a week before at most, where it lives for %s', (_, life, warning) => {
    expect(msUntilWarnedEnd(living(life), END - warning - 1)).toBeUndefined();
    expect(msUntilWarnedEnd(living(life), END - warning)).toBe(warning);
    expect(msUntilWarnedEnd(living(life), END + 1)).toBe(-1);
  });

  it.each([
    ['renews itself', { footbridge: true }],
    ['is over', { status: 'unpaired' as const }],
  ])('not of one that %s', (_, change) => {
    expect(msUntilWarnedEnd(living(DAY, change), END - 1)).toBeUndefined();
  });

  it('not of one that has none', () => {
    expect(msUntilWarnedEnd({ status: 'paired', footbridge: false }, END)).toBeUndefined();
  });
});
