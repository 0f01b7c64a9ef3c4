import { CELL_FORMATS } from './cell-formats.ts';

/** Formula injection guard (OWASP ASVS 1.2.10), full-width forms included. */
const SIGN = '[=+\\-@＝＋－＠]';
const UNSEEN = '[\\s\\p{Cc}\\p{Cf}"]';
const SEPARATORS = ',;\t|\r\n';

/** Unknown values in PostgreSQL, MySQL and Hive. */
export const NULL = '\\N';

/** Distinguishes a text of blanks, or {@link NULL} as a text, from an empty cell. */
const AT_START = new RegExp(`^'*(?:[\\t\\r\\n\\0]|${UNSEEN}*${SIGN}|\\s+$|\\\\N$)`, 'u');
const SIGN_AT_START = new RegExp(`^('*)${UNSEEN}*${SIGN}`, 'u');
const SIGNS = new RegExp(SIGN, 'g');
const ANY_SEPARATOR = /[,;\t|\r\n]/;
const IS_UNSEEN = new RegExp(UNSEEN, 'u');
/** Only numbers: with decimal commas, a program would take other text for a formula. */
const NUMBERS = /[+-]\d+(?:\.\d+)?(?:,[+-]?\d+(?:\.\d+)?)*/y;
const ENDS_NUMBERS = /^[\]};\t|\r\n]?$/;

/**
 * Keeps spreadsheets from evaluating a cell (CSV or formula injection), whatever their separator: apostrophes go before
 * it, and before formulas after other separators than `delimiter`. {@link unescapeCell} restores it, as text that looks
 * escaped gets one more.
 * @param isMarked also marks text that looks like a number or date
 */
export function escapeCell(text: string, delimiter = ',', isMarked = false): string {
  let cell = '';
  let done = 0;
  const isNumber = createNumbersTest(text);
  for (const { from, to } of findFormulas(text, delimiter)) {
    if (from === to && isNumber(to)) continue;
    cell += text.slice(done, from) + marksToAdd(text, to, to - from);
    done = from;
  }
  cell += text.slice(done);
  const isEscaped =
    AT_START.test(cell) ||
    MARKED_DIGITS.test(cell) ||
    ((isMarked || cell.startsWith("'")) && looksLikeValue(cell));
  const { 0: start, 1: marks = '' } = SIGN_AT_START.exec(cell) ?? [];
  if (start !== undefined) return marksToAdd(cell, start.length - 1, marks.length) + cell;
  return isEscaped ? `'${cell}` : cell;
}

/** Returns whether a format of an import reads the cell, without apostrophes before it; false beyond 400 characters. */
export function looksLikeValue(cell: string): boolean {
  const text = cell.replace(/^'+/, '').trim();
  return text.length <= LONGEST_VALUE && CELL_FORMATS.some((format) => format.read(text) !== undefined);
}
const LONGEST_VALUE = 400;

const MARKED_DIGITS = /^'+\d[\d ./-]*$/;
/** Keeps leading zeros: `="01067"`. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

/** Reads a formula that only holds a text, such as `="01067"`. */
export const readTextOfFormula = (cell: string): string | undefined =>
  TEXT_FORMULA.exec(cell)?.[1]?.replaceAll('""', '"');

/** Removes the formula or apostrophe that marks digits as text. */
export const withoutTextMark = (text: string): string =>
  readTextOfFormula(text) ?? (MARKED_DIGITS.test(text) ? text.slice(1) : text);

export const isMarkedText = (cell: string): boolean =>
  readTextOfFormula(cell) !== undefined || (cell.startsWith("'") && unescapeCell(cell) !== cell);

/**
 * Removes the apostrophes of {@link escapeCell}, and of other programs before digits.
 * @param areDigitsMarked false: an apostrophe before digits that are no number, such as an article's, stays
 */
export function unescapeCell(cell: string, delimiter = ',', areDigitsMarked = true): string {
  // Our exports double the text's own apostrophe.
  const isMarked = areDigitsMarked || cell.startsWith("''");
  const isEscaped =
    cell.startsWith("'") &&
    (AT_START.test(cell) || (isMarked && MARKED_DIGITS.test(cell)) || looksLikeValue(cell));
  const { 0: start, 1: marks = '' } = SIGN_AT_START.exec(cell) ?? [];
  const inner = cell.slice(
    start === undefined ? Number(isEscaped) : marksToRemove(cell, start.length - 1, marks.length),
  );
  let text = '';
  let done = 0;
  for (const { from, to } of findFormulas(inner, delimiter)) {
    text += inner.slice(done, from);
    done = from + marksToRemove(inner, to, to - from);
  }
  return text + inner.slice(done);
}

/** Reads a text of a workbook, which may come from our CSV through another program: with its apostrophes. */
export const unescapeSheetCell = (cell: string): string => (cell.includes("'") ? unescapeCell(cell) : cell);

/** Escapes only a text that {@link unescapeSheetCell} would change. */
export const escapeSheetCell = (text: string): string =>
  unescapeSheetCell(text) === text ? text : escapeCell(text);

/** The rest of a text in apostrophes, up to the next separator, as in `['a', '-1']`. */
const REST_IN_APOSTROPHES = /[^',;\t|\r\n]*'[\s\])}]*(?=[,;\t|\r\n]|$)/y;

/** Returns whether the text in apostrophes that begins at `at` is closed. */
function isClosed(text: string, at: number): boolean {
  REST_IN_APOSTROPHES.lastIndex = at;
  return REST_IN_APOSTROPHES.test(text);
}

/**
 * Returns the apostrophes to add before a formula sign. A text in apostrophes needs none, as other programs write it;
 * one that is only closed gets two, to differ from these.
 * @param at index of the sign
 * @param count of apostrophes before it
 */
function marksToAdd(text: string, at: number, count: number): string {
  if (count > 1 || !isClosed(text, at)) return "'";
  return count === 0 ? "''" : '';
}

/** Returns how many of `count` apostrophes before a sign {@link marksToAdd} has put there. */
function marksToRemove(text: string, index: number, count: number): number {
  if (count > 2 || !isClosed(text, index)) return Math.min(count, 1);
  return count === 2 ? 2 : 0;
}

/**
 * Finds formula signs: `to` is the sign after a separator other than `delimiter`, `from` the first apostrophe before
 * it.
 */
function findFormulas(text: string, delimiter: string): { from: number; to: number }[] {
  if (!ANY_SEPARATOR.test(text)) return [];
  const found: { from: number; to: number }[] = [];
  const isForeign = (at: number): boolean =>
    at >= 0 && SEPARATORS.includes(text.charAt(at)) && text.charAt(at) !== delimiter;
  for (const { index: to } of text.matchAll(SIGNS)) {
    let from = to;
    while (text.charAt(from - 1) === "'") from--;
    let before = from - 1;
    while (before >= 0 && !isForeign(before) && IS_UNSEEN.test(text.charAt(before))) before--;
    if (isForeign(before)) found.push({ from, to });
  }
  return found;
}

/** Returns a test whether only numbers follow up to the next separator. Call it with ascending indexes. */
function createNumbersTest(text: string): (at: number) => boolean {
  let end = 0;
  let isEnded = false;
  return (at) => {
    if (at < end) return isEnded;
    NUMBERS.lastIndex = at;
    if (!NUMBERS.test(text)) return false;
    end = NUMBERS.lastIndex;
    isEnded = ENDS_NUMBERS.test(text.charAt(end));
    return isEnded;
  };
}

const ENDING_NUMBER = /[+-]\d[\d.]*$/;
/** Not part of a formula: numbers, dates and times. */
const BEGINS_WITH_DIGIT = /^\d(?![\d.]*$)(?![\d:T-]*Z?$)/;
const SIGNED_NUMBER = /^[+-]\d[\d.]*$/;

/**
 * Escapes a line. Programs with decimal commas read `-5,3 m` as a formula, so a cell's ending signed number gets an
 * apostrophe if the next cell begins with a digit, and the number begins the line or follows another separator
 * (`a;-5`). Other delimiters than the comma change nothing.
 */
export function separateSignedNumbers(cells: readonly string[], delimiter: string): string[] {
  return cells.map((cell, at) => {
    const sign =
      delimiter === ',' && BEGINS_WITH_DIGIT.test(cells[at + 1] ?? '') ? cell.search(ENDING_NUMBER) : -1;
    if (sign === -1) return cell;
    let before = sign - 1;
    while (before >= 0 && !ANY_SEPARATOR.test(cell.charAt(before)) && IS_UNSEEN.test(cell.charAt(before)))
      before--;
    const separator = cell.charAt(before);
    // Elsewhere that program is within a text, and an import would keep the apostrophe.
    const begins = before === -1 ? at === 0 : separator !== delimiter && ANY_SEPARATOR.test(separator);
    return begins ? `${cell.slice(0, sign)}'${cell.slice(sign)}` : cell;
  });
}

export const isSignedNumber = (cell: string): boolean => SIGNED_NUMBER.test(cell);

/** Returns whether the apostrophe may be of {@link separateSignedNumbers}, so marks no text. */
export const isSeparated = (cell: string, next = ''): boolean =>
  cell.startsWith("'") && isSignedNumber(cell.slice(1)) && BEGINS_WITH_DIGIT.test(next);

const VALUE_SEPARATOR = '|';

/** Joins the texts to one cell, with `|` and backslashes in them escaped. */
export function joinValues(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[|\\]/g, '\\$&')).join(VALUE_SEPARATOR);
}

/** Splits at unescaped `|` and removes escapes. Empty for an empty cell. */
export function splitValues(cell: string): string[] {
  if (cell === '') return [];
  const texts: string[] = [];
  let text = '';
  for (let at = 0; at < cell.length; at++) {
    const character = cell.charAt(at);
    if (character === '\\' && /[|\\]/.test(cell.charAt(at + 1))) {
      text += cell.charAt(++at);
    } else if (character === VALUE_SEPARATOR) {
      texts.push(text);
      text = '';
    } else {
      text += character;
    }
  }
  return [...texts, text];
}

/**
 * Returns whether a line only draws (`-----`), or is blank. If `raw` has quotation marks, only cells that our exports
 * escape do.
 */
export function isDrawnLine(fields: readonly string[], raw: string): boolean {
  const filled = fields.map((field) => field.trim()).filter((field) => field !== '');
  const [first = ''] = filled;
  const isBetweenBars =
    fields.length === 3 &&
    fields[1]?.trim() === first &&
    (CROSSED.test(first) || (DRAWN_LINE.test(first) && raw.trimStart().startsWith('|')));
  const isDrawn =
    filled.length === 1
      ? isBetweenBars || (first === fields[0]?.trim() && DRAWN_LINE.test(first))
      : filled.every(isDrawnCell) ||
        (filled.length === fields.length && filled.some(isDrawnCell) && filled.every(isDash));
  return isDrawn && (!raw.includes('"') || filled.every((field) => escapeCell(field) !== field));
}
const DRAWN_LINE = /^(?:[-_=*–—]{5,}|[+|]?[-=]{3}[-=+|:]*)$/;
const CROSSED = /^-{3,}(?:\+-{3,})+$/;
const DRAWN_CELL = /^[+:]?[-_=–—]{3}[-_=–—+ ]*:?$/;
const isDrawnCell = (text: string): boolean => DRAWN_CELL.test(text);
const isDash = (text: string): boolean => /^[-=_–—]+$/.test(text);

export const looksDrawn = (cell: string): boolean => DRAWN_LINE.test(cell.trim()) || isDrawnCell(cell.trim());
