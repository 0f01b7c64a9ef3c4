import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOf, type IncomingRow } from '../../../server/base/incoming-row.ts';
import {
  BadRowGroup,
  createRowGroup,
  GROUP_ROWS,
  readRowGroup,
  type GroupedRow,
} from '../../../server/base/row-group.ts';
import { seedOf } from '../../support/data/luck.ts';
import { customers } from '../../support/data/office-lists.ts';
import { seeded } from '../../support/data/seeded.ts';

const FIELDS: readonly string[] = ['Company', 'City', 'Amount'];
const TIMES = ['2026-11-20T08:00:00.000Z', '2026-11-21T17:30:12.345Z', '2019-02-03T00:00:00+02:00'];
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text);

/** Reads a group as its description says, number by number and without any hurry. */
function readSlowly(line: string): IncomingRow[] {
  const group = JSON.parse(line) as {
    n: number;
    fields: string[];
    vias: string[][];
    times: string[];
    ids: string;
    at: string;
    names: string;
    lengths: string[];
    text: string[];
  };
  const numbers = (base64: string, bytes: number): bigint[] => {
    const all = Array.from(atob(base64), (letter) => BigInt(letter.charCodeAt(0)));
    const found: bigint[] = [];
    for (let from = 0; from < all.length; from += bytes)
      found.push(all.slice(from, from + bytes).reduceRight((sum, byte) => sum * 256n + byte, 0n));
    return found;
  };
  const at = numbers(group.at, 2).map(Number);
  const lengths = group.lengths.map((each) => numbers(each, 4).map(Number));
  return numbers(group.ids, 8).map((id, row) => {
    const [via = 0, created = 0, updated = 0, origin = 0] = at.slice(4 * row);
    const values = group.fields.flatMap((name, column) => {
      const own = lengths[column] ?? [];
      const from = own.slice(0, row).reduce((sum, length) => sum + length, 0);
      const value = (group.text[column] ?? '').substring(from, from + (own[row] ?? 0));
      return value === '' ? [] : [[name, [value]] as const];
    });
    return {
      recordID: String(id),
      createdAt: group.times[created] ?? '',
      updatedAt: group.times[updated] ?? '',
      via: group.vias[via] ?? [],
      origin: { id: group.names.substring(22 * row, 22 * row + 22), at: group.times[origin] ?? '' },
      values: Object.fromEntries(values),
    };
  });
}

function lineOf(rows: readonly GroupedRow[], fields = FIELDS): string {
  const group = createRowGroup(fields);
  for (const row of rows) expect(group.add(row)).toBe(true);
  return group.json();
}

const LIMITS = { valuesPerRow: 500, nameLength: 200 };
const rowsIn = (data: unknown): readonly IncomingRow[] => rowsOf(readRowGroup(data, isTime, LIMITS).columns);
const read = (line: string): readonly IncomingRow[] => rowsIn(JSON.parse(line));

const valuesOf = (fields: readonly string[], texts: readonly string[]): { name: string; value: string }[] =>
  fields.flatMap((name, at) => (texts[at] ? [{ name, value: texts[at] }] : []));

const row = (at: number, texts: readonly string[], fields = FIELDS): GroupedRow => ({
  recordID: `2235175203408${String(142_336 + at)}`,
  createdAt: TIMES[0] ?? '',
  updatedAt: TIMES[at % 2] ?? '',
  via: ['k0123456789abcdef0123456789abcdef'],
  origin: { id: `abcdefghijklmnop${String(at).padStart(6, '0')}`, at: TIMES[at % 2] ?? '' },
  values: valuesOf(fields, texts),
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '"', '\\', '\n\u2028', '😀', 'Ylä-Łódź', '__proto__', '  blank '),
);
const anyRow: fc.Arbitrary<GroupedRow> = fc.record({
  recordID: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  createdAt: fc.constantFrom(...TIMES),
  updatedAt: fc.constantFrom(...TIMES),
  via: fc.array(fc.constantFrom('inst-a', 'inst-b', 'inst-c'), { minLength: 1, maxLength: 3 }),
  origin: fc.record({
    id: fc.stringMatching(/^[A-Za-z0-9_-]{22}$/),
    at: fc.constantFrom(...TIMES),
  }),
  values: fc.tuple(anyText, anyText, anyText).map((texts) => valuesOf(FIELDS, texts)),
});

describe('a group of rows', () => {
  it('gives back the rows of an office, in less than two thirds of their JSON', () => {
    const { columns, rows: people } = customers({ rows: 500 });
    const rows = people.map((person, at) =>
      row(
        at,
        columns.map((name) => person[name] ?? ''),
        columns,
      ),
    );
    const line = lineOf(rows, columns);
    expect(read(line)).toEqual(readSlowly(line));
    expect(
      read(line).map(({ values }) => Object.entries(values).map(([name, [value]]) => ({ name, value }))),
    ).toEqual(rows.map(({ values }) => values));
    const asJSON = JSON.stringify(rows);
    expect(line.length).toBeLessThan((asJSON.length * 2) / 3);
  });

  it('is read as a slow reader reads it, whatever its rows are', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 20 }), (rows) => {
        const line = lineOf(rows);
        expect(read(line)).toEqual(readSlowly(line));
      }),
      { numRuns: 500, seed: seedOf(4301) },
    );
  });

  it('leaves out what its reader would refuse, be it a way or half a character of a third office', () => {
    const whole = row(1, ['Fisk']);
    const withName = (value: string): GroupedRow => row(1, [value]);
    for (const value of ['Fisk \ud83d', '\ude00 Fisk']) {
      const group = createRowGroup(FIELDS);
      expect(group.add(withName(value))).toBe(false);
      expect(group.add(withName('Fisk 😀'))).toBe(true);
    }
    const far = Array.from({ length: 101 }, (_, at) => `office-${at}`);
    expect(createRowGroup(FIELDS).add({ ...whole, via: far })).toBe(false);
    expect(createRowGroup(FIELDS).add({ ...whole, via: ['o'.repeat(101)] })).toBe(false);
    expect(createRowGroup(FIELDS).add({ ...whole, via: far.slice(1) })).toBe(true);
  });

  it('ends before it is too large', () => {
    const full = createRowGroup(FIELDS);
    for (let at = 0; at < GROUP_ROWS; at++) expect(full.add(row(at, ['Fjordfisk', 'Bodø', '12']))).toBe(true);
    expect(full.add(row(GROUP_ROWS, ['Fjordfisk', 'Bodø', '12']))).toBe(false);
    const wide = createRowGroup(FIELDS);
    expect(wide.add(row(0, ['x'.repeat(768 * 1024), '', '']))).toBe(true);
    expect(wide.add(row(1, ['x', '', '']))).toBe(false);
  });

  it.each([
    ['that is deleted', { deletedAt: TIMES[1] ?? '' }],
    ['whose name is of another length', { origin: { id: 'abcdefghijklmnop', at: TIMES[0] ?? '' } }],
    [
      'with two values of one column',
      {
        values: [
          { name: 'City', value: 'Bodø' },
          { name: 'City', value: 'Łódź' },
        ],
      },
    ],
    ['with an empty value, as that of a No', { values: [{ name: 'City', value: '' }] }],
    ['with a value of another column', { values: [{ name: 'Secret', value: 'x' }] }],
  ])('takes no row %s', (_, part) => {
    expect(createRowGroup(FIELDS).add({ ...row(0, ['Fjordfisk', 'Bodø', '12']), ...part })).toBe(false);
  });

  it('that was changed is refused, or is a group that would be written like this', () => {
    const random = seeded(seedOf(4302));
    const { columns, rows: people } = customers({ rows: 30 });
    const lines = [
      lineOf(
        people.map((person, at) =>
          row(
            at,
            columns.map((name) => person[name] ?? ''),
            columns,
          ),
        ),
        columns,
      ),
      lineOf([row(1, ['Łódź 😀', '', '7']), row(2, ['', '', '']), row(3, ['"\\\n', 'x', '0'])]),
    ];
    let [refused, taken] = [0, 0];
    for (let round = 0; round < 8_000; round++) {
      const line = lines[round % lines.length] ?? '';
      const changed = changedLine(line, random);
      let data: unknown;
      try {
        data = JSON.parse(changed);
      } catch {
        continue;
      }
      try {
        const rows = rowsIn(data);
        const { fields } = data as { fields: string[] };
        expect(rows).toEqual(readSlowly(changed));
        const again = rows.map((each) => ({
          ...each,
          via: each.via ?? [],
          origin: each.origin ?? { id: '', at: '' },
          values: valuesOf(
            fields,
            fields.map((name) => each.values[name]?.[0] ?? ''),
          ),
        }));
        expect(JSON.parse(lineOf(again, fields))).toEqual(data);
        taken++;
      } catch (error) {
        if (!(error instanceof BadRowGroup)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(200);
    expect(taken).toBeGreaterThan(200);
  });
});

/** One to three letters changed, put in, taken out or moved. */
function changedLine(line: string, random: ReturnType<typeof seeded>): string {
  let changed = line;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(changed.length);
    const letter = random.pick([
      'A',
      '0',
      '9',
      '"',
      ',',
      '[',
      ']',
      '{',
      '}',
      ':',
      '=',
      '/',
      '-',
      '\ud83d',
      'é',
      '\\',
    ]);
    const how = random.below(4);
    const [before, behind] = [changed.slice(0, at), changed.slice(at + 1)];
    if (how === 0) changed = before + letter + behind;
    else if (how === 1) changed = before + letter + changed.slice(at);
    else if (how === 2) changed = before + behind;
    else changed = before + changed.slice(random.below(changed.length)).slice(0, 8) + behind;
  }
  return changed;
}
