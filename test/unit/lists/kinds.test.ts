import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValue } from '../../../server/lists/values/kinds/check.ts';
import { numberKey } from '../../../server/lists/values/kinds/number.ts';
import type { FieldOptions } from '../../../server/lists/definitions/model.ts';
import { LANGUAGES, type FieldKind } from '../../../server/base/vocabulary.ts';
import { said, speak } from '../../../server/words/said.ts';
import { runsOf } from '../../support/data/luck.ts';

function stored(kind: FieldKind, text: string, options: FieldOptions = {}): string | undefined {
  const result = checkValue({ kind, options }, text);
  return 'value' in result ? result.value : undefined;
}

/** Near and far from zero, of either sign, often alike in their first digits. */
const decimals = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.stringMatching(/^[019]{1,4}[0-9]{0,4}$/),
    fc.stringMatching(/^[019]{0,5}$/),
    fc.constantFrom(0, 0, 1, -1, 3, -20, 20, -150, 150),
  )
  .map(([sign, whole, fraction, by]) => `${sign}${whole}.${fraction}e${by}`);

/** The number as a whole one: times ten to the 400th. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = BigInt(whole + fraction.padEnd(400, '0'));
  return text.startsWith('-') ? -digits : digits;
}

describe('values by kind', () => {
  it.each(LANGUAGES)('yes and no are taken as one is asked to write them, in %s', (language) => {
    const [yes = '', , no = ''] = speak(said('value.no-bool'), language).split(' ').slice(-3);
    expect([yes, no].every((word) => /^\p{L}+$/u.test(word))).toBe(true);
    expect([stored('Bool', yes), stored('Bool', no)]).toEqual(['1', '']);
  });

  it.each([
    ['0', '0'],
    ['12.50', '12.50'],
    ['+7', '7'],
    ['007', '7'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['.5', '0.5'],
    ['5.', '5'],
    [' 42 ', '42'],
    ['9007199254740993', '9007199254740993'],
    ['0.1234567890123456789', '0.1234567890123456789'],
    ['1.5e3', '1500'],
    ['12e-3', '0.012'],
    ['120e-1', '12.0'],
  ])('Number keeps its digits: %s is stored as %s', (text, value) => {
    expect(stored('Number', text)).toBe(value);
  });

  it.each(['abc', '1,5', '1 000', '0x10', 'NaN', 'Infinity', '1.2.3', '.', '-', '1e9999', 'e5'])(
    'Number refuses %s',
    (text) => expect(stored('Number', text)).toBeUndefined(),
  );

  it('numbers compare exactly, beyond what a double can tell', () => {
    expect(numberKey('9007199254740993') > numberKey('9007199254740992')).toBe(true);
    expect(numberKey('-2') > numberKey('-10')).toBe(true);
    expect(numberKey('1.10')).toBe(numberKey('1.1'));
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [left, right] = [stored('Number', a) ?? '', stored('Number', b) ?? ''];
        const difference = scaled(left) - scaled(right);
        const [one, other] = [numberKey(left), numberKey(right)];
        expect(one < other ? -1 : one > other ? 1 : 0).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
      { numRuns: runsOf(5000, 400) },
    );
  });

  it.each([
    ['2024-01-10T10:00:00Z', '2024-01-10T10:00:00Z'],
    ['2024-01-10T10:00:00+02:00', '2024-01-10T08:00:00Z'],
    ['2024-01-10T10:00:00.500-0130', '2024-01-10T11:30:00.5Z'],
    ['2024-01-10 10:00', '2024-01-10T10:00:00Z'],
    ['2024-01-10T10:00:00.123456789Z', '2024-01-10T10:00:00.123456789Z'],
  ])('DateTime is stored in UTC: %s becomes %s', (text, value) => {
    expect(stored('DateTime', text)).toBe(value);
  });

  it('DateTime invents no time for a day and no day for a time', () => {
    expect(stored('DateTime', '2024-01-10')).toBe('2024-01-10');
    expect(stored('DateTime', '9:05')).toBe('09:05:00');
  });

  it('DateTime of dates or times alone', () => {
    expect(stored('DateTime', '2024-02-29', { only: 'date' })).toBe('2024-02-29');
    expect(stored('DateTime', '2024-02-29T23:30:00-05:00', { only: 'date' })).toBe('2024-02-29');
    expect(stored('DateTime', '9:05', { only: 'time' })).toBe('09:05:00');
    expect(stored('DateTime', '24:00', { only: 'time' })).toBeUndefined();
  });

  it.each(['2023-02-29', '2024-13-01', 'yesterday', '2024-01-10T25:00:00Z', '10.01.2024', '0000-01-01'])(
    'DateTime refuses %s',
    (text) => expect(stored('DateTime', text)).toBeUndefined(),
  );

  it('Bool is 1 or the empty text', () => {
    for (const yes of ['1', 'true', 'Yes', 'ja', 'Oui', 'VRAI', 'Sí', 'si', 'verdadero'])
      expect([yes, stored('Bool', yes)]).toEqual([yes, '1']);
    for (const no of ['0', 'false', 'NO', '', 'nein', 'Non', 'FAUX', 'falso'])
      expect([no, stored('Bool', no)]).toEqual([no, '']);
    expect(stored('Bool', 'maybe')).toBeUndefined();
  });

  it('Select takes one of its choices in their own spelling', () => {
    const options = { options: ['new', 'won'], optionTexts: { new: 'Neu' } };
    expect(stored('Select', 'WON', options)).toBe('won');
    expect(stored('Select', 'Neu', options)).toBe('new');
    expect(stored('Select', 'lost', options)).toBeUndefined();
    expect(stored('Select', 'anything', {})).toBe('anything');
    const trades = { options: ['constructor', '__proto__', 'painter'], optionTexts: { painter: 'Pintor' } };
    expect(stored('Select', 'PINTOR', trades)).toBe('painter');
    expect(stored('Select', 'Constructor', trades)).toBe('constructor');
    expect(stored('Select', 'mason', trades)).toBeUndefined();
  });

  it('Email and Url', () => {
    expect(stored('Email', ' ada@example.org ')).toBe('ada@example.org');
    expect(
      ['ada', 'ada@', '@example.org', 'a b@c.de', 'a@b\nc'].map((text) => stored('Email', text)),
    ).toEqual(Array(5).fill(undefined));
    expect(stored('Url', 'https://example.org/?a=1&b=2')).toBe('https://example.org/?a=1&b=2');
    expect(stored('Url', 'www.example.org')).toBe('https://www.example.org');
    expect(stored('Url', 'example.org:8080/x')).toBe('https://example.org:8080/x');
    expect(
      ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'no address', 'word'].map((text) =>
        stored('Url', text),
      ),
    ).toEqual(Array(5).fill(undefined));
  });

  it('Geometry nested more than 32 deep is refused, whatever it has beside a place', () => {
    const nested = (levels: number): string =>
      `{"coordinates":[46.05,14.5],"of":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(stored('Geometry', nested(31))).toBe(nested(31));
    for (const levels of [32, 100_000]) expect(stored('Geometry', nested(levels))).toBeUndefined();
  });

  it('Geometry is kept as written, or made from latitude and longitude', () => {
    const json = '{"coordinates": [46.169999999999995, 14.5]}';
    expect(stored('Geometry', json)).toBe(json);
    expect(stored('Geometry', '46.05, 14.5')).toBe('{"coordinates":[46.05,14.5]}');
    expect(stored('Geometry', '{"coordinates":[]}')).toBe('');
    expect(
      ['91, 0', '0, 181', '{"coordinates":["a",1]}', '[1,2]', 'here'].map((text) => stored('Geometry', text)),
    ).toEqual(Array(5).fill(undefined));
  });

  it('a value above 1 MiB is refused for every kind, counted in bytes', () => {
    expect(stored('String', 'x'.repeat(1024 * 1024))).toBeDefined();
    expect(stored('String', 'x'.repeat(1024 * 1024 + 1))).toBeUndefined();
    expect(stored('String', 'ä'.repeat(512 * 1024 + 1))).toBeUndefined();
  });

  it('any text gets an answer, and a stored value is stored as itself again', () => {
    const kinds: FieldKind[] = ['String', 'Number', 'DateTime', 'Bool', 'Email', 'Url', 'Geometry'];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.string({ unit: 'grapheme' }), (kind, text) => {
        const value = stored(kind, text);
        if (value !== undefined) expect(stored(kind, value)).toBe(value);
      }),
    );
  });
});
