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
const TEXT: Rule = { conversion: 'converts', note: said`Taken over as text.` };
const NO: Rule = {
  conversion: 'impossible',
  note: said`These kinds have nothing in common. Choose another column.`,
};
const IF_NUMBER = may(said`Only texts that are plain numbers, like 1234.50, are taken; other rows wait.`);
const IF_DATE = may(said`Only texts like 2031-05-09 or 2031-05-09T14:30:00Z are taken; other rows wait.`);
const IF_YES_NO = may(said`Only yes, no, true, false, 1 and 0 are taken; other rows wait.`);
const IF_ZERO_ONE = may(said`Only 1 and 0 are taken; other rows wait.`);
const IF_EMAIL = may(said`Only email addresses are taken; other rows wait.`);
const IF_URL = may(said`Only web addresses are taken; other rows wait.`);
const IF_PLACE = may(said`Only texts like 46.05, 14.5 are taken; other rows wait.`);
const IF_OPTION = may(said`Only values that your column offers as choices are taken; other rows wait.`);
const DAY_ONLY = may(said`The day is taken, and a time of day with it is left out; rows without a day wait.`);
const TIME_ONLY = may(said`Only times of day like 14:30 are taken; other rows wait.`);
const YES_AS_1: Rule = { conversion: 'converts', note: said`Yes becomes 1, no stays empty.` };
const MAIL_LINK: Rule = {
  conversion: 'converts',
  note: said`The address becomes a link that writes an email.`,
  prepare: (text) => `mailto:${text.trim()}`,
};
const FROM_MAIL_LINK: Rule = {
  conversion: 'may-refuse',
  note: said`Only links that write an email are taken, as the address; other rows wait.`,
  prepare: (text) => text.trim().replace(/^mailto:/i, ''),
};

function may(note: Words): Rule {
  return { conversion: 'may-refuse', note };
}

/** The internal number of a user, row or file on a server: it means nothing, or something else, here. */
const FOREIGN_ID = /^\d{15,20}$/;

/** Whether a text that stands for a person, row or file is such a number. */
export const isForeignID = (text: string): boolean => FOREIGN_ID.test(text.trim());

/** What stands here for the partner's own number of one of its rows; undefined while that row is not here. */
export type Named = (id: string) => string | undefined;

const REFERRED_NOTE = said`Names are taken over as text; a bare internal number becomes what that row is called here, once it has arrived as well, and is left out until then.`;
const FOREIGN_NOTE = said`Names are taken over as text; a bare internal number of the partner’s program is left out.`;

/** Origin kind → our kind → rule. */
const RULES: Readonly<Record<FieldKind, Readonly<Record<FieldKind, Rule>>>> = {
  String: row(SAME, IF_NUMBER, IF_DATE, IF_YES_NO, IF_OPTION, IF_EMAIL, IF_URL, TEXT, TEXT, TEXT, IF_PLACE),
  Number: row(TEXT, SAME, NO, IF_ZERO_ONE, IF_OPTION, NO, NO, NO, TEXT, NO, NO),
  DateTime: row(TEXT, NO, SAME, NO, NO, NO, NO, NO, NO, NO, NO),
  Bool: row(YES_AS_1, YES_AS_1, NO, SAME, IF_OPTION, NO, NO, NO, NO, NO, NO),
  Select: row(TEXT, IF_NUMBER, IF_DATE, IF_YES_NO, IF_OPTION, IF_EMAIL, IF_URL, TEXT, TEXT, NO, NO),
  Email: row(TEXT, NO, NO, NO, IF_OPTION, SAME, MAIL_LINK, TEXT, TEXT, NO, NO),
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
      const prepare = (text: string): string | undefined => (isForeignID(text) ? undefined : text);
      return [kind, { conversion, note, prepare }];
    }),
  ) as Record<FieldKind, Rule>;
}

const JOINED = said`Several values come together in one text, with commas.`;
const ONE_ONLY = said`Rows with more than one value wait, as your column holds one.`;

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
    const problem = said`cannot hold what comes from a column of the kind ${KIND_NAMES[origin.kind]}`;
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
    return { problem: said`holds one value, and ${values.length} came` };
  };
}
