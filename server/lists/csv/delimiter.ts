import Papa from 'papaparse';
import { parseAmount } from '../../base/amount.ts';
import { dominantShape, shapeOf } from './cell-shape.ts';
import { findHeading } from './heading.ts';
import { hasRowNames } from './row-names.ts';

/** Rarest in texts first: the first wins a tie. */
const USUAL = ['\t', ';', '|', ','];
const RARE = ['^', '~', '§', '¦', '\u001f', '\u0001', ':', '#'];
export const ONE_COLUMN = '\n';
const LINES = 200;
const LINES_WITH_PREAMBLE = 450;
const COLUMNS = 60;

/** In quotation marks it is a header. */
const DECLARED = /^\uFEFF?sep=(.)\r?\n/i;

/** Returns the delimiter of a first line such as `sep=;` of Excel; undefined without one. */
export function readDeclaredDelimiter(start: string): string | undefined {
  return DECLARED.exec(start)?.[1];
}

/** Returns whether an unquoted first cell would be read as a `sep=` line. */
export const looksDeclared = (cell: string): boolean => /^sep=/i.test(cell);

const DRAWN = /^(?:(?=[^\n\r\u2028\u2029]*[-=_]{3})[-+=|_:*–—;, \t]+|(?:"[-=]{3,}"[;,|\t]?)+)\r?(?:\n|$)/gm;

const CROSSED = /^-{3,}(?:\+-{3,})+\r?$/m;

/** Returns whether blanks follow delimiters (`1, A, Bonn`), and precede all quotation marks. */
export function isPadded(start: string, delimiter: string): boolean {
  const areQuotesPadded = hasPaddedQuotes(start, delimiter);
  if (start.includes('"') && !areQuotesPadded) return false;
  const quoted = new RegExp(`(^|[\\r\\n${escapeInClass(delimiter)}]) *${QUOTED}`, 'g');
  const values = start
    .replace(quoted, '$1')
    .replace(DRAWN, '')
    .split(/[\r\n]+/, LINES)
    .flatMap((line) => line.split(delimiter).slice(1))
    .filter((value) => value.trim() !== '');
  return values.length > 1 && values.every((value) => value.startsWith(' '));
}

const QUOTED_NAMES = /^"[^"\r\n]*"(?: "[^"\r\n]*")*\r?$/;
const SPACED_VALUES = /^(?:"(?:[^"\\]|\\.)*"|[^\s",;|]+)(?: (?:"(?:[^"\\]|\\.)*"|[^\s",;|]+))+\r?$/;

/** Returns whether blanks separate quoted names, and all values below, as R's write.table does. */
function isSpaced(text: string, isCut: boolean): boolean {
  const all = text.split('\n', LINES);
  const [heading = '', ...below] = (isCut ? all.slice(0, -1) : all).filter((line) => line.trim() !== '');
  return below.length > 0 && QUOTED_NAMES.test(heading) && below.every((line) => SPACED_VALUES.test(line));
}

const MIN_BOXED = 3;

/** Returns whether bars begin and end all lines that have any, at least three: blanks beside them are drawn. */
export function isBoxed(start: string, delimiter: string): boolean {
  if (delimiter !== '|') return false;
  // The last one may be cut.
  const lines = start
    .replace(DRAWN, '')
    .split(/[\r\n]+/, LINES)
    .slice(0, -1);
  const withBars = lines.filter((line) => line.includes('|'));
  return withBars.length >= MIN_BOXED && withBars.every((line) => /^\s*\|.*\|\s*$/.test(line));
}

const QUOTED = '"(?:[^"]|"")*"';
export const escapeInClass = (delimiter: string): string => delimiter.replace(/[\\^\]-]/, '\\$&');

/** Returns whether blanks precede quoted values (`1, "Kern, Ulm"`), and no text follows these (`Kern, "jr." Ltd`). */
export function hasPaddedQuotes(start: string, delimiter: string): boolean {
  const sign = `[${escapeInClass(delimiter)}]`;
  const [closed, open] = [`${sign} +${QUOTED} *(?=${sign}|[\\r\\n]|$)`, `${sign} +${QUOTED} *`];
  return (
    new RegExp(closed).test(start) && !new RegExp(`${open}[^\\r\\n "${escapeInClass(delimiter)}]`).test(start)
  );
}

/**
 * Removes blanks between a delimiter or line start and a quotation mark, piece by piece. Blanks at a piece's end wait
 * for the next call; those of the last piece are lost.
 */
export function createQuoteAligner(delimiter: string): (piece: string) => string {
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  let held = '';
  return (piece) => {
    const text = held + piece;
    let [aligned, from, blanks] = ['', 0, 0];
    for (let at = held.length; at < text.length; at++) {
      const character = text.charAt(at);
      if (state === 'quoted') {
        if (character === '"') state = 'closed';
      } else if (character === delimiter || character === '\n' || character === '\r') {
        state = 'start';
        blanks = at + 1;
      } else if (character === '"' && state === 'start') {
        aligned += text.slice(from, blanks);
        from = at;
        state = 'quoted';
      } else if (character === '"' && state === 'closed') state = 'quoted';
      else if (character !== ' ' || state !== 'start') state = 'plain';
    }
    const end = state === 'start' ? blanks : text.length;
    held = text.slice(end);
    return aligned + text.slice(from, end);
  };
}

/** Returns CR if the text outside quotation marks has one but no LF, as from Excel for Mac; else LF. */
export function findNewline(text: string): '\n' | '\r' {
  // A single quotation mark may mean inches.
  if (!text.includes('\n')) return text.includes('\r') ? '\r' : '\n';
  const outside = text.replace(/"[^"]*(?:"|$)/g, '');
  return outside.includes('\r') && !outside.includes('\n') ? '\r' : '\n';
}

const IN_APOSTROPHES =
  /^\uFEFF?\s*(?:'[^'\r\n]*'([;,|\t]))(?:'[^'\r\n]*'\1)*'[^'\r\n]*'\s*[\r\n]+(?:[^'\r\n]*\1)?'/;

/** Returns whether apostrophes quote all names and some value below, as of SQLite and phpMyAdmin. */
export const isInApostrophes = (start: string): boolean =>
  IN_APOSTROPHES.test(start) && !/[;,|\t\r\n]"/.test(start);

export const swapQuotes = (text: string): string =>
  text.replace(/["']/g, (sign) => (sign === '"' ? "'" : '"'));

export interface GuessedDelimiter {
  readonly delimiter: string;
  readonly alternatives: readonly string[];
}

/** Below two mixed columns whose clean rows fit the heading. */
const ONE_COLUMN_SCORE = 0.24;
const PLAUSIBLE = 0.7;
/** A single column may hide several values. Commas are part of many texts, so aren't favoured. */
const PLAUSIBLE_BESIDE_ONE = 0.5;

/**
 * Takes the delimiter that a `sep=` line or a drawn table shows, a blank for spaced quotations; otherwise guesses by
 * consistency, like CleverCSV, with others that fit nearly as well. {@link ONE_COLUMN} stands for a single column.
 * @param isCut text follows `start`, so its last line may be incomplete
 */
export function guessDelimiter(start: string, isCut = false): GuessedDelimiter {
  const declared = readDeclaredDelimiter(start);
  if (declared !== undefined) return { delimiter: declared, alternatives: [] };
  if (CROSSED.test(start)) return { delimiter: '|', alternatives: [] };
  const text = start.replace(/^\uFEFF/, '').replace(DRAWN, '');
  if (isSpaced(text, isCut)) return { delimiter: ' ', alternatives: [] };
  // Rows of an empty sheet.
  const [sign, ...others] = new Set(text.replace(/\s+/g, ''));
  if (sign !== undefined && others.length === 0 && USUAL.includes(sign))
    return { delimiter: sign, alternatives: [] };
  const guess = guessByScores(text, isCut);
  if (guess.delimiter === ',') return guessBesideDecimals(guess, text, isCut);
  if (guess.delimiter !== ONE_COLUMN || guess.alternatives.length > 0) return guess;
  const ending = findEndingDelimiter(text, isCut);
  if (ending !== undefined) return { delimiter: ending, alternatives: [] };
  const lines = text.split(/\r\n?|\n/).slice(0, LINES_WITH_PREAMBLE);
  return lines.length > LINES ? guessByScores(lines.slice(-LINES).join('\n'), isCut) : guess;
}

/**
 * Returns the delimiter that ends each line, the first one perhaps, and is nowhere else: only one column has values.
 */
function findEndingDelimiter(text: string, isCut: boolean): string | undefined {
  const all = text.replace(/"[^"]*"/g, (quoted) => (quoted === '""' ? '' : '"')).split(/[\r\n]+/, LINES);
  const lines = (isCut ? all.slice(0, -1) : all).map((line) => line.replace(/^ +| +$/g, ''));
  const [first = '', ...others] = lines.filter((line) => line !== '');
  return USUAL.find((delimiter) => {
    const sign = escapeInClass(delimiter);
    const ends = new RegExp(`^[^${sign}]*[${sign}]+$`);
    return (
      others.length > 0 &&
      (!first.includes(delimiter) || ends.test(first)) &&
      others.every((line) => ends.test(line))
    );
  });
}

const DECIMAL = /^-?(?:(?:\d+|\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})+),\d+|\d{1,3}(?:,\d{3})+\.\d+)$/;
const WITHOUT_COMMAS = /^-?\d+(?:\.\d+)?$/;
/** Never a number on either side of the comma. */
const SURELY_DECIMAL = /,0\d|[^\d,-]/;

/**
 * Where each line is a decimal number (`12,50`), returns one column if that is sure, as below a first line without
 * comma, otherwise the comma with one column as an alternative. Returns `guess` for other lines.
 */
function guessBesideDecimals(guess: GuessedDelimiter, text: string, isCut: boolean): GuessedDelimiter {
  const all = text.split(/\r\n?|\n/, LINES + 1);
  const [first = '', ...others] = (isCut || all.length > LINES ? all.slice(0, -1) : all)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isNamed = !first.includes(',');
  const lines = isNamed ? others : [first, ...others];
  const areAmounts = lines.every((line) => {
    const { number = '' } = parseAmount(line) ?? {};
    return DECIMAL.test(number) || (isNamed && WITHOUT_COMMAS.test(number));
  });
  if (others.length === 0 || !areAmounts) return guess;
  const isSure = isNamed || lines.some((line) => SURELY_DECIMAL.test(line));
  return isSure
    ? { delimiter: ONE_COLUMN, alternatives: [','] }
    : { delimiter: ',', alternatives: [...guess.alternatives, ONE_COLUMN] };
}

/**
 * Returns the best delimiter of the first 200 lines, with others that score nearly as high. Rare ones take part only if
 * no usual one beats a single column.
 */
function guessByScores(text: string, isCut: boolean): GuessedDelimiter {
  const common = USUAL.map((delimiter) => ({ delimiter, score: scoreDelimiter(text, delimiter, isCut) }));
  const rare = RARE.map((delimiter) => ({ delimiter, score: scoreDelimiter(text, delimiter, isCut) })).filter(
    ({ score }) => score >= ONE_COLUMN_SCORE && common.every((other) => other.score < ONE_COLUMN_SCORE),
  );
  const scores = [...common, ...rare, { delimiter: ONE_COLUMN, score: ONE_COLUMN_SCORE }];
  scores.sort((a, b) => b.score - a.score);
  const [best, ...others] = scores;
  if (!best) return { delimiter: ',', alternatives: [] };
  const shareOf = (delimiter: string): number =>
    best.delimiter === ONE_COLUMN && delimiter !== ',' ? PLAUSIBLE_BESIDE_ONE : PLAUSIBLE;
  const alternatives = others.filter(
    ({ delimiter, score }) => score >= best.score * shareOf(delimiter) && delimiter !== ONE_COLUMN,
  );
  return { delimiter: best.delimiter, alternatives: alternatives.map(({ delimiter }) => delimiter) };
}

/**
 * Scores from 0 to 1: agreement of row widths, times cleanness of cells. 0 for a single column, and for a rare
 * delimiter on which rows disagree.
 */
function scoreDelimiter(written: string, delimiter: string, isCut: boolean): number {
  if (!written.includes(delimiter)) return 0;
  const text = hasPaddedQuotes(written, delimiter) ? createQuoteAligner(delimiter)(written) : written;
  const rows = parseRows(text, delimiter, isCut);
  const found = findHeading(rows);
  const table = rows.slice(found.at);
  const [heading = []] = table;
  const width = table.reduce((most, row) => Math.max(most, extentOf(row)), 0);
  if (width < 2) return 0;
  const agreeing = table.filter((row) => row.length === heading.length).length;
  const isRare = RARE.includes(delimiter);
  if (isRare && (agreeing < rows.length || rows.length < 3 || (delimiter === ':' && width < 3))) return 0;
  // A heading lacking a name is likelier than prose cut equally.
  const isAlike = heading.length > 1 && new Set(table.slice(1).map((row) => row.length)).size === 1;
  const others = table.filter((row) => row.length !== heading.length && row.length > 1);
  const short = others.filter((row) => isAlike || row.length < heading.length).length;
  const agreement = (agreeing + short / 2) / table.length;
  const hasOwn = found.at === 0 || (rows[0]?.length ?? 0) > 1;
  const isNamed = found.isHeading && found.isDistinct && heading.every((cell) => !/^\s+\S/.test(cell));
  // Another delimiter would misplace the quotation marks.
  const isQuoted = text.split(`"${delimiter}"`).length > table.length * (width - 1);
  const titled = hasOwn ? 1 : isNamed || isQuoted ? 0.7 : 0.3;
  const types = scoreTypes(table, delimiter, width);
  return agreement * ((width - 1) / width) * types * types * titled;
}

/**
 * Splits a line that a program with another delimiter quoted whole: `"1,""Kern, Hans"",Ulm"`. Undefined unless it has
 * `width` values, none with a blank first, as words of a sentence have.
 */
export function unfoldLine(
  fields: readonly string[],
  delimiter: string,
  width: number,
): readonly string[] | undefined {
  const line = fields[0] ?? '';
  if (fields.length !== 1 || width < 2 || !line.includes(delimiter)) return undefined;
  if (width === 2 && !line.includes('"')) return undefined;
  const { data, errors } = Papa.parse<string[]>(line, { delimiter });
  const [values] = data;
  const isWhole = data.length === 1 && errors.length === 0 && values?.length === width;
  return isWhole && !values.some((value) => /^\s/.test(value)) ? values : undefined;
}

/**
 * Returns up to 200 rows, without empty and incomplete ones; unfolds lines quoted whole, and puts a blank name above
 * R's row names. Takes `\"` for a quotation mark if that gives fewer errors.
 */
function parseRows(text: string, delimiter: string, isCut: boolean): string[][] {
  const options = { delimiter, newline: findNewline(text), preview: LINES } as const;
  const plain = Papa.parse<string[]>(text, options);
  const escaped =
    plain.errors.length > 0 ? Papa.parse<string[]>(text, { ...options, escapeChar: '\\' }) : plain;
  const { data, meta } = escaped.errors.length < plain.errors.length ? escaped : plain;
  const whole = isCut && !meta.truncated && data.length > 1 ? data.slice(0, -1) : data;
  const width = whole.find((row) => row.length > 1)?.length ?? 0;
  const rows = whole
    .map((row) => row.map((cell) => cell.replace(/\r$/, '')))
    .map((row) => [...(unfoldLine(row, delimiter, width) ?? row)])
    .filter((row) => row.some((cell) => cell.trim() !== ''));
  if (hasRowNames(rows, delimiter)) rows[0]?.unshift('');
  return rows;
}

const extentOf = (row: readonly string[]): number => row.findLastIndex((cell) => cell.trim() !== '') + 1;

/** Scores from 0 to 1: mean cleanness of cells, times the mean of columns, 1 if of one type and otherwise 0.7. */
function scoreTypes(table: readonly (readonly string[])[], delimiter: string, width: number): number {
  let [sum, cells] = [0, 0];
  for (const row of table)
    for (const cell of row.slice(0, COLUMNS)) {
      sum += scoreCell(cell, delimiter);
      cells++;
    }
  const body = table.slice(1);
  const columns = Array.from({ length: Math.min(width, COLUMNS) }, (_, at) => {
    const shapes = body.map((row) => shapeOf(row[at] ?? '')).filter((shape) => shape !== 'empty');
    return shapes.length > 0 && dominantShape(shapes) === undefined ? 0.7 : 1;
  });
  const consistency = columns.reduce((total, each) => total + each, 0) / Math.max(1, columns.length);
  return (sum / Math.max(1, cells)) * consistency;
}

/**
 * Scores a cell: 0.2 with another delimiter or half a quotation, 0.6 after a blank, 0.8 with a comma in words, else 1.
 */
function scoreCell(cell: string, delimiter: string): number {
  const quotes = cell.split('"').length - 1;
  if (/^[,;|]\S/.test(cell.trim())) return 0.2;
  if (quotes % 2 === 1 && !/\d\s*"/.test(cell)) return 0.2;
  if (USUAL.some((other) => other !== delimiter && other !== ',' && isGlued(cell, other))) return 0.2;
  if (delimiter !== ',' && /[^\d\s],(?=\S)|,(?=[^\d\s])/.test(cell) && !/^[[{]/.test(cell)) return 0.8;
  return /^[ \u00a0]\S/.test(cell) ? 0.6 : 1;
}

/** Returns whether the cell contains the other delimiter without a blank behind it. */
function isGlued(cell: string, other: string): boolean {
  const at = cell.indexOf(other);
  return (
    at !== -1 &&
    (other === '\t' ? at < cell.trimEnd().length : cell.charAt(at + 1) !== ' ' && cell.length > 1)
  );
}
