import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../server/base/refusal.ts';
import { parseSort } from '../../../server/lists/query/sort.ts';
import {
  cursorAfter,
  orderOfCursor,
  readCursor,
  writeCursor,
} from '../../../server/lists/rows/row-cursor.ts';

const cursors = fc.record({
  sort: fc.string({ unit: 'grapheme', maxLength: 100 }),
  columns: fc.array(fc.string(), { maxLength: 17 }),
  key: fc.record({
    recordID: fc.bigInt(0n, 2n ** 64n - 1n).map(String),
    keys: fc.array(fc.option(fc.string(), { nil: undefined }), { maxLength: 17 }),
  }),
});

describe('the page cursor', () => {
  it('comes back as it was given out, and needs no escaping in an address', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        const text = writeCursor(cursor);
        expect(readCursor(text)).toEqual(cursor);
        expect(encodeURIComponent(text)).toBe(text);
      }),
    );
  });

  it('of a version whose keys were written otherwise is refused, as it would end among them', () => {
    for (const content of [
      ['Amount DESC', '7', ['12.5']],
      [2, 'Amount DESC', '7', ['12.5']],
      [3, 'Amount DESC', '7', ['12.5'], ['Number']],
    ]) {
      const before = Buffer.from(JSON.stringify(content));
      for (const bytes of [before, deflateRawSync(before)])
        expect(() => readCursor(bytes.toString('base64url'))).toThrow(Refusal);
    }
  });

  it('of any other text is refused as malformed; nothing else happens', () => {
    const foreign = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      fc.tuple(cursors, fc.nat(), fc.string()).map(([cursor, at, instead]) => {
        const text = writeCursor(cursor);
        return text.slice(0, at % text.length) + instead;
      }),
      fc.constant('A'.repeat(100_000)),
      fc.constant(
        deflateRawSync(JSON.stringify([4, ' '.repeat(4_000_000), '7', [], []])).toString('base64url'),
      ),
    );
    fc.assert(
      fc.property(foreign, (text) => {
        try {
          const { sort, key } = readCursor(text);
          expect(typeof sort).toBe('string');
          expect(key.recordID).toMatch(/^\d{1,20}$/);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect((error as Refusal).kind).toBe('malformed');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('of a thousand bytes that unpack to half a million brackets is refused without being parsed', () => {
    const levels = 500_000;
    const text = deflateRawSync('['.repeat(levels) + ']'.repeat(levels)).toString('base64url');
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(() => readCursor(text)).toThrow(Refusal);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it('goes on in the order of its page, by the ids also where a column is called id', () => {
    const columns = [{ name: 'id', kind: 'String' } as const];
    const orderOf = (sort: string, keys: readonly string[], fields: typeof columns): string[] =>
      orderOfCursor({ sort, columns: keys.map(() => 'String'), key: { recordID: '7', keys } }, (text) =>
        parseSort(text, fields),
      ).columns.concat();
    const { text, parts } = parseSort('', []);
    expect(parts).toEqual([]);
    expect(orderOf(text, [], [])).toEqual([]);
    expect(orderOf(text, [], columns)).toEqual([]);
    expect(orderOf('id ASC', ['a'], columns)).toEqual(['id']);
    expect(() => orderOf('id DESC', ['a', 'b'], columns)).toThrow(Refusal);
  });

  it('does not go on by another column that took the name of its own', () => {
    const parse = (fieldID: string) => (sort: string) =>
      parseSort(sort, [{ name: 'Town', kind: 'String', fieldID }]);
    const cursor = readCursor(cursorAfter(parse('1')('Town'), { recordID: '7', keys: ['ulm'] }));
    expect(orderOfCursor(cursor, parse('1')).columns).toEqual(['Town']);
    expect(() => orderOfCursor(cursor, parse('2'))).toThrow('another name or kind');
  });
});
