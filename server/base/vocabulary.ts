/** Vocabulary of the interface that all rooms share. */

/** The kinds of column (protocol: field descriptor, `kind`). */
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

/** Parts of a workbook that no list imports. */
export const LEFT_OUT = ['links', 'macros', 'pictures', 'charts', 'comments', 'pivots'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

/**
 * Offered encodings of text files, by their languages. All are detected but those of `RARE` in
 * `server/lists/csv/encoding.ts`, which are named as doubts.
 */
export const ENCODINGS = {
  unicode: ['UTF-8', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'],
  western: ['windows-1252', 'ISO-8859-1', 'ISO-8859-15', 'macintosh', 'cp850', 'cp437'],
  central: ['windows-1250', 'ISO-8859-2', 'ISO-8859-16', 'cp852'],
  baltic: ['windows-1257'],
  cyrillic: ['windows-1251', 'ISO-8859-5', 'cp866', 'cp1125', 'KOI8-R', 'maccyrillic'],
  greek: ['windows-1253', 'ISO-8859-7', 'cp737'],
  turkish: ['windows-1254', 'ISO-8859-9', 'cp857'],
  hebrew: ['windows-1255', 'cp862'],
  arabic: ['windows-1256'],
  japanese: ['Shift_JIS', 'EUC-JP', 'ISO-2022-JP'],
  korean: ['EUC-KR'],
  chinese: ['GB18030', 'Big5'],
} as const;

/** Guesses about how to read a file. */
export const DOUBT_KINDS = ['delimiter', 'heading', 'encoding', 'numbers'] as const;

/** The option that answers each kind of doubt. */
export const DOUBT_OPTIONS = {
  delimiter: 'delimiter',
  heading: 'headerLine',
  encoding: 'encoding',
  numbers: 'decimal',
} as const satisfies Record<(typeof DOUBT_KINDS)[number], string>;

/** A guess that may be wrong: the alternatives fit the file too. */
export interface Doubt {
  readonly kind: (typeof DOUBT_KINDS)[number];
  /** As its option takes it: a delimiter, a line number (0: no heading), an encoding, a decimal sign. */
  readonly chosen: string;
  readonly alternatives: readonly string[];
  /** Headers of the columns concerned; absent: the whole file. */
  readonly columns?: readonly string[];
  /** A cell or line of the file that reads differently. */
  readonly example?: string;
}

/** The part of a text file that its first look reads. A workbook is read whole. */
export const FIRST_LOOK_BYTES = 1024 * 1024;

/** Maximum total or footer lines of a file to keep or leave out one by one. */
export const MAX_CHOSEN_SUMS = 100;

/** Tests of a condition; the last two take no value (docs/conditions.md). */
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

/** Ways to join a condition's parts: all must be met, or any one. */
export const CONDITION_JOINS = ['all', 'any'] as const;
export type ConditionJoin = (typeof CONDITION_JOINS)[number];

/** Limits of a condition: its parts, and a value's characters. */
export const MAX_CONDITION_PARTS = 20;
export const MAX_CONDITION_VALUE = 100;

export const takesValue = (test: ConditionTest): boolean => test !== 'empty' && test !== 'not-empty';

/**
 * Returns the tests for a kind of column: presence for all; equality too except for references, files and locations;
 * order for numbers and times, `contains` for texts.
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

/** A partner's dialect. Detected from what it sends, stored, correctable by the user. */
export const DIALECTS = ['shape1', 'shape2', 'live'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** A partner's six states, worst first. */
export const STATES = ['error', 'needs-you', 'syncing', 'offline', 'paused', 'up-to-date'] as const;
export type State = (typeof STATES)[number];

/** `none` before pairing, `failed` after an error, `silent` if nothing gets through, `paused` by a user. */
export const LINES = ['none', 'failed', 'silent', 'paused', 'open'] as const;
export type Line = (typeof LINES)[number];

/** Partners' colours, in the order of assignment. */
export const COLOURS = ['plum', 'sky', 'brick', 'pine', 'rose', 'indigo', 'moss', 'sun'] as const;
export type Colour = (typeof COLOURS)[number];

export { LANGUAGES, type Language } from '../words/messages.ts';

/** Filters of the grid; the last two take no value. */
export const FILTER_OPERATORS = ['contains', 'is', 'is-not', 'more', 'less', 'empty', 'filled'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Column widths of the grid, in rem. */
export const MIN_COLUMN_WIDTH = 4;
export const MAX_COLUMN_WIDTH = 60;

/** Most characters of an undo step; a larger one can't be undone (docs/undo.md). */
export const MAX_STEP_CHARS = 16_000_000;

/** Most bytes of a file of rows (docs/interface.md: Limits). */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
