import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as lists from '../support/data/office-lists.ts';
import type { OfficeList } from '../support/data/office-lists.ts';

const all: [make: (size?: lists.ListSize) => OfficeList, rows: number, columns: number][] = [
  [lists.customers, 400, 11],
  [lists.articles, 1500, 60],
  [lists.signatures, 3000, 2],
  [lists.payments, 20_000, 4],
  [lists.reports, 40, 2],
  [lists.languages, 300, 7],
];

describe('the lists that tests draw on', () => {
  it.each(all)('%o has its rows, no two alike, and is the same every time', (make, rows, columns) => {
    const list = make();
    expect(list.columns).toHaveLength(columns);
    expect(new Set(list.rows.map((row) => JSON.stringify(Object.values(row).slice(1)))).size).toBe(rows);
    expect(list.rows.every((row) => Object.keys(row).join() === list.columns.join())).toBe(true);
    expect(lists.csvOf(make())).toBe(lists.csvOf(list));
    expect(lists.csvOf(make({ seed: 7_654 }))).not.toBe(lists.csvOf(list));
  });

  it('have texts that do not compress, long ones, empty ones, and every script', () => {
    const packed = (list: OfficeList): number => {
      const csv = Buffer.from(lists.csvOf(list));
      return deflateSync(csv).length / csv.length;
    };
    expect(packed(lists.signatures())).toBeGreaterThan(0.7);
    expect(packed(lists.customers())).toBeGreaterThan(0.25);
    expect(lists.signatures().rows.every(({ Signature = '' }) => Signature.length >= 400)).toBe(true);
    expect(lists.reports().rows.every(({ Text = '' }) => Text.length >= 100_000)).toBe(true);
    const text = lists.csvOf(lists.languages());
    for (const script of ['Latin', 'Greek', 'Arabic', 'Han'])
      expect(text).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    expect(text).toMatch(/\p{Extended_Pictographic}/u);
    expect(text).toMatch(/\p{L}\p{M}/u);
    expect(text).toMatch(/,,/);
    expect(text).toMatch(/,-\d/);
  });
});
