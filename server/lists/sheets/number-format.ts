import { isUnit, PERCENT } from '../../base/amount.ts';
import { copyStart, type Amount } from './workbook.ts';

export interface NumberFormat {
  /**
   * For numbers that are names: digits `0` and `#` and literal texts, such as `D-00000`; a function if it depends on the
   * number. Literal 0 and # are as in {@link LITERAL_SIGNS}.
   */
  readonly digits?: string | ((value: number) => string);
  /** Hours elapsed, even over a day or negative. */
  readonly isElapsed: boolean;
  readonly hasDay: boolean;
  /** A 0 is no day: it is displayed as blank, or as a text such as a dash. */
  readonly hidesZero?: true;
  /** At most 3; absent: none. */
  readonly secondDecimals?: number;
}

const DAY: NumberFormat = { isElapsed: false, hasDay: true };
const CLOCK: NumberFormat = { isElapsed: false, hasDay: false };
const ELAPSED: NumberFormat = { isElapsed: true, hasDay: false };

/** Returns a built-in format of dates and times (ECMA-376, 18.8.30); undefined for others. */
export function builtInFormat(id: number): NumberFormat | undefined {
  if (id === 46) return ELAPSED;
  if (id === 47) return { ...CLOCK, secondDecimals: 1 };
  if ((id >= 18 && id <= 21) || id === 45 || id === 32 || id === 33) return CLOCK;
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return DAY;
  return undefined;
}

const BUILT_IN_AMOUNTS: Readonly<Record<number, string>> = {
  ...{ 2: '0.00', 4: '#,##0.00', 9: '0%', 10: '0.00%', 39: '#,##0.00', 40: '#,##0.00' },
  ...{ 5: '$#,##0', 6: '$#,##0', 7: '$#,##0.00', 8: '$#,##0.00', 42: '$#,##0', 44: '$#,##0.00' },
};

/** Returns what a built-in format displays beside numbers, and the decimals; undefined for plain digits. */
export const builtInAmount = (id: number): Amount | undefined =>
  parseFormatAmount(BUILT_IN_AMOUNTS[id] ?? '');

/**
 * Reads unit and decimals of a number format such as `0.00 €`; undefined if it has neither, for dates and identifiers,
 * and beyond 255 characters.
 */
export function parseFormatAmount(format: string): Amount | undefined {
  if (format.length > MAX_FORMAT_CHARS || parseFormat(format) !== undefined) return undefined;
  const code = withoutExceptions(format);
  const [shown = ''] = code.replace(AS_IT_IS, '').split(';');
  const isScaled = SCALED.test(shown);
  const beside = shown.includes(PERCENT) ? { unit: PERCENT } : readUnitBeside(literalText(code), isScaled);
  const decimals = isScaled ? 0 : (/\.([0#?]+)/.exec(shown)?.[1]?.length ?? 0);
  return beside.unit !== undefined || beside.beside !== undefined || decimals > 0
    ? { decimals, ...beside }
    : undefined;
}

/** Returns the literal text beside positive numbers, without padding, colours and conditions. */
function literalText(code: string): string {
  let letters = '';
  for (const [, quoted, escaped, sign, plain, end] of code.matchAll(PARTS)) {
    if (end !== undefined) break;
    letters += quoted ?? escaped ?? sign ?? plain ?? ' ';
  }
  return letters;
}
const PARTS = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*].|general|e[+-]|(\p{Sc}|\p{L}+)|(;)|./giu;

/** A trailing comma divides by a thousand. */
const SCALED = /[0#?],+(?:[^0#?,]|$)/;
/** Thousands and more before a currency: `T€`, `k$`, `Mio. EUR`. */
const SCALE = /^(?:T|Tsd\.?|[kKMm]|Mio\.?|Mrd\.?|Mill?\.?|mn|bn)\s*(?=\p{Sc}|[A-Z]{3}$)/u;

/**
 * Returns the text as `unit` if a list can display it, otherwise its first 20 characters as `beside`; empty for
 * brackets and the like.
 * @param isScaled displayed in thousands or more: only a currency counts, as the list has the true number
 */
export function readUnitBeside(sign: string, isScaled = false): Pick<Amount, 'unit' | 'beside'> {
  if (isScaled) {
    const { unit } = readUnitBeside(sign.slice(0, MAX_FORMAT_CHARS).trim().replace(SCALE, ''));
    return unit === undefined ? {} : { unit };
  }
  // The pattern is quadratic in inner blanks.
  const text = copyStart(sign, LONGEST_SIGN)
    .replace(/^[\s(−-]+|[\s)−-]+$/g, '')
    .replace(/\s+/g, ' ');
  // Quoted text multiplies nothing.
  if (text !== PERCENT && isUnit(text)) return { unit: text };
  return /[\p{L}\p{Sc}%‰°]/u.test(text) ? { beside: text.slice(0, LONGEST_BESIDE) } : {};
}
const LONGEST_SIGN = 100;
const LONGEST_BESIDE = 20;

const STANDS_BEFORE = /^(?!€)[A-Z]{0,2}\p{Sc}$/u;

/** Returns the number format for unit and decimals; undefined for plain numbers. */
export function formatCode(unit: string | undefined, precision: number): string | undefined {
  const decimals = precision > 0 ? `.${'0'.repeat(precision)}` : '';
  if (unit === PERCENT) return `0${decimals}%`;
  if (unit === undefined) return precision > 0 ? `#,##0${decimals}` : undefined;
  return STANDS_BEFORE.test(unit) ? `[$${unit}]#,##0${decimals}` : `#,##0${decimals}\\ [$${unit}]`;
}

/** Literals: quoted, escaped, padding, colours, conditions, currencies. */
const AS_IT_IS = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** Digits in groups or after a text identify, don't count. */
const NAMED_DIGITS = /^[^0]*0[^0\p{L}]*(?:0[^0\p{L}]*)+$/u;
/** A number within other digits, such as an invoice's year. */
// eslint-disable-next-line no-control-regex -- a literal zero, which no format has
const WITHIN_DIGITS = /^(?=.*[1-9\u0001])[^0#\p{L}]*[0#]+[^0#\p{L}]*$/u;
/** Telephone numbers: a zero only where the number has one. */
const IN_GROUPS = /^[^0#]*[0#]+(?:[^0#\p{L}]+[0#]+)+[^0#\p{L}]*$/u;
const IN_THOUSANDS = /^[^0#]*[0#]+([ .,'’\u00a0\u202f])(?:[0#]{3}(?:\1[0#]{3})*|(?:##\1)*##0)[^0#]*$/u;
/** Stand-ins for 0 and # in {@link NumberFormat.digits}. */
export const LITERAL_SIGNS: Readonly<Record<string, string>> = { '\u0001': '0', '\u0002': '#' };
const LITERAL = /"([^"]*)"|\\(.)|\[[^\]]*\]|[_*].|(?<general>general)|(?<other>[^0#"\\[\]_* ():+-])|./giu;

/**
 * Returns digits and literal texts of identifiers, such as postal codes (`00000`) or telephone numbers; undefined for
 * amounts.
 */
function readIDTemplate(section: string): string | undefined {
  let template = '';
  for (const { 0: part, 1: quoted, 2: escaped, groups = {} } of section.matchAll(LITERAL)) {
    if (groups.other !== undefined) return undefined;
    const literal = quoted ?? escaped;
    if (literal !== undefined) template += literal.replaceAll('0', '\u0001').replaceAll('#', '\u0002');
    else if (groups.general !== undefined) template += '0';
    else if (part.length === 1) template += part;
  }
  const isOptional = template.includes('#');
  const isName = isOptional
    ? IN_GROUPS.test(template) && !IN_THOUSANDS.test(template)
    : NAMED_DIGITS.test(template);
  const isStart = /^[^0#]*0#[#0]*[^0#\p{L}]*$/u.test(template);
  const isAny = isName || isStart || WITHIN_DIGITS.test(template);
  return isAny && readUnitBeside(template).unit === undefined ? template : undefined;
}

const SECTIONS = /(?:"[^"]*"|\\.|[^;])+/g;
const CONDITION = /\[(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\]/;

/**
 * Returns the first section's template of identifiers; if it has a condition, a function by number among up to three
 * sections. Undefined unless all that count display identifiers.
 */
function readIDTemplates(code: string): NumberFormat['digits'] {
  const sections = (code.match(SECTIONS) ?? []).slice(0, 3);
  const [first = ''] = sections;
  if (!CONDITION.test(first)) return readIDTemplate(first);
  const parts = sections.map((section) => ({
    digits: readIDTemplate(section),
    condition: CONDITION.exec(section)?.slice(1),
  }));
  const last = parts.at(-1)?.digits;
  if (last === undefined || parts.some(({ digits }) => digits === undefined)) return undefined;
  return (value) =>
    parts.find(({ condition }) => condition && meetsCondition(value, condition))?.digits ?? last;
}

/** Returns whether the number meets a format's condition: operator and limit. */
function meetsCondition(value: number, [operator = '', limit = '']: readonly string[]): boolean {
  const other = Number(limit);
  if (value === other) return operator.includes('=');
  return operator.includes(value < other ? '<' : '>');
}

const MAX_FORMAT_CHARS = 255;
const PLACEHOLDER = /[0#?@\p{L}]/u;

/** Removes leading sections that show certain numbers as a text or blank, as `[=0]"";dd.mm.yyyy` does with 0. */
function withoutExceptions(code: string): string {
  const sections = code.match(SECTIONS) ?? [];
  const first = sections.findIndex(
    (section) => !CONDITION.test(section) || PLACEHOLDER.test(section.replace(AS_IT_IS, '')),
  );
  return first > 0 ? sections.slice(first).join(';') : code;
}

/** Returns whether the section for 0 has no placeholder: the first one, the second one, or usually the third. */
function hidesZero(code: string): boolean {
  const section = /^\s*\[=0\]/.test(code) ? 0 : /^\s*\[<?>0\]/.test(code) ? 1 : 2;
  const shown = code.replace(AS_IT_IS, '').split(';')[section];
  return shown !== undefined && !PLACEHOLDER.test(shown);
}

/** Reads formats of dates, times or ids; undefined for amounts, texts, over 255 characters. */
export function parseFormat(format: string): NumberFormat | undefined {
  if (format.length > MAX_FORMAT_CHARS) return undefined;
  const code = withoutExceptions(format);
  const digits = readIDTemplates(code);
  if (digits !== undefined) return { isElapsed: false, hasDay: false, digits };
  const [positive = ''] = code
    .replace(AS_IT_IS, '')
    .replace(/general|e[+-]/gi, '')
    .split(';');
  const { length: secondDecimals } = /s\]?[.,](0{1,3})/i.exec(positive)?.[1] ?? '';
  const decimals = secondDecimals > 0 ? { secondDecimals } : {};
  if (/\[(h+|m+|s+)\]/i.test(positive)) return { ...ELAPSED, ...decimals };
  const isClock = /[hs]|am\/pm/i.test(positive);
  // LibreOffice: weeks (`WW`).
  if (/[dy]|ww/i.test(positive) || (/m/i.test(positive) && !isClock))
    return { ...DAY, ...decimals, ...(hidesZero(format) ? { hidesZero: true } : {}) };
  return isClock ? { ...CLOCK, ...decimals } : undefined;
}
