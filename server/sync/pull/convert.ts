import { checkValue } from '../../lists/values/kinds/check.ts';
import { KIND_NAMES } from '../../lists/values/kinds/names.ts';
import type { Field, FieldDescriptor } from '../../lists/definitions/model.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { joined, said, type Words } from '../../words/said.ts';

/**
 * From a partner's to our column kind. docs/values.md shows the whole table; a test keeps both equal. Without
 * a rule, values are rejected with a reason, never guessed.
 */
export type Conversion = 'same' | 'converts' | 'may-refuse' | 'impossible';

/** A rule's outcome for the mapping page; none for `same`. */
export interface Described {
  readonly conversion: Conversion;
  readonly note: Words;
}

/** Values to store, or why not: words after the column's name. */
export type Converted = { readonly values: readonly string[] } | { readonly problem: Words };

interface Rule extends Described {
  /** Prepares text for our kind's check; undefined: no value. */
  readonly prepare?: (text: string) => string | undefined;
}

const SAME: Rule = { conversion: 'same', note: '' };
const TEXT: Rule = { conversion: 'converts', note: said('conversion.as-text') };
/** In a reference column an id would point to our row, and be sent as its title. */
const TEXT_BUT_IDS: Rule = {
  conversion: 'converts',
  note: said('conversion.as-text-but-ids'),
  prepare: dropForeignID,
};
const NO: Rule = {
  conversion: 'impossible',
  note: said('conversion.impossible'),
};
const IF_NUMBER = mayRefuseRule(said('conversion.numbers'));
const IF_DATE = mayRefuseRule(said('conversion.dates'));
const IF_YES_NO = mayRefuseRule(said('conversion.bools'));
const IF_ZERO_ONE = mayRefuseRule(said('conversion.digits'));
const IF_EMAIL = mayRefuseRule(said('conversion.emails'));
const IF_URL = mayRefuseRule(said('conversion.urls'));
const IF_PLACE = mayRefuseRule(said('conversion.places'));
const IF_OPTION = mayRefuseRule(said('conversion.choices'));
const DAY_ONLY = mayRefuseRule(said('conversion.day-only'));
const TIME_ONLY = mayRefuseRule(said('conversion.time-only'));
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

function mayRefuseRule(note: Words): Rule {
  return { conversion: 'may-refuse', note };
}

const FOREIGN_ID = /^\d{15,20}$/;

/** Returns whether a text is a server's internal id of a user, row or file: 15 to 20 digits. */
export const isForeignID = (text: string): boolean => FOREIGN_ID.test(text.trim());

/** Returns undefined for an internal id of a server, else the text. */
function dropForeignID(text: string): string | undefined {
  return isForeignID(text) ? undefined : text;
}

/** Returns what our column stores for the partner's row id; undefined before that row arrives. */
export type ReferenceLookup = (id: string) => string | undefined;

const REFERRED_NOTE = said('conversion.names-followed');
const FOREIGN_NOTE = said('conversion.names');

/** By their kind, then ours. */
const RULES: Readonly<Record<FieldKind, Readonly<Record<FieldKind, Rule>>>> = {
  String: rulesByKind(
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
  Number: rulesByKind(TEXT, SAME, NO, IF_ZERO_ONE, IF_OPTION, NO, NO, NO, TEXT_BUT_IDS, NO, NO),
  DateTime: rulesByKind(TEXT, NO, SAME, NO, NO, NO, NO, NO, NO, NO, NO),
  Bool: rulesByKind(YES_AS_1, YES_AS_1, NO, SAME, IF_OPTION, NO, NO, NO, NO, NO, NO),
  Select: rulesByKind(
    TEXT,
    IF_NUMBER,
    IF_DATE,
    IF_YES_NO,
    IF_OPTION,
    IF_EMAIL,
    IF_URL,
    TEXT,
    TEXT_BUT_IDS,
    NO,
    NO,
  ),
  Email: rulesByKind(TEXT, NO, NO, NO, IF_OPTION, SAME, MAIL_LINK, TEXT, TEXT_BUT_IDS, NO, NO),
  Url: rulesByKind(TEXT, NO, NO, NO, IF_OPTION, FROM_MAIL_LINK, SAME, NO, NO, TEXT, NO),
  User: referenceRules(rulesByKind(TEXT, NO, NO, NO, IF_OPTION, IF_EMAIL, NO, SAME, TEXT, NO, NO)),
  Record: referenceRules(
    rulesByKind(TEXT, IF_NUMBER, NO, NO, IF_OPTION, NO, NO, TEXT, SAME, NO, NO),
    REFERRED_NOTE,
  ),
  File: referenceRules(rulesByKind(TEXT, NO, NO, NO, NO, NO, NO, NO, NO, SAME, NO)),
  Geometry: rulesByKind(TEXT, NO, NO, NO, NO, NO, NO, NO, NO, NO, SAME),
};

/** Returns a source kind's rules by our column's kind; the arguments are in the fixed order of kinds. */
function rulesByKind(
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

/**
 * Makes possible rules drop a server's internal ids and `same` become `converts`; `foreignNote` replaces the note, or
 * is appended where values may be refused.
 */
function referenceRules(
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
      return [kind, { conversion, note, prepare: dropForeignID }];
    }),
  ) as Record<FieldKind, Rule>;
}

const JOINED = said('conversion.joined');
const ONE_ONLY = said('conversion.one-only');

/**
 * Returns what becomes of values if these columns are mapped, with a note for the mapping page. Several values for our
 * single one are joined as text, or may be refused.
 */
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

/** Adapts the kinds' rule to columns of days or times and to choices without options. */
function ruleFor(origin: Pick<FieldDescriptor, 'kind'>, destination: Pick<Field, 'kind' | 'options'>): Rule {
  const rule = RULES[origin.kind][destination.kind];
  if (destination.kind === 'DateTime' && rule.conversion !== 'impossible') {
    const { only } = destination.options;
    return only === 'date' ? DAY_ONLY : only === 'time' ? TIME_ONLY : rule;
  }
  if (destination.kind !== 'Select' || rule.conversion === 'impossible') return rule;
  if ((destination.options.options?.length ?? 0) > 0) return rule;
  return {
    ...rule,
    conversion: origin.kind === 'Select' ? 'same' : 'converts',
    note: origin.kind === 'Select' ? '' : TEXT.note,
  };
}

/** Converts one column of a row. */
export type Converter = (texts: readonly string[], named?: ReferenceLookup) => Converted;

/** Returns whether our column stores any single text unchanged, unless very long. */
export const keepsTexts = (
  origin: Pick<FieldDescriptor, 'kind'>,
  destination: Pick<Field, 'kind' | 'options'>,
): boolean => {
  const { conversion, prepare } = ruleFor(origin, destination);
  return destination.kind === 'String' && conversion !== 'impossible' && prepare === undefined;
};

/**
 * Returns a function that converts values. It skips empty texts (in yes/no columns they mean no), a server's internal
 * ids and references to rows that haven't arrived; joins several values for a single text column; and returns a problem
 * instead of values for the first value that our column can't hold, or for too many.
 */
export function createConverter(
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
      if (checked.value !== '' || destination.kind === 'Bool') values.push(checked.value);
    }
    if (values.length <= 1 || destination.isMulti) return { values };
    if (destination.kind === 'String') return { values: [values.join(', ')] };
    return { problem: said('conversion.too-many', { values: values.length }) };
  };
}
