/** Shared vocabulary of the interface. */

/** Protocol: field descriptor, `kind`. */
export const FIELD_KINDS = [
  'String',
  'Number',
  'DateTime',
  'Bool',
  'Select',
  'Email',
  'Url',
  'User',
  'Record',
  'File',
  'Geometry',
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** Never imported from workbooks. */
export const LEFT_OUT = ['links', 'macros', 'pictures', 'charts', 'comments', 'pivots'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/**
 * By language. All but those of `RARE` in `server/lists/csv/encoding.ts` are detected; those are named as
 * doubts.
 */
export const ENCODINGS = {
  unicode: ['UTF-8', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'],
  western: ['windows-1252', 'ISO-8859-1', 'ISO-8859-15', 'macintosh', 'cp850', 'cp437', 'cp860', 'cp861'],
  central: ['windows-1250', 'ISO-8859-2', 'ISO-8859-16', 'cp852'],
  baltic: ['windows-1257', 'cp775'],
  cyrillic: ['windows-1251', 'ISO-8859-5', 'cp866', 'cp1125', 'KOI8-R', 'maccyrillic'],
  greek: ['windows-1253', 'ISO-8859-7', 'cp737', 'macgreek'],
  turkish: ['windows-1254', 'ISO-8859-9', 'cp857'],
  hebrew: ['windows-1255', 'cp862'],
  arabic: ['windows-1256', 'ISO-8859-6'],
  japanese: ['Shift_JIS', 'EUC-JP', 'ISO-2022-JP'],
  korean: ['EUC-KR'],
  chinese: ['GB18030', 'Big5'],
} as const;

export const DOUBT_KINDS = ['delimiter', 'heading', 'encoding', 'numbers', 'sums'] as const;

/** The option that settles each doubt. */
export const DOUBT_OPTIONS = {
  delimiter: 'delimiter',
  heading: 'headerLine',
  encoding: 'encoding',
  numbers: 'decimal',
  sums: 'sums',
} as const satisfies Record<(typeof DOUBT_KINDS)[number], string>;

/** A guess: the alternatives fit the file too. */
export interface Doubt {
  readonly kind: (typeof DOUBT_KINDS)[number];
  /** The option's value: a delimiter, a line number (0: no heading), an encoding, a decimal sign, `out` or `in`. */
  readonly chosen: string;
  readonly alternatives: readonly string[];
  /** Headers of the columns concerned; absent: the whole file. */
  readonly columns?: readonly string[];
  /** A cell or line that reads differently. */
  readonly example?: string;
}

/** A first look reads this much of a text file, but all of a workbook. */
export const FIRST_LOOK_BYTES = 1024 * 1024;

/** Maximum total or footer lines to keep or omit one by one. */
export const MAX_CHOSEN_SUMS = 100;

/** The last two take no value (docs/conditions.md). */
export const CONDITION_TESTS = [
  'is',
  'is-not',
  'contains',
  'contains-not',
  'greater',
  'at-least',
  'less',
  'at-most',
  'empty',
  'not-empty',
] as const;
export type ConditionTest = (typeof CONDITION_TESTS)[number];

export const CONDITION_JOINS = ['all', 'any'] as const;
export type ConditionJoin = (typeof CONDITION_JOINS)[number];

export const MAX_CONDITION_PARTS = 20;
export const MAX_CONDITION_VALUE = 100;

export const takesValue = (test: ConditionTest): boolean => test !== 'empty' && test !== 'not-empty';

/**
 * Returns the tests for a kind of column: presence for all; equality too except for references, files and locations;
 * order for numbers and times, `contains` for texts, choices and users.
 */
export function testsOf(kind: FieldKind): readonly ConditionTest[] {
  switch (kind) {
    case 'Record':
    case 'File':
    case 'Geometry':
      return ['empty', 'not-empty'];
    case 'Bool':
      return ['is', 'is-not', 'empty', 'not-empty'];
    case 'Number':
    case 'DateTime':
      return ['is', 'is-not', 'greater', 'at-least', 'less', 'at-most', 'empty', 'not-empty'];
    case 'String':
    case 'Select':
    case 'Email':
    case 'Url':
    case 'User':
      return ['is', 'is-not', 'contains', 'contains-not', 'empty', 'not-empty'];
  }
}

/** Detected from what a partner sends, stored, correctable by the user. */
export const DIALECTS = ['shape1', 'shape2', 'live'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** A partner's six states, worst first. */
export const STATES = ['error', 'needs-you', 'syncing', 'offline', 'paused', 'up-to-date'] as const;
export type State = (typeof STATES)[number];

/** `none`: before pairing; `silent`: nothing gets through. */
export const LINES = ['none', 'failed', 'silent', 'paused', 'open'] as const;
export type Line = (typeof LINES)[number];

/** In the order of assignment. */
export const COLOURS = ['plum', 'sky', 'brick', 'pine', 'rose', 'indigo', 'moss', 'sun'] as const;
export type Colour = (typeof COLOURS)[number];

export { LANGUAGES, type Language } from '../words/messages.ts';

/** The last two take no value. */
export const FILTER_OPERATORS = ['contains', 'is', 'is-not', 'more', 'less', 'empty', 'filled'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** In rem. */
export const MIN_COLUMN_WIDTH = 4;
export const MAX_COLUMN_WIDTH = 60;

/** A larger step can't be undone (docs/undo.md). */
export const MAX_STEP_CHARS = 16_000_000;

/** Most bytes of a file of rows (docs/interface.md: Limits). */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
