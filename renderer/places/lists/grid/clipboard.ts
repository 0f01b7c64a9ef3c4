import Papa from 'papaparse';
import { isSameUnit, PERCENT, toPercent, writtenAmount } from '../../../../server/base/amount.ts';
import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import { tableMarkup } from './table-markup.ts';
import { display, type Wording } from './values.ts';

/**
 * Cells as they go through the clipboard: a table in HTML and lines with tabs, as spreadsheet programs write and read
 * them. Our own table keeps the stored values as well, so that nothing is lost between two of our lists.
 */

/** A cell that was read from the clipboard. */
export interface CopiedCell {
  readonly text: string;
  /** The number behind the text, as a spreadsheet program told it and the text shows it: `1234.5`. */
  readonly number?: string;
  /** Of one of our own lists: the values as they are stored, and in what kind of column. */
  readonly stored?: { readonly values: readonly string[]; readonly kind: string };
}

export type Copied = readonly (readonly CopiedCell[])[];

/** What a spreadsheet takes for the beginning of a formula; a number is none. */
const FORMULA = /^[\s']*[=+\-@＝＋－＠]/;
/** A number as a column shows it; behind letters in front of it a program might compute. */
const isNumber = (text: string): boolean => !/^-?[A-Za-z]/.test(text) && writtenAmount(text) !== undefined;
/** Excel and LibreOffice take such a cell for text, whatever stands in it. */
const AS_TEXT = { sdnum: '1033;0;@' };
const AS_TEXT_FOR_EXCEL = ` style="mso-number-format:'\\@'"`;

/** Two lists are one kind only where references name rows of the same list. */
const kindOf = ({ kind, options }: ListColumn): string =>
  kind === 'Record' ? `${kind} ${options.moduleID ?? ''}` : kind;

/** What goes to the clipboard for these cells. */
export function clipboardDataFor(
  rows: readonly GridRow[],
  columns: readonly ListColumn[],
  wording: Wording,
): { readonly text: string; readonly html: string } {
  // A document of its own: what a partner wrote becomes text and attributes of it, and nothing of it runs.
  const made = document.implementation.createHTMLDocument();
  const html: string[] = [];
  const lines = rows.map((row) => {
    html.push('<tr>');
    const cells = columns.map((column) => {
      const values = row.values[column.name] ?? [];
      const text = values.map((value) => forSheet(column, value, wording, row.references)).join('|');
      const cell = made.createElement('td');
      cell.textContent = text;
      cell.dataset.values = JSON.stringify(values);
      cell.dataset.kind = kindOf(column);
      const number = column.kind === 'Number' && values.length === 1 ? values[0] : undefined;
      const isTold = column.kind !== 'DateTime' && text !== '';
      const told = number === undefined ? AS_TEXT : { 'x:num': number, sdval: number };
      if (isTold) for (const [name, value] of Object.entries(told)) cell.setAttribute(name, value);
      // The page itself may give nothing a style, and the browser would say so of each cell.
      const style = isTold && number === undefined ? AS_TEXT_FOR_EXCEL : '';
      html.push(cell.outerHTML.replace('<td', () => `<td${style}`));
      return forLine(text);
    });
    html.push('</tr>');
    return cells;
  });
  return {
    text: lines.map((cells) => cells.join('\t')).join('\r\n'),
    html: `<table><tbody>${html.join('')}</tbody></table>`,
  };
}

/** As people see it, but for days: every spreadsheet program knows `2026-05-03`, whatever its language. */
function forSheet(
  column: ListColumn,
  stored: string,
  wording: Wording,
  references: GridRow['references'],
): string {
  if (column.kind !== 'DateTime') return display(column, stored, wording, references);
  const date = new Date(stored);
  if (!/^\d{4}-\d\d-\d\dT/.test(stored) || Number.isNaN(date.getTime())) return stored;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19)}`;
}

/** A cell of a line with tabs, of which no program makes a formula. */
function forLine(text: string): string {
  const safe = FORMULA.test(text) && !isNumber(text) ? `'${text}` : text;
  return /[\t\r\n"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Characters of a text, and quotation marks in it, each of which may be an error of its own to the parser. */
const MAX_CHARS = 16 * 1024 * 1024;
const MAX_QUOTES = 2_000_000;

/** Returns the cells that the clipboard holds; none where it holds no text, undefined where it holds more than goes in. */
export function readClipboard(data: Pick<DataTransfer, 'getData'>): Copied | undefined {
  const html = tableMarkup(data.getData('text/html'));
  const table =
    html === undefined ? null : new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  if (table) return fromTable(table);
  const text = data.getData('text/plain');
  return text.length > MAX_CHARS ? undefined : fromLines(text);
}

/** @param text lines with tabs between cells, a cell with one of these in it in quotation marks */
function fromLines(text: string): Copied {
  const whole = text.replace(/\r?\n$/, '');
  if (whole === '') return [];
  // One more than go in, for it to be told.
  const most = MAX_ROWS + 1;
  const quoted =
    whole.split('"', MAX_QUOTES).length < MAX_QUOTES
      ? Papa.parse<string[]>(whole, { delimiter: '\t', quoteChar: '"', preview: most })
      : undefined;
  // Of a text editor, where a quotation mark is one: each line as it stands.
  const lines =
    quoted?.errors.length === 0
      ? quoted.data
      : whole.split(/\r?\n/, most).map((line) => line.split('\t', MAX_COLUMNS));
  return lines.map((cells) => cells.slice(0, MAX_COLUMNS).map((cell) => ({ text: unescaped(cell) })));
}

const unescaped = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;

/** More rows do not go in at a time: what is larger comes as a file. */
export const MAX_ROWS = 10_000;
/** Twice as many as a list has. What lies further right goes in nowhere, and of a few cells that span many come millions. */
const MAX_COLUMNS = 1000;
/** More cells than this are not made of one that says it spans so many. */
const MAX_SPANNED = 500;

function fromTable(table: HTMLTableElement): Copied {
  const lines: (CopiedCell | undefined)[][] = [];
  // One more than go in, for it to be told.
  const rows = [...table.rows].slice(0, MAX_ROWS + 1);
  rows.forEach((row, at) => {
    const line = (lines[at] ??= []);
    let column = 0;
    for (const cell of row.cells) {
      while (line[column] !== undefined) column++;
      if (column >= MAX_COLUMNS) break;
      // As in a workbook that is taken in: of lines that are merged each has the value, of columns the first.
      const value = cellOf(cell);
      const [wide, high] = [cell.colSpan, cell.rowSpan].map((span) => Math.min(MAX_SPANNED, span));
      for (let down = 0; down < Math.min(high ?? 1, rows.length - at); down++) {
        const other = (lines[at + down] ??= []);
        for (let over = 0; over < Math.min(wide ?? 1, MAX_COLUMNS - column); over++)
          other[column + over] = over === 0 ? value : { text: '' };
      }
    }
  });
  const width = Math.max(0, ...lines.map((line) => line.length));
  return lines.map((line) => Array.from({ length: width }, (_, at) => line[at] ?? { text: '' }));
}

function cellOf(cell: HTMLTableCellElement): CopiedCell {
  const text = textOf(cell).trim();
  const told = cell.getAttribute('sdval') ?? cell.getAttribute('x:num') ?? '';
  const values = storedIn(cell.dataset.values);
  return {
    text,
    ...(/^-?\d+(\.\d+)?$/.test(told) && showsNumber(text, told) ? { number: told } : {}),
    ...(values ? { stored: { values, kind: cell.dataset.kind ?? '' } } : {}),
  };
}

/** One number, with whatever stands between its digits. */
const DIGITS = /\d(?:[\d.,'’ \u00a0\u202f]*\d)?/g;
const IN_POWERS = /^-?\d(?:[.,]\d+)?E[+-]?\d+$/i;

/** Whether a text shows this number, more or less exactly: days, times, and yes and no are numbers to a program as well. */
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

function storedIn(attribute: string | undefined): readonly string[] | undefined {
  if (attribute === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(attribute);
    const isTexts = Array.isArray(parsed) && parsed.every((value) => typeof value === 'string');
    return isTexts ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** As a reader sees it: white space is one blank, and only a break begins a line. */
function textOf(node: Node): string {
  let text = '';
  for (const child of node.childNodes) {
    if (child instanceof Text) text += child.data.replace(/[ \t\r\n\u00a0]+/g, ' ');
    else if (child instanceof HTMLBRElement) text += '\n';
    else if (child instanceof HTMLElement && !/^(STYLE|SCRIPT)$/.test(child.tagName)) text += textOf(child);
  }
  return text.replace(/ ?\n ?/g, '\n');
}

/** What is put into a column for a cell that was copied: its stored values where the column is of the same kind. */
export function textsFor(
  { text, number, stored }: CopiedCell,
  column: ListColumn,
): string | readonly string[] {
  if (column.kind === 'Number' && meansOther(text, column.options.unit)) return text;
  if (stored?.kind === kindOf(column) && (column.isMulti || stored.values.length < 2)) return stored.values;
  if (number !== undefined && column.kind === 'Number') return [number];
  return text;
}

/** Whether a number that is shown so is another one in a column that shows `unit`: then the node says so of its text. */
function meansOther(text: string, unit: string | undefined): boolean {
  const written = writtenAmount(text);
  if (!written) return false;
  if (unit === PERCENT || written.unit === PERCENT) return written.unit !== unit;
  return unit !== undefined && written.unit !== undefined && !isSameUnit(written.unit, unit);
}
