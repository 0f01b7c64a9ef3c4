import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolViolationError } from '../../../server/peer/guard/errors.ts';
import type { RawRows } from '../../../server/peer/transport/exchange.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';
import { readPage, readRecords } from '../../../server/peer/dialects/records.ts';
import { valuesOf } from '../../../server/lists/values/value-sets.ts';
import { english } from '../../../server/words/said.ts';

const time = '2026-11-20T18:01:02Z';
const row = (more: object): object => ({ recordID: '523396897784856677', createdAt: time, ...more });
const read = (set: unknown[], ids?: string[]): ReturnType<typeof readRecords> =>
  readRecords(set, ids && new Set(ids), PEER_LIMITS);

describe('rows of a page', () => {
  it('have each of their times checked, also between rows of one and the same time', () => {
    const days = ['2026-11-20', '2026-11-20', '2026-13-20', '2026-11-20', 'someday'];
    const { records, bad } = read(
      days.map((day, at) => row({ recordID: `52339689778485667${at}`, updatedAt: `${day}T18:01:02Z` })),
    );
    expect(records.map(({ recordID }) => recordID.at(-1))).toEqual(['0', '1', '3']);
    expect(bad.map(({ recordID }) => recordID.at(-1))).toEqual(['2', '4']);
  });

  it('say how many characters their values have together', () => {
    const values = [
      { name: 'Customer', value: 'Fjordfisk AS' },
      { name: 'City', value: 'Bodø' },
      { name: 'Note', value: '' },
    ];
    expect(read([row({ values }), row({ values: [] })]).letters).toBe(16);
  });

  it('keep ids beyond 2^53 digit by digit (H5)', () => {
    expect(read([row({ recordID: '18446744073709551615' })]).records[0]?.recordID).toBe(
      '18446744073709551615',
    );
  });

  it.each([
    ['a number', 2 ** 60],
    ['negative', '-1'],
    ['10 kB long', '1'.repeat(10_240)],
    ['a path', '../1'],
    ['above 64 bits', '18446744073709551616'],
    ['empty', ''],
    ['missing', undefined],
  ])('H5: a page with an id that is %s is refused', (_, recordID) => {
    expect(() => read([row({ recordID })])).toThrow(ProtocolViolationError);
  });

  it('gather repeated names as one multi-value, in order, and empty ones without `value`', () => {
    const values = [
      { name: 'tags', value: 'red' },
      { name: 'active' },
      { name: 'tags', value: 'blue' },
      { name: 'note', value: null },
    ];
    const [record] = read([row({ values })]).records;
    expect(Object.entries(record?.values ?? {})).toEqual([
      ['tags', ['red', 'blue']],
      ['active', []],
      ['note', []],
    ]);
  });

  it('take a column named `__proto__` or `constructor` as a name like any other', () => {
    const [record] = read([
      row({
        values: [
          { name: '__proto__', value: 'x' },
          { name: 'constructor', value: 'y' },
        ],
      }),
    ]).records;
    expect(valuesOf(record?.values ?? {}, '__proto__')).toEqual(['x']);
    expect(valuesOf(record?.values ?? {}, 'constructor')).toEqual(['y']);
    expect(valuesOf(record?.values ?? {}, 'toString')).toEqual([]);
  });

  it('without updatedAt carry their time of creation instead', () => {
    expect(read([row({})]).records[0]).toMatchObject({ createdAt: time, updatedAt: time });
    expect(read([{ recordID: '1', updatedAt: time }]).records[0]).toMatchObject({ createdAt: time });
  });

  it('deleted on a live server keep the values that are stamped with the deletion', () => {
    const values = [{ name: 'name', value: 'x', deletedAt: time }];
    expect(valuesOf(read([row({ values, deletedAt: time })]).records[0]?.values ?? {}, 'name')).toEqual([
      'x',
    ]);
    expect(valuesOf(read([row({ values })]).records[0]?.values ?? {}, 'name')).toEqual([]);
  });

  it.each([
    ['a value that is a number', { values: [{ name: 'a', value: 5 }] }],
    ['a value larger than 1 MiB', { values: [{ name: 'a', value: 'x'.repeat(1024 * 1024 + 1) }] }],
    [
      'more than 4 MiB of values',
      { values: Array.from({ length: 5 }, (_, at) => ({ name: `c${at}`, value: 'x'.repeat(1024 * 1024) })) },
    ],
    ['another list’s id', { moduleID: '99' }],
    ['a time that is none', { updatedAt: 'yesterday' }],
    ['a column name of 1000 characters', { values: [{ name: 'x'.repeat(1000), value: '' }] }],
    ['too many values', { values: Array.from({ length: 10_001 }, () => ({ name: 'a', value: '1' })) }],
  ])('H6: a row with %s is put aside, its neighbours are taken', (_, fault) => {
    const { records, bad } = read(
      [row({ recordID: '1' }), row({ recordID: '2', ...fault }), row({ recordID: '3' })],
      ['7'],
    );
    expect(records.map(({ recordID }) => recordID)).toEqual(['1', '3']);
    expect(bad.map(({ recordID }) => recordID)).toEqual(['2']);
    expect(english(bad[0]?.reason ?? '')).toMatch(/\.$/);
  });

  it('H2: a row of nothing but wrong values is put aside at the first of them', () => {
    const looked: number[] = [];
    const values = Array.from({ length: 10_000 }, (_, at) => {
      const wrong = {};
      Object.defineProperty(wrong, 'name', { get: () => void looked.push(at), enumerable: true });
      return wrong;
    });
    expect(read([row({ values })]).bad).toHaveLength(1);
    expect(new Set(looked)).toEqual(new Set([0]));
  });

  it('H2: more rows than a page may have are refused', async () => {
    const raw = { count: 2, pieces: 1, read: () => [[row({}), row({})]].values(), release: () => undefined };
    await expect(readPage(raw, undefined, { ...PEER_LIMITS, rowsPerPage: 1 })).rejects.toThrow(
      ProtocolViolationError,
    );
  });

  it('of a large page are all looked at before the first is given out, and let go of in the end', async () => {
    let released = 0;
    const raw = (...pieces: unknown[][]): RawRows => ({
      count: pieces.flat().length,
      pieces: pieces.length,
      read: () => pieces.values(),
      release: () => (released += 1),
    });
    await expect(readPage(raw([row({})], [{ recordID: 5 }]), undefined, PEER_LIMITS)).rejects.toThrow(
      'no proper id',
    );
    const page = await readPage(raw([row({})], [row({}), row({})]), undefined, PEER_LIMITS);
    expect(released).toBe(0);
    const sizes: number[] = [];
    for await (const { records } of page) sizes.push(records.length);
    expect(sizes).toEqual([1, 2]);
    expect(released).toBe(1);
  });

  it('never throw anything but a typed error, whatever comes (fast-check)', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (set) => {
        try {
          read(set);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolViolationError);
        }
      }),
    );
  });
});
