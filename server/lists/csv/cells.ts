import { CELL_FORMATS } from './cell-formats.ts';

/** What a spreadsheet may take for the beginning of a formula (OWASP ASVS 1.2.10), full-width forms included. */
const SIGN = '[=+\\-@＝＋－＠]';
/** A blank, a quotation mark or a character without a shape, which some programs drop before they look. */
const UNSEEN = '[\\s\\p{Cc}\\p{Cf}"]';
/** What some program or other separates columns and lines by. */
const SEPARATORS = ',;\t|\r\n';

/** A text of blanks alone is told from an empty cell by its apostrophe. */
const AT_START = new RegExp(`^'*(?:[\\t\\r\\n\\0]|${UNSEEN}*${SIGN}|\\s+$)`, 'u');
const SIGNS = new RegExp(SIGN, 'g');
const ANY_SEPARATOR = /[,;\t|\r\n]/;
const IS_UNSEEN = new RegExp(UNSEEN, 'u');
/**
 * Left as it is behind a separator, such as one of the coordinates of a place. Behind a comma only numbers may follow:
 * where that is the decimal point, the rest would go on as a formula.
 */
const NUMBERS = /[+-]\d+(?:\.\d+)?(?:,[+-]?\d+(?:\.\d+)?)*/y;
const ENDS_NUMBERS = /^[\]};\t|\r\n]?$/;

/**
 * A cell that no spreadsheet takes for a formula, whatever it separates columns by: an apostrophe goes before the first
 * character, and before a formula that stands behind another separator than the file's own, where such a program sees
 * the beginning of a cell. Text that looks escaped already gets one more, so that {@link unescapeCell} always gives
 * back what was there.
 * @param isMarked a text that looks like a number or the like gets one too
 */
export function escapeCell(text: string, delimiter = ',', isMarked = false): string {
  let cell = '';
  let done = 0;
  const isNumber = numbersIn(text);
  for (const { from, to } of formulasInside(text, delimiter)) {
    if (from === to && isNumber(to)) continue;
    cell += `${text.slice(done, from)}'`;
    done = from;
  }
  cell += text.slice(done);
  const isEscaped = AT_START.test(cell) || ((isMarked || cell.startsWith("'")) && looksLikeValue(cell));
  return isEscaped ? `'${cell}` : cell;
}

/** As in spreadsheets, an apostrophe before a number, a day or the like says that it is a text. */
function looksLikeValue(cell: string): boolean {
  const text = cell.replace(/^'+/, '').trim();
  return text.length <= LONGEST_VALUE && CELL_FORMATS.some((format) => format.read(text) !== undefined);
}
const LONGEST_VALUE = 400;

/** Whether a cell says by an apostrophe that it is a text, whatever it looks like. */
export const isMarkedText = (cell: string): boolean => cell.startsWith("'") && unescapeCell(cell) !== cell;

export function unescapeCell(cell: string, delimiter = ','): string {
  const inner = cell.startsWith("'") && (AT_START.test(cell) || looksLikeValue(cell)) ? cell.slice(1) : cell;
  let text = '';
  let done = 0;
  for (const { from, to } of formulasInside(inner, delimiter)) {
    if (from === to) continue;
    text += inner.slice(done, from);
    done = from + 1;
  }
  return text + inner.slice(done);
}

/** Each sign of a formula behind a foreign separator: where the apostrophes before it begin, and where it stands. */
function formulasInside(text: string, delimiter: string): { from: number; to: number }[] {
  // Nearly all cells.
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

/** Tells of signs, asked of in their order, whether only numbers follow. A row of them is read once, from its first. */
function numbersIn(text: string): (at: number) => boolean {
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
const BEGINS_WITH_DIGIT = /^\d(?![\d.]*$)/;

/**
 * The escaped cells of one line, kept apart where a program sees no end of a cell at a comma, and a decimal point in it:
 * a negative number, left as it is, and a next cell that begins with a digit would be one formula there.
 */
export function keptApart(cells: readonly string[], delimiter: string): string[] {
  return cells.map((cell, at) => {
    const sign =
      delimiter === ',' && BEGINS_WITH_DIGIT.test(cells[at + 1] ?? '') ? cell.search(ENDING_NUMBER) : -1;
    if (sign === -1) return cell;
    let before = sign - 1;
    while (before >= 0 && !ANY_SEPARATOR.test(cell.charAt(before)) && IS_UNSEEN.test(cell.charAt(before)))
      before--;
    const begins = before === -1 ? at === 0 : ANY_SEPARATOR.test(cell.charAt(before));
    return begins ? `${cell.slice(0, sign)}'${cell.slice(sign)}` : cell;
  });
}

/** Stands between the values of a multi-value column; inside a value it follows a backslash. */
const VALUE_SEPARATOR = '|';

export function joinValues(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[|\\]/g, '\\$&')).join(VALUE_SEPARATOR);
}

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
