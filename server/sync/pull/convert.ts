import { checkValue } from '../../lists/values/kinds/check.ts';
import { KIND_NAMES } from '../../lists/values/kinds/names.ts';
import type { Field, FieldDescriptor } from '../../lists/definitions/model.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { joined, said, type Words } from '../../words/said.ts';

/**
 * What becomes of a value on its way from a partner's column of one kind into our column of another. The whole
 * table stands here and is written out for users in docs/values.md; a test keeps the two in step. What does not
 * convert by one of these rules is refused with a reason and never guessed.
 */
export type Conversion = 'same' | 'converts' | 'may-refuse' | 'impossible';

/** The outcome of a rule, in plain words for the matching screen; empty for `same`. */
export interface Described {
  readonly conversion: Conversion;
  readonly note: Words;
}

/** The values to store, or why there are none: a sentence's end that follows the column's name. */
export type Converted = { readonly values: readonly string[] } | { readonly problem: Words };

interface Rule extends Described {
  /** Makes the partner's text ready for the check of our kind; undefined: no value. */
  readonly prepare?: (text: string) => string | undefined;
}

const SAME: Rule = { conversion: 'same', note: '' };
const TEXT: Rule = { conversion: 'converts', note: said('conversion.as-text') };
/** Such a number in a column that refers to rows would stand for whatever row of ours has it, and leave as its title. */
const TEXT_BUT_IDS: Rule = {
  conversion: 'converts',
  note: said('conversion.as-text-but-ids'),
  prepare: withoutIDs,
};
const NO: Rule = {
  conversion: 'impossible',
  note: said('conversion.impossible'),
};
const IF_NUMBER = may(said('conversion.numbers'));
const IF_DATE = may(said('conversion.dates'));
const IF_YES_NO = may(said('conversion.bools'));
const IF_ZERO_ONE = may(said('conversion.digits'));
const IF_EMAIL = may(said('conversion.emails'));
const IF_URL = may(said('conversion.urls'));
const IF_PLACE = may(said('conversion.places'));
const IF_OPTION = may(said('conversion.choices'));
const DAY_ONLY = may(said('conversion.day-only'));
const TIME_ONLY = may(said('conversion.time-only'));
const YES_AS_1: Rule = { conversion: 'converts', note: said('conversion.bool-to-number') };
const MAIL_LINK: Rule = {
  conversion: 'converts',
  note: said('conversion.email-to-link'),
  prepare: (text) => `mailto:${text.trim()}`,
};
const FROM_MAIL_LINK: Rule = {
  conversion: 'may-refuse',
  note: said('conversion.link-to-email'),
  prepare: (text) => text.trim().replace(/^mailto:/i, ''),
};

function may(note: Words): Rule {
  return { conversion: 'may-refuse', note };
}

/** The internal number of a user, row or file on a server: it means nothing, or something else, here. */
const FOREIGN_ID = /^\d{15,20}$/;

/** Whether a text that stands for a person, row or file is such a number. */
export const isForeignID = (text: string): boolean => FOREIGN_ID.test(text.trim());

function withoutIDs(text: string): string | undefined {
  return isForeignID(text) ? undefined : text;
}

/** What stands here for the partner's own number of one of its rows; undefined while that row is not here. */
export type Named = (id: string) => string | undefined;

const REFERRED_NOTE = said('conversion.names-followed');
const FOREIGN_NOTE = said('conversion.names');

/** Origin kind → our kind → rule. */
const RULES: Readonly<Record<FieldKind, Readonly<Record<FieldKind, Rule>>>> = {
  String: row(
    SAME,
    IF_NUMBER,
    IF_DATE,
    IF_YES_NO,
    IF_OPTION,
    IF_EMAIL,
    IF_URL,
    TEXT,
    TEXT_BUT_IDS,
    TEXT,
    IF_PLACE,
  ),
  Number: row(TEXT, SAME, NO, IF_ZERO_ONE, IF_OPTION, NO, NO, NO, TEXT_BUT_IDS, NO, NO),
  DateTime: row(TEXT, NO, SAME, NO, NO, NO, NO, NO, NO, NO, NO),
  Bool: row(YES_AS_1, YES_AS_1, NO, SAME, IF_OPTION, NO, NO, NO, NO, NO, NO),
  Select: row(TEXT, IF_NUMBER, IF_DATE, IF_YES_NO, IF_OPTION, IF_EMAIL, IF_URL, TEXT, TEXT_BUT_IDS, NO, NO),
  Email: row(TEXT, NO, NO, NO, IF_OPTION, SAME, MAIL_LINK, TEXT, TEXT_BUT_IDS, NO, NO),
  Url: row(TEXT, NO, NO, NO, IF_OPTION, FROM_MAIL_LINK, SAME, NO, NO, TEXT, NO),
  User: reference(row(TEXT, NO, NO, NO, IF_OPTION, IF_EMAIL, NO, SAME, TEXT, NO, NO)),
  Record: reference(row(TEXT, IF_NUMBER, NO, NO, IF_OPTION, NO, NO, TEXT, SAME, NO, NO), REFERRED_NOTE),
  File: reference(row(TEXT, NO, NO, NO, NO, NO, NO, NO, NO, SAME, NO)),
  Geometry: row(TEXT, NO, NO, NO, NO, NO, NO, NO, NO, NO, SAME),
};

/** Our kinds, in the order of the columns of {@link RULES}. */
function row(
  ...[text, number, date, bool, select, email, url, user, record, file, geometry]: readonly [
    Rule,
    Rule,
    Rule,
    Rule,
    Rule,
    Rule,
    Rule,
    Rule,
    Rule,
    Rule,
    Rule,
  ]
): Record<FieldKind, Rule> {
  return {
    String: text,
    Number: number,
    DateTime: date,
    Bool: bool,
    Select: select,
    Email: email,
    Url: url,
    User: user,
    Record: record,
    File: file,
    Geometry: geometry,
  };
}

/** References travel as the text that shows for them, never as the partner's ids. */
function reference(
  rules: Record<FieldKind, Rule>,
  foreignNote: Words = FOREIGN_NOTE,
): Record<FieldKind, Rule> {
  const kinds = Object.keys(rules) as FieldKind[];
  return Object.fromEntries(
    kinds.map((kind) => {
      const rule = rules[kind];
      if (rule.conversion === 'impossible') return [kind, rule];
      const note = rule.conversion === 'may-refuse' ? joined([rule.note, foreignNote], ' ') : foreignNote;
      const conversion = rule.conversion === 'same' ? 'converts' : rule.conversion;
      return [kind, { conversion, note, prepare: withoutIDs }];
    }),
  ) as Record<FieldKind, Rule>;
}

const JOINED = said('conversion.joined');
const ONE_ONLY = said('conversion.one-only');

/** What a match of these two columns does to the values, for the matching screen. */
export function describeConversion(
  origin: Pick<FieldDescriptor, 'kind' | 'isMulti'>,
  destination: Pick<Field, 'kind' | 'isMulti' | 'options'>,
): Described {
  const rule = ruleFor(origin, destination);
  if (rule.conversion === 'impossible' || !origin.isMulti || destination.isMulti) {
    return { conversion: rule.conversion, note: rule.note };
  }
  const joins = destination.kind === 'String';
  const note = joined(
    [rule.note, joins ? JOINED : ONE_ONLY].filter((part) => part !== ''),
    ' ',
  );
  const conversion = joins && rule.conversion !== 'may-refuse' ? 'converts' : 'may-refuse';
  return { conversion, note };
}

function ruleFor(origin: Pick<FieldDescriptor, 'kind'>, destination: Pick<Field, 'kind' | 'options'>): Rule {
  const rule = RULES[origin.kind][destination.kind];
  if (destination.kind === 'DateTime' && rule.conversion !== 'impossible') {
    const { only } = destination.options;
    return only === 'date' ? DAY_ONLY : only === 'time' ? TIME_ONLY : rule;
  }
  if (destination.kind !== 'Select' || rule.conversion === 'impossible') return rule;
  // A column of choices that names none takes any text.
  if ((destination.options.options?.length ?? 0) > 0) return rule;
  return {
    ...rule,
    conversion: origin.kind === 'Select' ? 'same' : 'converts',
    note: origin.kind === 'Select' ? '' : TEXT.note,
  };
}

/** Converts all values of one column of one row, as the partner sent them. */
export type Converter = (texts: readonly string[], named?: Named) => Converted;

/** The way from one column into another. Empty texts are no values; the order of the others is kept. */
export function converter(
  origin: Pick<FieldDescriptor, 'kind' | 'isMulti'>,
  destination: Pick<Field, 'kind' | 'isMulti' | 'options'>,
): Converter {
  const { conversion, prepare } = ruleFor(origin, destination);
  if (conversion === 'impossible') {
    const problem = said('conversion.cannot-hold', { kind: KIND_NAMES[origin.kind] });
    return (texts) => (texts.length === 0 ? { values: [] } : { problem });
  }
  return (texts, named) => {
    const values: string[] = [];
    for (const text of texts) {
      const refers = origin.kind === 'Record' && isForeignID(text);
      const prepared = refers ? named?.(text.trim()) : prepare ? prepare(text) : text;
      if (prepared === undefined || (prepared === '' && destination.kind !== 'Bool')) continue;
      const checked = checkValue(destination, prepared);
      if ('problem' in checked) return { problem: checked.problem };
      // No is a value of its own beside none at all.
      if (checked.value !== '' || destination.kind === 'Bool') values.push(checked.value);
    }
    if (values.length <= 1 || destination.isMulti) return { values };
    if (destination.kind === 'String') return { values: [values.join(', ')] };
    return { problem: said('conversion.too-many', { values: values.length }) };
  };
}
