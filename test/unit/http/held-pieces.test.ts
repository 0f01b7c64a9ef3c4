import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../server/base/refusal.ts';
import { HeldPieces } from '../../../server/http/interface/compose/records.ts';

const MONTH = 'Fjord Fish delivers. '.repeat(10);

describe('pieces that answers hold', () => {
  it('come in their order, and are forgotten where the reader has them or leaves', () => {
    const budget = { total: 0, max: 10 * MONTH.length };
    const held = new HeldPieces(budget);
    for (const piece of ['January', 'February', 'March']) held.hold(piece);
    expect(budget.total).toBe('JanuaryFebruaryMarch'.length);
    const pieces = held.release();
    expect([pieces.next().value, pieces.next().value]).toEqual(['January', 'February']);
    expect(budget.total).toBe('FebruaryMarch'.length);
    held.clear();
    expect(budget.total).toBe(0);
    expect([...held.release()]).toEqual([]);
  });

  it('are refused where all answers together hold too much, but never those of one alone', () => {
    const budget = { total: 0, max: 3 * MONTH.length };
    const readers = Array.from({ length: 3 }, () => new HeldPieces(budget));
    for (const held of readers) held.hold(MONTH);
    const late = new HeldPieces(budget);
    expect(() => late.hold(MONTH)).toThrow(Refusal);
    expect(() => late.hold(MONTH)).toThrow('Call again in a few seconds');
    readers[0]?.clear();
    late.hold(MONTH);
    for (const held of [...readers, late]) held.clear();
    new HeldPieces(budget).hold(MONTH.repeat(9));
  });
});
