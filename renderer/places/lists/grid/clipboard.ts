import Papa from 'papaparse';
import { fromPercent, isSameUnit, PERCENT, toPercent, parseAmount } from '../../../../server/base/amount.ts';
import type { GridRow, ListColumn } from '../../../../server/contract/app/lists.ts';
import { displayValue, type Wording } from './values.ts';

/** Stored values from our table lose nothing between lists. */

export interface CopiedCell {
  readonly text: string;
  /** As shown by the text, such as `1234.5`. */
  readonly number?: string;
  /** From a Footbridge cell; `kind`: its column's. */
  readonly stored?: { readonly values: readonly string[]; readonly kind: string };
}

export type Copied = readonly (readonly CopiedCell[])[];

/** Begins formulas in spreadsheets; negative numbers too. */
const FORMULA = /^[\s']*[=+\-@＝＋－＠]/;
/** True for a displayed number; with letters in front a program might evaluate it. */
const isNumber = (text: string): boolean => !/^-?[A-Za-z]/.test(text) && parseAmount(text) !== undefined;
/** Text to Excel and LibreOffice. */
const AS_TEXT = { sdnum: '1033;0;@' };
const AS_TEXT_FOR_EXCEL = ` style="mso-number-format:'\\@'"`;

/** Includes a reference column's list, and `date` or `time`: a stored moment has the day of UTC, its text the local one. */
const kindOf = ({ kind, options: { moduleID, only } }: ListColumn): string =>
  [kind, kind === 'Record' ? moduleID : only].filter((part) => part !== undefined).join(' ');

/** Returns a table as `html` that also has stored values, and tab-separated `text`. */
export function clipboardDataFor(
  rows: readonly GridRow[],
  columns: readonly ListColumn[],
  wording: Wording,
): { readonly text: string; readonly html: string } {
  // A separate document: partners' texts become text and attributes; nothing runs.
  const made = document.implementation.createHTMLDocument();
  const html: string[] = [];
  const lines = rows.map((row) => {
    html.push('<tr>');
    const cells = columns.map((column) => {
      const values = row.values[column.name] ?? [];
      const text = values.map((value) => toSheetText(column, value, wording, row.references)).join('|');
      const cell = made.createElement('td');
      cell.textContent = text;
      cell.dataset.values = JSON.stringify(values);
      cell.dataset.kind = kindOf(column);
      const number = column.kind === 'Number' && values.length === 1 ? values[0] : undefined;
      const isNumber = column.kind !== 'DateTime' && text !== '';
      const attributes = number === undefined ? AS_TEXT : { 'x:num': number, sdval: number };
      if (isNumber) for (const [name, value] of Object.entries(attributes)) cell.setAttribute(name, value);
      // The policy forbids inline styles: browsers would warn for each.
      const style = isNumber && number === undefined ? AS_TEXT_FOR_EXCEL : '';
      html.push(cell.outerHTML.replace('<td', () => `<td${style}`));
      return quoteForSheet(text);
    });
    html.push('</tr>');
    return cells;
  });
  return {
    text: lines.map((cells) => cells.join('\t')).join('\r\n'),
    html: `<table><tbody>${html.join('')}</tbody></table>`,
  };
}

/** Returns a value as spreadsheets read it: dates in ISO form, timestamps in local time; else as displayed. */
function toSheetText(
  column: ListColumn,
  stored: string,
  wording: Wording,
  references: GridRow['references'],
): string {
  if (column.kind !== 'DateTime') return displayValue(column, stored, wording, references);
  const date = new Date(stored);
  if (!/^\d{4}-\d\d-\d\dT/.test(stored) || Number.isNaN(date.getTime())) return stored;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19)}`;
}

/** Quotes the text if needed; adds an apostrophe to what a program would take for a formula. */
function quoteForSheet(text: string): string {
  const safe = FORMULA.test(text) && !isNumber(text) ? `'${text}` : text;
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Each quotation mark may cost the parser an error. */
const MAX_CHARS = 16 * 1024 * 1024;
const MAX_QUOTES = 2_000_000;

/**
 * Reads the first HTML table within the limits, else the text; undefined if that is too long. One row beyond
 * {@link MAX_ROWS} shows that there are more.
 */
export function readClipboard(data: Pick<DataTransfer, 'getData'>): Copied | undefined {
  const html = data.getData('text/html');
  const markup = tableMarkup(html);
  const found = markup === undefined ? null : new DOMParser().parseFromString(markup, 'text/html');
  const table = found?.querySelector('table');
  if (table) return readTable(unwrapLayoutTables(table), DISPLAYED_DECIMAL.exec(html)?.[1]);
  const text = data.getData('text/plain');
  return text.length > MAX_CHARS ? undefined : parseLines(text);
}

/** Excel names its decimal sign, possibly not the window's. */
const DISPLAYED_DECIMAL = /mso-displayed-decimal-separator:\s*"\\?([.,])"/;

/** Returns the table within tables of one cell, as mails are laid out. */
function unwrapLayoutTables(table: HTMLTableElement): HTMLTableElement {
  const [cell, ...others] = [...table.rows].flatMap((row) => [...row.cells]);
  const inner = others.length === 0 ? cell?.querySelector('table') : undefined;
  return inner ? unwrapLayoutTables(inner) : table;
}

/**
 * Splits tab-separated text into a rectangle, cut after `MAX_COLUMNS` and one row beyond `MAX_ROWS`; [] for no text.
 * Cells with separators are quoted. Quotes that don't match, as from an editor, are literal.
 */
function parseLines(text: string): Copied {
  const whole = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (whole === '') return [];
  const most = MAX_ROWS + 1;
  const quoted =
    whole.split('"', MAX_QUOTES).length < MAX_QUOTES
      ? Papa.parse<string[]>(whole, { delimiter: '\t', newline: '\n', quoteChar: '"', preview: most })
      : undefined;
  const lines =
    quoted?.errors.length === 0
      ? quoted.data
      : whole.split('\n', most).map((line) => line.split('\t', MAX_COLUMNS));
  return toRectangle(
    lines.map((cells) => cells.slice(0, MAX_COLUMNS).map((cell) => ({ text: unescaped(cell) }))),
  );
}

/** Fills lines up with empty cells: a paste is as wide as its first line, and repeats shorter ones' cells. */
function toRectangle(lines: readonly (readonly (CopiedCell | undefined)[])[]): Copied {
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return lines.map((line) => Array.from({ length: width }, (_, at) => line[at] ?? { text: '' }));
}

/** Removes the apostrophe of {@link quoteForSheet}. */
const unescaped = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;

/** Per paste; larger data is imported as a file. */
export const MAX_ROWS = 10_000;
/** Twice a list's limit: more have no target, and few spanning cells could make millions. */
const MAX_COLUMNS = 1000;
const MAX_SPANNED = 500;

/**
 * Returns a table's cells as a rectangle; a spanning cell's value is in each row, but only its first column. Rows and
 * columns beyond the limits are left out, except one row, which shows that there are more.
 * @param decimal the sign before decimals, if the program names it
 */
function readTable(table: HTMLTableElement, decimal: string | undefined): Copied {
  const lines: (CopiedCell | undefined)[][] = [];
  const rows = [...table.rows].slice(0, MAX_ROWS + 1);
  rows.forEach((row, at) => {
    const line = (lines[at] ??= []);
    let column = 0;
    for (const cell of row.cells) {
      while (line[column] !== undefined) column++;
      if (column >= MAX_COLUMNS) break;
      const value = readCell(cell, decimal);
      const [wide, high] = [cell.colSpan, cell.rowSpan].map((span) => Math.min(MAX_SPANNED, span));
      for (let down = 0; down < Math.min(high ?? 1, rows.length - at); down++) {
        const other = (lines[at + down] ??= []);
        for (let over = 0; over < Math.min(wide ?? 1, MAX_COLUMNS - column); over++)
          other[column + over] = over === 0 ? value : { text: '' };
      }
    }
  });
  return toRectangle(lines);
}

/** A number displayed as a code: its text counts, so that the node names the zeros that it drops. */
const CODE = /^0\d+$/;

/** Google Sheets: `{"1":3,"3":1234.5}`. */
const GOOGLE_NUMBER = /^\{"1":3,"3":(-?\d+(?:\.\d+)?)[,}]/;

/** Returns a cell's text, with the number that a spreadsheet names or the text shows, and our stored values. */
function readCell(cell: HTMLTableCellElement, decimal: string | undefined): CopiedCell {
  const text = joinParagraphs(displayedText(cell)).trim();
  const number =
    cell.getAttribute('sdval') ??
    cell.getAttribute('x:num') ??
    GOOGLE_NUMBER.exec(cell.dataset.sheetsValue ?? '')?.[1] ??
    displayedNumber(text, decimal) ??
    '';
  const values = parseStored(cell.dataset.values);
  return {
    text,
    ...(/^-?\d+(\.\d+)?$/.test(number) && !CODE.test(text) && showsNumber(text, number) ? { number } : {}),
    ...(values ? { stored: { values, kind: cell.dataset.kind ?? '' } } : {}),
  };
}

const GROUPED = {
  ',': /^-?(?!0\d)\d{1,3}(?:\.\d{3})*(?:,\d+)?$/,
  '.': /^-?(?!0\d)\d{1,3}(?:,\d{3})*(?:\.\d+)?$/,
};

/**
 * Returns a text's number in the form `1.234`, without unit, a percentage as a fraction. Undefined without a decimal
 * sign `,` or `.`, or if the text's groups and decimals aren't written with it.
 */
function displayedNumber(text: string, decimal: string | undefined): string | undefined {
  const { number = '', unit } = parseAmount(text) ?? {};
  if ((decimal !== ',' && decimal !== '.') || !GROUPED[decimal].test(number)) return undefined;
  const plain = number.replaceAll(decimal === ',' ? '.' : ',', '').replace(',', '.');
  return unit === PERCENT ? fromPercent(plain) : plain;
}

const DIGITS = /\d(?:[\d.,'’ \u00a0\u202f]*\d)?/g;
const IN_POWERS = /^-?\d(?:[.,]\d+)?E[+-]?\d+$/i;

/** Returns whether the text shows this number, perhaps rounded; true for `1.2E+5`; false for a date, time or yes/no. */
export function showsNumber(text: string, number: string): boolean {
  if (IN_POWERS.test(text)) return true;
  const [shown, ...others] = text.match(DIGITS) ?? [];
  if (shown === undefined || others.length > 0) return false;
  const value = Math.abs(Number(text.includes(PERCENT) ? toPercent(number) : number));
  return ['.', ','].some((mark) => {
    const [whole = '', decimals = '', ...more] = shown.replace(/['’ \u00a0\u202f]/g, '').split(mark);
    const digits = `${whole.replace(/[.,]/g, '')}.${decimals}`;
    const half = 0.5 * 10 ** -decimals.length;
    return more.length === 0 && Math.abs(Number(digits) - value) <= half * 1.01;
  });
}

/** Parses a JSON list of texts; undefined if missing or something else. */
function parseStored(attribute: string | undefined): readonly string[] | undefined {
  if (attribute === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(attribute);
    const isTexts = Array.isArray(parsed) && parsed.every((value) => typeof value === 'string');
    return isTexts ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Paragraph boundary in {@link tableMarkup}. */
const PARAGRAPH = '\u2029';

/** Begins a line at paragraphs that others or text precede; a break at the end of one begins none. */
const joinParagraphs = (text: string): string =>
  text.replace(/ ?\n ?/g, '\n').replace(/ ?\n?\u2029[ \u2029]*/g, '\n');

/** Returns a node's text with collapsed white space; `<br>` and paragraphs begin a line. */
function displayedText(node: Node): string {
  let text = '';
  for (const child of node.childNodes) {
    if (child instanceof Text) text += child.data.replace(/[ \t\r\n\u00a0]+/g, ' ');
    else if (child instanceof HTMLBRElement) text += '\n';
    else if (child instanceof HTMLTableCellElement) text += `${PARAGRAPH}${displayedText(child)}${PARAGRAPH}`;
    else if (child instanceof HTMLElement && !/^(STYLE|SCRIPT)$/.test(child.tagName))
      text += displayedText(child);
  }
  return text;
}

/**
 * Returns stored values if the kinds match and the column takes that many, the number for a number column, else the
 * text, which the node converts or rejects. A different unit always gives the text.
 */
export function textsFor(
  { text, number, stored }: CopiedCell,
  column: ListColumn,
): string | readonly string[] {
  if (column.kind === 'Number' && hasOtherUnit(text, column.options.unit)) return text;
  if (stored?.kind === kindOf(column) && (column.isMulti || stored.values.length < 2)) return stored.values;
  if (number !== undefined && column.kind === 'Number') return [number];
  return text;
}

/** Returns whether the text has another unit than the column, so that without it the number would be another amount. */
function hasOtherUnit(text: string, unit: string | undefined): boolean {
  const written = parseAmount(text);
  if (!written) return false;
  if (unit === PERCENT || written.unit === PERCENT) return written.unit !== unit;
  return unit !== undefined && written.unit !== undefined && !isSameUnit(written.unit, unit);
}

/** 10,000 rows and 30 columns have a third of these characters and tags. */
const MAX_HTML_CHARS = 32 * 1024 * 1024;
const MAX_TAGS = 2_000_000;

const TABLE_TAGS: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'br']);
const PARAGRAPHS = /^(?:p|div|[uod]l|li|d[td]|h[1-6r]|pre|blockquote|address|article|section|figure|center)$/;
/** Contain no cell text. */
const RAW: ReadonlySet<string> = new Set(['style', 'script', 'noscript', 'template']);

const TAG_NAME = /<\/?([a-z][^\s/>]*)/iy;
const TAG_REST = /(?:[^>"']|"[^"]*"|'[^']*')*>/y;

/**
 * Returns table tags, text and paragraph boundaries from the first table on, in linear time; undefined without a table
 * or beyond the limits. Unclosed formatting tags could make a parser create so many elements that the window freezes.
 */
export function tableMarkup(html: string): string | undefined {
  let at = html.search(/<table[\s>]/i);
  if (at < 0 || html.length > MAX_HTML_CHARS) return undefined;
  const parts: string[] = [];
  let tags = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    parts.push(html.slice(at, tag < 0 ? html.length : tag));
    if (tag < 0) break;
    const name = tagNameAt(html, tag);
    const end = findElementEnd(html, tag, name);
    // Unclosed tags swallow what follows, as in browsers.
    if (end < 0) break;
    if (end === tag + 1) parts.push('&lt;');
    if (name !== undefined && TABLE_TAGS.has(name)) {
      if (++tags > MAX_TAGS) return undefined;
      parts.push(html.slice(tag, end));
    } else if (name !== undefined && PARAGRAPHS.test(name)) parts.push(PARAGRAPH);
    at = end;
  }
  return parts.join('');
}

/** Returns the lower-case name of the tag beginning here; undefined for other text. */
function tagNameAt(html: string, tag: number): string | undefined {
  TAG_NAME.lastIndex = tag;
  return TAG_NAME.exec(html)?.[1]?.toLowerCase();
}

/**
 * Returns the index after what begins with the `<` at `tag`: a tag, a comment, an element whose content is no text, or
 * the sign alone; -1 if unclosed.
 * @param name the tag's; undefined if it is no element's
 */
function findElementEnd(html: string, tag: number, name: string | undefined): number {
  if (html.startsWith('<!--', tag)) return indexAfter(html, '-->', tag + 4);
  if (name === undefined) return /[!?/]/.test(html[tag + 1] ?? '') ? indexAfter(html, '>', tag) : tag + 1;
  TAG_REST.lastIndex = tag + 1 + name.length;
  if (!TAG_REST.test(html)) return -1;
  const end = TAG_REST.lastIndex;
  if (!RAW.has(name) || html[tag + 1] === '/') return end;
  const close = new RegExp(`</${name}[\\s>]`, 'gi');
  close.lastIndex = end;
  const found = close.exec(html);
  return found ? indexAfter(html, '>', found.index) : -1;
}

/** Returns the index behind the text's next occurrence; -1 without one. */
function indexAfter(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found < 0 ? -1 : found + text.length;
}
