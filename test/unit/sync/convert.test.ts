import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Field } from '../../../server/lists/definitions/model.ts';
import { FIELD_KINDS, type FieldKind } from '../../../server/base/vocabulary.ts';
import { createConverter, describeConversion, type Converted } from '../../../server/sync/pull/convert.ts';
import { suggestMatches } from '../../../server/sync/compare/suggest.ts';
import { createTransformation } from '../../../server/sync/pull/transform.ts';
import { english } from '../../../server/words/said.ts';
import { watchTurns } from '../../support/reading/longest-turn.ts';

function field(kind: FieldKind, more: Partial<Field> = {}): Field {
  return {
    fieldID: '1',
    kind,
    name: 'Field',
    label: 'Field',
    isMulti: false,
    isRequired: false,
    options: {},
    ...more,
  };
}
const choices = { options: { options: ['red', 'blue', '1', 'a@b.example', 'https://a.example'] } };

function convert(
  from: FieldKind,
  to: FieldKind,
  texts: readonly string[],
  more: Partial<Field> = {},
): Converted {
  return createConverter({ kind: from, isMulti: texts.length > 1 }, field(to, more))(texts);
}

/** A good value of each kind. */
const good: Readonly<Record<FieldKind, string>> = {
  String: 'Anna Berg',
  Number: '12345678901234567890.120',
  DateTime: '2031-05-09T14:30:00Z',
  Bool: '1',
  Select: 'red',
  Email: 'a@b.example',
  Url: 'https://a.example/x?y=1',
  User: 'Anna Berg',
  Record: 'Order 17',
  File: 'report.pdf',
  Geometry: '{"coordinates": [46.05, 14.5]}',
};

/** What the good value of a kind becomes; `-`: impossible; `!`: refused. Columns in the order of FIELD_KINDS. */
const table: Readonly<Record<FieldKind, string>> = {
  //         String Number DateTime Bool Select Email Url User Record File Geometry
  String: '  =      !      !        !    !      !     !   =    =      =    !',
  Number: '  =      =      -        !    !      -     -   -    =      -    -',
  DateTime: '=      -      =        -    -      -     -   -    -      -    -',
  Bool: '    =      =      -        =    =      -     -   -    -      -    -',
  Select: '  =      !      !        !    =      !     !   =    =      -    -',
  Email: '   =      -      -        -    =      =     >   =    =      -    -',
  Url: '     =      -      -        -    !      !     =   -    -      =    -',
  User: '    =      -      -        -    !      !     -   =    =      -    -',
  Record: '  =      !      -        -    !      -     -   =    =      -    -',
  File: '    =      -      -        -    -      -     -   -    -      =    -',
  Geometry: '=      -      -        -    -      -     -   -    -      -    =',
};

describe('values between kinds', () => {
  for (const from of FIELD_KINDS) {
    const outcomes = table[from].trim().split(/\s+/);
    for (const [index, to] of FIELD_KINDS.entries()) {
      const outcome = outcomes[index];
      it(`${from} into ${to}: ${outcome}`, () => {
        const described = describeConversion({ kind: from, isMulti: false }, field(to, choices));
        const converted = convert(from, to, [good[from]], choices);
        expect(described.conversion === 'impossible').toBe(outcome === '-');
        expect(described.note === '').toBe(described.conversion === 'same');
        if (outcome === '=') expect(converted).toEqual({ values: [good[from]] });
        else if (outcome === '>') expect(converted).toEqual({ values: [`mailto:${good[from]}`] });
        else expect(converted).toHaveProperty('problem');
        if (outcome === '!') expect(described.conversion).toBe('may-refuse');
        expect(convert(from, to, [], choices)).toEqual({ values: [] });
      });
    }
  }

  it.each<[FieldKind, FieldKind, string, string]>([
    ['String', 'Number', ' 0012.50 ', '12.50'],
    ['String', 'Number', '1e3', '1000'],
    ['String', 'DateTime', '2031-05-09T14:30:00+02:00', '2031-05-09T12:30:00Z'],
    ['String', 'Bool', 'yes', '1'],
    ['String', 'Bool', 'false', ''],
    ['Number', 'Bool', '0', ''],
    ['Number', 'Number', '-0.00000000000000000000000001', '-0.00000000000000000000000001'],
    ['DateTime', 'DateTime', '2031-05-09T23:30:00-05:00', '2031-05-10T04:30:00Z'],
    ['Url', 'Email', 'mailto:a@b.example', 'a@b.example'],
    ['String', 'Geometry', '46.05, 14.5', '{"coordinates":[46.05,14.5]}'],
    ['String', 'Select', 'RED', 'red'],
    ['Record', 'Number', '17', '17'],
  ])('%s into %s: %j becomes %j', (from, to, text, expected) => {
    expect(convert(from, to, [text], choices)).toEqual({ values: [expected] });
  });

  it.each<[FieldKind, FieldKind, string]>([
    ['String', 'Number', '1.234,50'],
    ['String', 'Number', '12 apples'],
    ['String', 'DateTime', '05/09/2031'],
    ['Number', 'Bool', '2'],
    ['String', 'Bool', 'maybe'],
    ['Select', 'Select', 'green'],
    ['Url', 'Email', 'https://a.example'],
    ['Url', 'Url', 'javascript:alert(1)'],
    ['Email', 'Email', 'nobody'],
    ['Number', 'Number', 'NaN'],
    ['Geometry', 'Geometry', '{"coordinates":[200,0]}'],
  ])('%s into %s refuses %j instead of guessing', (from, to, text) => {
    expect(convert(from, to, [text], choices)).toHaveProperty('problem');
  });

  it('takes references as the text that shows, and leaves out a server’s internal numbers', () => {
    for (const kind of ['User', 'Record', 'File'] as const) {
      expect(convert(kind, kind, ['523396883913479269'])).toEqual({ values: [] });
      expect(convert(kind, 'String', ['523396883913479269'])).toEqual({ values: [] });
      expect(convert(kind, 'String', ['Room 101'])).toEqual({ values: ['Room 101'] });
    }
    expect(convert('String', 'String', ['523396883913479269'])).toEqual({ values: ['523396883913479269'] });
  });

  it('keeps all values of a multi-value column, in order and without the empty ones', () => {
    const many = { isMulti: true };
    expect(convert('Select', 'Select', ['red', '', 'blue'], many)).toEqual({ values: ['red', 'blue'] });
    expect(convert('Number', 'Number', ['1.5', '2.25'], many)).toEqual({ values: ['1.5', '2.25'] });
    expect(convert('String', 'String', ['one'], many)).toEqual({ values: ['one'] });
  });

  it('joins several values in one text, and refuses them where one column holds one', () => {
    expect(convert('Select', 'String', ['red', 'blue'])).toEqual({ values: ['red, blue'] });
    expect(convert('Number', 'Number', ['1', '2'])).toHaveProperty('problem');
    expect(convert('Number', 'Number', ['1', ''])).toEqual({ values: ['1'] });
    expect(describeConversion({ kind: 'Select', isMulti: true }, field('String')).conversion).toBe(
      'converts',
    );
    expect(describeConversion({ kind: 'Number', isMulti: true }, field('Number')).conversion).toBe(
      'may-refuse',
    );
  });

  it('takes days and times into columns that hold only these, and says what is left out', () => {
    const days = { options: { only: 'date' as const } };
    const times = { options: { only: 'time' as const } };
    expect(convert('DateTime', 'DateTime', ['2031-05-09T23:30:00-05:00'], days)).toEqual({
      values: ['2031-05-09'],
    });
    expect(convert('DateTime', 'DateTime', ['14:30'], days)).toHaveProperty('problem');
    expect(convert('String', 'DateTime', ['14:30'], times)).toEqual({ values: ['14:30:00'] });
    expect(convert('DateTime', 'DateTime', ['2031-05-09'], times)).toHaveProperty('problem');
    for (const only of [days, times]) {
      const described = describeConversion({ kind: 'DateTime', isMulti: false }, field('DateTime', only));
      expect(described.conversion).toBe('may-refuse');
      expect(english(described.note)).toContain('aren’t imported');
    }
  });

  it('takes any text in a column of choices that names none', () => {
    expect(convert('String', 'Select', ['anything'])).toEqual({ values: ['anything'] });
    expect(describeConversion({ kind: 'Select', isMulti: false }, field('Select')).conversion).toBe('same');
  });
});

describe('suggested matches', () => {
  const column = (name: string, kind: FieldKind = 'String', label = name): Field =>
    field(kind, { name, label });

  it('go by name, label and kind, each of our columns once', async () => {
    const theirs = [
      column('CustomerName'),
      column('E-Mail', 'Email'),
      column('Zip_Code'),
      column('Total', 'Number'),
    ];
    const ours = [
      column('email', 'Email'),
      column('zipcode', 'String', 'ZIP code'),
      column('name', 'String', 'Customer name'),
    ];
    expect(await suggestMatches(theirs, ours)).toEqual([
      { origin: 'CustomerName', destination: 'name' },
      { origin: 'E-Mail', destination: 'email' },
      { origin: 'Zip_Code', destination: 'zipcode' },
      { origin: 'Total' },
    ]);
  });

  it('prefer the same kind between equal names, and never pair what cannot be converted', async () => {
    const ours = [column('date_text', 'String', 'Date'), column('date', 'DateTime', 'Date')];
    expect((await suggestMatches([column('Date', 'DateTime')], ours))[0]?.destination).toBe('date');
    expect(await suggestMatches([column('Date', 'Geometry')], [column('Date', 'DateTime')])).toEqual([
      { origin: 'Date' },
    ]);
  });

  it.each([
    ['Größe', 'große', true],
    ['postalCode', 'Postal code', true],
    ['Street and number', 'Number and street', true],
    ['Name', 'Street', false],
    ['', 'Street', false],
  ])(
    'see through case, blanks, accents, hyphens and the order of words: %s and %s',
    async (theirs, ours, isPair) => {
      const [match] = await suggestMatches([column(theirs, 'String')], [column('ours', 'String', ours)]);
      expect(match?.destination).toBe(isPair ? 'ours' : undefined);
    },
  );

  it('take each name apart once, however many it is compared with', async () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => normalize.mockRestore());
    const many = (count: number, of: string): Field[] =>
      Array.from({ length: count }, (_, at) => column(`${of} ${at}`));
    await suggestMatches(many(40, 'Their column'), many(30, 'Our column'));
    // A name and a label of each.
    expect(normalize).toHaveBeenCalledTimes(2 * (40 + 30));
  });

  it.runIf(process.platform === 'linux')(
    'let other work run, also among long names of hundreds of columns',
    async () => {
      const long = (of: string): Field[] =>
        Array.from({ length: 120 }, (_, at) =>
          column(`${of}${at}`, 'String', Array.from({ length: 60 }, (_v, word) => `w${word * at}`).join(' ')),
        );
      const [theirs, ours] = [long('a'), long('b')];
      const turns = watchTurns();
      await suggestMatches(theirs, ours);
      // Some ten were measured, and more than a thousand for all of it in one go.
      expect(turns.end()).toBeLessThan(500);
    },
  );
});

describe('a row on its way', () => {
  const fields = [
    field('String', { name: 'name', label: 'Name', isRequired: true }),
    field('Number', { name: 'sum', label: 'Sum' }),
  ];
  const offered = [field('String', { name: 'Name' }), field('String', { name: 'Sum' })];
  const matches = [
    { origin: offered[0]!, destination: fields[0]! },
    { origin: offered[1]!, destination: fields[1]! },
  ];
  const record = (
    values: Record<string, string[]>,
  ): Parameters<ReturnType<typeof createTransformation>['apply']>[0] => ({
    recordID: '1',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    values,
  });

  it('H6: takes only matched columns that were announced', () => {
    const { apply } = createTransformation(matches, offered, fields);
    const sent = record({ Name: ['Anna'], Sum: ['5'], Secret: ['x'], name: ['y'], constructor: ['z'] });
    expect(apply(sent)).toMatchObject({ row: { values: { name: ['Anna'], sum: ['5'] } } });
    const less = createTransformation(matches, [offered[0]!], fields);
    expect(less.columns).toEqual(['name']);
    expect(less.apply(sent)).toMatchObject({ row: { values: { name: ['Anna'] } } });
  });

  it('stays out whole, with column and reason, when one value does not convert', () => {
    const { apply } = createTransformation(matches, offered, fields);
    const why = (values: Record<string, string[]>): string => {
      const outcome = apply(record(values));
      return 'reason' in outcome ? english(outcome.reason) : 'taken in';
    };
    expect(why({ Name: ['Anna'], Sum: ['many'] })).toContain('“Sum” is no number');
    expect(why({ Sum: ['1'] })).toContain('“Name” must be filled');
  });

  it('leaves parked matches alone', () => {
    const parked = createTransformation([{ ...matches[0]!, parked: 'gone' }, matches[1]!], offered, fields);
    expect(parked.columns).toEqual(['sum']);
  });

  it('that is deleted needs no values', () => {
    const { apply } = createTransformation(matches, offered, fields);
    expect(apply({ ...record({}), deletedAt: '2026-01-02T00:00:00Z' })).toMatchObject({
      row: { values: {} },
    });
  });
});
