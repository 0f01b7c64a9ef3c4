import Papa from 'papaparse';
import { dominantShape, shapeOf } from './cell-shape.ts';
import { findHeading } from './heading.ts';

/** The usual ones, rarest in texts first: of two equally good ones the first is taken. */
const USUAL = ['\t', ';', '|', ','];
/** Only taken if the heading and all rows agree. */
const RARE = ['^', '~', '§', '¦', '\u001f', '\u0001', ':', '#'];
/** No delimiter: every line is one column. */
export const ONE_COLUMN = '\n';
const LINES = 200;
/** The heading is looked for in 500 lines, and rows have to follow it. */
const LINES_WITH_PREAMBLE = 450;
const COLUMNS = 60;

/** Excel writes and reads a first line like `sep=;`. In quotation marks it is an ordinary header. */
const DECLARED = /^\uFEFF?sep=(.)\r?\n/i;

/** Returns the delimiter that a first line `sep=;` declares, as Excel writes it; undefined without such a line. */
export function declaredDelimiter(start: string): string | undefined {
  return DECLARED.exec(start)?.[1];
}

/** Returns whether a cell, unquoted at the start of a file, would be read as a `sep=` line. */
export const looksDeclared = (cell: string): boolean => /^sep=/i.test(cell);

/** Lines drawn below a heading or around a table, which are of other widths; also with quoted cells. */
const DRAWN = /^(?:(?=[^\n\r\u2028\u2029]*[-=_]{3})[-+=|_:*–—;, \t]+|(?:"[-=]{3,}"[;,|\t]?)+)\r?(?:\n|$)/gm;

/** The line that psql draws below a heading: bars separate the columns. */
const CROSSED = /^-{3,}(?:\+-{3,})+\r?$/m;

/**
 * Returns whether a blank follows each delimiter of a text: it belongs to the layout, as in `1, A, Bonn` and in tables
 * that programs draw. Values in quotation marks count only if blanks precede these marks, and then need none inside.
 */
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

const QUOTED = '"(?:[^"]|"")*"';
const escapeInClass = (delimiter: string): string => delimiter.replace(/[\\^\]-]/, '\\$&');

/**
 * Returns whether blanks precede the opening quotation marks of values, as in `1, "Kern, Ulm", "Bonn"`: some such values
 * end with their closing marks, and none has text behind these, as `Kern, "the younger" Ltd.` has.
 */
export function hasPaddedQuotes(start: string, delimiter: string): boolean {
  const sign = `[${escapeInClass(delimiter)}]`;
  const [closed, open] = [`${sign} +${QUOTED} *(?=${sign}|[\\r\\n]|$)`, `${sign} +${QUOTED} *`];
  return (
    new RegExp(closed).test(start) && !new RegExp(`${open}[^\\r\\n "${escapeInClass(delimiter)}]`).test(start)
  );
}

/**
 * Creates a function that returns the next piece of a text without the blanks between a delimiter, or the start of a
 * line, and an opening quotation mark. Blanks within quoted values stay.
 */
export function createQuoteAligner(delimiter: string): (piece: string) => string {
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  /** Blanks at the end of the last piece, which may precede a quotation mark. */
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

export interface GuessedDelimiter {
  readonly delimiter: string;
  /** Others that fit nearly as well. */
  readonly alternatives: readonly string[];
}

/** Score of a single column: less than that of two columns of mixed types whose clean rows agree with the heading. */
const ONE_COLUMN_SCORE = 0.24;
/** Fraction of the best score from which another delimiter is plausible. */
const PLAUSIBLE = 0.7;
/** The same beside a single column, which would keep several values in one; commas are part of many. */
const PLAUSIBLE_BESIDE_ONE = 0.5;

/**
 * Returns the delimiter that a `sep=` line declares, otherwise guesses it by consistency, like CleverCSV: a score
 * for the pattern of widths, heading included, times one for the types of the cells. A single column is possible,
 * unless later lines show several: those before them are a preamble.
 * @param isCut the text continues after `start`, so its last line may be incomplete
 */
export function guessDelimiter(start: string, isCut = false): GuessedDelimiter {
  const declared = declaredDelimiter(start);
  if (declared !== undefined) return { delimiter: declared, alternatives: [] };
  if (CROSSED.test(start)) return { delimiter: '|', alternatives: [] };
  const text = start.replace(/^\uFEFF/, '').replace(DRAWN, '');
  const guess = guessByScores(text, isCut);
  if (guess.delimiter !== ONE_COLUMN || guess.alternatives.length > 0) return guess;
  const lines = text.split(/\r\n?|\n/).slice(0, LINES_WITH_PREAMBLE);
  return lines.length > LINES ? guessByScores(lines.slice(-LINES).join('\n'), isCut) : guess;
}

/** Returns the delimiter whose score for the first {@link LINES} lines is highest. */
function guessByScores(text: string, isCut: boolean): GuessedDelimiter {
  const common = USUAL.map((delimiter) => ({ delimiter, score: scoreOf(text, delimiter, isCut) }));
  const rare = RARE.map((delimiter) => ({ delimiter, score: scoreOf(text, delimiter, isCut) })).filter(
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
 * Returns a delimiter's score from 0 to 1: agreement of the row widths with the heading, times cleanness of the
 * cells. 0 if it doesn't occur or gives a single column, and for a rare one on which not all rows agree.
 */
function scoreOf(written: string, delimiter: string, isCut: boolean): number {
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
  // A heading that lacks a name or two is more likely than prose cut equally in every row.
  const isAlike = heading.length > 1 && new Set(table.slice(1).map((row) => row.length)).size === 1;
  const others = table.filter((row) => row.length !== heading.length && row.length > 1);
  const short = others.filter((row) => isAlike || row.length < heading.length).length;
  const agreement = (agreeing + short / 2) / table.length;
  // A title without the delimiter above a table is rarer than a heading of one column.
  const hasOwn = found.at === 0 || (rows[0]?.length ?? 0) > 1;
  const isNamed = found.isHeading && found.isDistinct && heading.every((cell) => !/^\s+\S/.test(cell));
  // Without the delimiter the quotation marks would be in the wrong places.
  const isQuoted = text.split(`"${delimiter}"`).length > table.length * (width - 1);
  const titled = hasOwn ? 1 : isNamed || isQuoted ? 0.7 : 0.3;
  const types = typeScore(table, delimiter, width);
  return agreement * ((width - 1) / width) * types * types * titled;
}

/**
 * Returns the first {@link LINES} lines as non-empty rows, without an incomplete last one. Reads `\"` as a
 * quotation mark if that leaves fewer errors.
 */
function parseRows(text: string, delimiter: string, isCut: boolean): string[][] {
  const newline = text.includes('\n') ? '\n' : '\r';
  const options = { delimiter, newline, preview: LINES } as const;
  const plain = Papa.parse<string[]>(text, options);
  const escaped =
    plain.errors.length > 0 ? Papa.parse<string[]>(text, { ...options, escapeChar: '\\' }) : plain;
  const { data, meta } = escaped.errors.length < plain.errors.length ? escaped : plain;
  const whole = isCut && !meta.truncated && data.length > 1 ? data.slice(0, -1) : data;
  return whole
    .map((row) => row.map((cell) => cell.replace(/\r$/, '')))
    .filter((row) => row.some((cell) => cell.trim() !== ''));
}

/** Returns the number of cells up to the last non-blank one. */
const extentOf = (row: readonly string[]): number => row.findLastIndex((cell) => cell.trim() !== '') + 1;

/** Returns a score from 0 to 1: mean cleanness of the cells, times how many columns have one type of values. */
function typeScore(table: readonly (readonly string[])[], delimiter: string, width: number): number {
  let [sum, cells] = [0, 0];
  for (const row of table)
    for (const cell of row.slice(0, COLUMNS)) {
      sum += cleanness(cell, delimiter);
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
 * Returns from 0.2 (remains of another delimiter, or of a cut quotation mark) to 1 how plausible a cell is with
 * this delimiter.
 */
function cleanness(cell: string, delimiter: string): number {
  const quotes = cell.split('"').length - 1;
  if (/^[,;|]\S/.test(cell.trim())) return 0.2;
  if (quotes % 2 === 1 && !/\d\s*"/.test(cell)) return 0.2;
  if (USUAL.some((other) => other !== delimiter && other !== ',' && isGlued(cell, other))) return 0.2;
  if (delimiter !== ',' && /[^\d\s],(?=\S)|,(?=[^\d\s])/.test(cell) && !/^[[{]/.test(cell)) return 0.8;
  return /^[ \u00a0]\S/.test(cell) ? 0.6 : 1;
}

/** Returns whether the cell contains another delimiter between two values: without a blank behind it, as in a text. */
function isGlued(cell: string, other: string): boolean {
  const at = cell.indexOf(other);
  return (
    at !== -1 &&
    (other === '\t' ? at < cell.trimEnd().length : cell.charAt(at + 1) !== ' ' && cell.length > 1)
  );
}
