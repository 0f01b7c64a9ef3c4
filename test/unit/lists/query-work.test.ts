import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../../server/lists/query/finder.ts';
import { createLike } from '../../../server/lists/query/like.ts';
import type { Values } from '../../../server/lists/definitions/model.ts';
import { createFunctionOperand, createNamedOperand } from '../../../server/lists/query/operand.ts';
import { createQueryWork } from '../../../server/lists/query/query-work.ts';
import { parseQuery } from '../../../server/lists/query/query.ts';
import type { QueryField } from '../../../server/lists/query/predicate.ts';
import { Refusal } from '../../../server/base/refusal.ts';
import { fold } from '../../../server/lists/values/text.ts';
import { runsOf } from '../../support/data/luck.ts';
import { processorTime } from '../../support/reading/processor-time.ts';

const FIELDS: QueryField[] = [
  { name: 'Title', kind: 'String' },
  { name: 'Note', kind: 'String' },
];
const TIMES = { recordID: '42', createdAt: '2025-01-01T00:00:00Z', updatedAt: '2025-06-01T12:00:00.000Z' };
const MIB = 1024 * 1024;
/**
 * What one row may take of the processor. The worst below needs a tenth of it; all of them took between one second and
 * two minutes before the work was bounded.
 */
const PATIENCE_MS = 700;

/** Processor time in which this thread answered or refused. */
const cost = (work: () => unknown): number =>
  processorTime(() => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  });

const row = (title: string, note = title): Values => ({ Title: [title], Note: [note] });
const a = (times: number): string => 'a'.repeat(times);
const many = (comparison: string, joint: string): string =>
  Array.from({ length: Math.floor(4000 / (comparison.length + joint.length)) }, () => comparison).join(joint);

/** A function of functions, `depth` deep. */
const nested = (name: string, depth: number): string =>
  `${`${name}(`.repeat(depth)}Title${')'.repeat(depth)}`;
const ROWFUL = `CONCAT(${Array.from({ length: 16 }, () => 'Title').join(',')})`;
const joined = `CONCAT(${Array.from({ length: 16 }, () => ROWFUL).join(',')})`;

/** Of one column that holds several values, in a row that a partner may send. */
const ONES = Array.from({ length: 20_000 }, () => '1');

const WORST: readonly [string, string, Values][] = [
  ['many single characters', `Title LIKE '%${'_'.repeat(200)}b%'`, row(a(0.9 * MIB))],
  [
    'many single characters again and again',
    many(`Title LIKE '%${'_'.repeat(200)}b%'`, ' OR '),
    row(a(0.9 * MIB)),
  ],
  ['single characters between parts', `Title LIKE '%${'a_'.repeat(120)}b%'`, row(a(0.9 * MIB))],
  ['many parts', `Title LIKE '${'%a_a'.repeat(60)}%b'`, row(a(0.9 * MIB))],
  ['a part that nearly fits everywhere', `Title LIKE '%${a(120)}b${a(130)}%'`, row(a(0.9 * MIB))],
  [
    'as many comparisons as a query holds',
    many("Title LIKE '%_b'", ' OR '),
    row(a(0.9 * MIB), 'x'.repeat(MIB)),
  ],
  [
    'as many folds as a query asks for',
    many("Title LIKE '%_😀'", ' OR '),
    row('é'.repeat(MIB / 2), 'x'.repeat(MIB)),
  ],
  ['as many equalities as a query holds', many("Title = 'b'", ' OR '), row(a(MIB))],
  ['a word that nearly fits everywhere', `${a(2000)}b${a(2000)}`, row(a(MIB))],
  ['as many words as a query holds', Array.from({ length: 1300 }, () => 'ab').join(' '), row(a(MIB))],
  ['a letter under half a million accents', 'müller', row(`a${'\u0301\u0323'.repeat(MIB / 4 - 1)}`)],
  ['characters that fold to many', "Title LIKE '%_b%'", row('\uFDFA'.repeat(MIB / 3 - 1))],
  ['very many values of a letter, compared as numbers', many('Title<1', ' OR '), { Title: ONES }],
  ['very many values of a letter, each part of none', many("Title LIKE 'b'", ' OR '), { Title: ONES }],
  ['very many values of a letter, and words of the last', many('b', ' '), { Title: [...ONES, 'b'] }],
  ['capitals of capitals', `${nested('UPPER', 28)} = 'x'`, row(a(MIB))],
  ['capitals again and again', many("UPPER(Title) = 'x'", ' OR '), row('ω'.repeat(MIB / 2))],
  ['letters without a capital', many("UPPER(Title) = 'x'", ' OR '), row('aß'.repeat(MIB / 3))],
  ['small letters again and again', many("LOWER(Title) = 'x'", ' OR '), row('İ'.repeat(MIB / 2))],
  ['texts joined to more than a text may be', `CONCAT(${joined},${joined},${joined}) = 'x'`, row(a(MIB))],
];

describe('S7: what one request may have us do', () => {
  it.each(WORST)('a row is looked at in a short turn, whatever is asked: %s', (_what, query, values) => {
    expect(cost(() => parseQuery(query, FIELDS)(values, TIMES))).toBeLessThan(PATIENCE_MS);
  });

  it('what is too much is refused, by a count that is the same on every computer', () => {
    const query = many("Title LIKE '%_b'", ' OR ');
    expect(() => parseQuery(query, FIELDS)(row(a(MIB)), TIMES)).toThrow(/too much text/);
    expect(parseQuery(query, FIELDS)(row(a(60_000)), TIMES)).toBe(false);
    const number = parseQuery(many('Title<1', ' OR '), FIELDS);
    expect(() => number({ Title: ONES }, TIMES)).toThrow(/too much text/);
    expect(number({ Title: ONES.slice(0, 500) }, TIMES)).toBe(false);
    // One look-up each, however long the list is.
    const listed = Array.from({ length: 500 }, (_, at) => at + 2).join(', ');
    for (const text of [listed, listed.replaceAll(/\d+/g, "'$&'")]) {
      const among = parseQuery(`Title IN (${text})`, FIELDS);
      expect(among({ Title: ONES }, TIMES)).toBe(false);
      expect(among({ Title: [...ONES, '501'] }, TIMES)).toBe(true);
    }
  });

  it('folding counts more for characters that take longer', () => {
    const letters = Array.from({ length: 9 }, (_, at) => String(at) + 'é'.repeat(MIB / 2 - 2));
    const search = parseQuery('word', FIELDS);
    expect(() => search({ Title: letters }, TIMES)).toThrow(/too much text/);
    expect(search({ Title: letters.map((one) => one.replaceAll('é', 'e')) }, TIMES)).toBe(false);
  });

  it('a function counts each time, and is refused where a text would get too long', () => {
    for (const query of [`${nested('UPPER', 28)} = 'x'`, `${nested('LOWER', 28)} = 'x'`, `${joined} = 'x'`])
      for (const scope of ['feed', 'live', 'compose'] as const)
        expect(() => parseQuery(query, FIELDS, { scope })(row(a(MIB)), TIMES), query).toThrow(
          /too much text/,
        );
  });

  it('a call of a function counts however short its text is: ten seconds are some four million calls', () => {
    let counted = 0;
    const work = { ...createQueryWork(), countWork: (characters: number) => (counted += characters) };
    const column = createNamedOperand('At', [{ name: 'At', kind: 'DateTime' }], 'feed');
    const year = createFunctionOperand('YEAR', [column], '', work);
    for (let calls = 0; calls < 1000; calls++) year.texts({ At: ['2026-03-31T10:00:00Z'] }, TIMES);
    expect(counted).toBeGreaterThan(1000 * 2000);
  });

  it('an office’s largest values are compared by functions of them', () => {
    const values = row(`Grüße, ${'Straße '.repeat(9_000)}`, 'Schluß');
    for (const query of [
      "UPPER(Title) LIKE 'GRÜßE%' AND LOWER(CONCAT(Title, Note)) LIKE '%schluß'",
      "CONCAT(Note, '-', Title) LIKE 'Schluß-Gr%' AND UPPER(Note) = 'SCHLUß'",
    ])
      for (const scope of ['feed', 'compose'] as const)
        expect(parseQuery(query, FIELDS, { scope })(values, TIMES), query).toBe(true);
  });

  it('an office’s largest values are searched by an office’s questions', () => {
    const letter = Array.from({ length: 40_000 }, (_, at) => `Zeile ${at * 7919} über Grüße,`).join(' ');
    const values = row(`${letter} Schluß`, letter);
    for (const query of [
      'grusse schluss zeile',
      "Title LIKE '%Zeile 79190 _ber%' AND Note NOT LIKE '%schluß%'",
      "Title LIKE '%schluss' AND NOT (Note LIKE '%schlu%' OR Note = 'x')",
    ])
      expect(parseQuery(query, FIELDS)(values, TIMES), query).toBe(true);
  });
});

describe('folding', () => {
  const from = (first: number, many: number, times: number): string => {
    const all = Array.from({ length: many }, (_, at) => String.fromCodePoint(first + at)).join('');
    return all.repeat(Math.ceil(times / many)).slice(0, times);
  };

  it('costs about the same in every script, whatever other characters were folded before', () => {
    const costOf = (text: string): number => Math.min(...[1, 2, 3].map(() => cost(() => fold(text))));
    const known = Math.max(costOf(from(0xe0, 30, 400_000)), 20);
    fold(from(0x3400, 27_000, 27_000));
    expect(costOf(from(0xac00, 11_172, 400_000))).toBeLessThan(6 * known);
    expect(costOf(from(0x12000, 900, 400_000))).toBeLessThan(6 * known);
  });

  it('takes every Hangul syllable apart as Unicode does', () => {
    const syllables = from(0xac00, 11_172, 11_172);
    expect(fold(`${syllables}x`)).toBe(`${syllables.normalize('NFKD')}x`);
  });
});

/** Letters that repeat often, so that parts nearly fit. */
const letters = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), maxLength });

describe('LIKE and search find what the plain definition finds', () => {
  it('a pattern with % and _, as an expression', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '_', '_', '%'), maxLength: 90 });
    fc.assert(
      fc.property(pattern, letters(120), (like, text) => {
        const plain = new RegExp(`^${like.replaceAll('%', '[^]*?').replaceAll('_', '[^]')}$`);
        // Backtracking over many parts would take for ever; the definition is the same with few of them.
        fc.pre((like.match(/%/g) ?? []).length <= 3);
        expect(createLike(like)(text)).toBe(plain.test(text));
      }),
      { numRuns: runsOf(3000, 300) },
    );
  });

  it('long texts are found by another way than short ones, at the same place', () => {
    fc.assert(
      fc.property(letters(12), letters(300), fc.nat(2000), (word, part, from) => {
        const pattern = word.repeat(40) + part;
        const text = `${word.repeat(3000)}${pattern}${part}`;
        expect(createFinder(pattern)(text, from)).toBe(text.indexOf(pattern, from));
      }),
      { numRuns: 300 },
    );
  });

  it('folding each character gives what folding the whole text gives', () => {
    const LETTERS = 'ß:ss æ:ae œ:oe þ:th ð:d đ:d ħ:h ı:i ł:l ø:o ŧ:t'
      .split(' ')
      .map((each) => each.split(':'));
    const whole = (text: string): string =>
      LETTERS.reduce(
        (bare, [letter = '', plain = '']) => bare.replaceAll(letter, plain),
        text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''),
      );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(text)).toBe(whole(text));
      }),
      { numRuns: runsOf(2000, 200) },
    );
    for (const text of ['Straße in Łódź', 'ÅNGSTRÖM ﬁn', 'Ὀδυσσεύς', '한국어', 'e\u0301\u0323', '½ №'])
      expect(fold(text)).toBe(whole(text));
  });
});
