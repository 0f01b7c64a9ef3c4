import { MAX_STREAMED_BYTES, sizeRefusal, type Archive } from './archive.ts';
import {
  toDigitsText,
  toFormulaText,
  toMomentText,
  toNumberText,
  readTimestamp,
  type DaySystem,
} from './cell-text.ts';
import { hidesAddress, isLinkFormula, Links } from './links.ts';
import { createMergedCells } from './merged-cells.ts';
import {
  AS_IT_IS,
  createColumnReporter,
  createRowCells,
  appendText,
  MAX_MERGED,
  MAX_ROWS,
  type FormulaResult,
  type SheetListener,
  type SheetRow,
} from './workbook.ts';
import { createRichText, isTrue, unescapeXml, type SharedTexts, type Style } from './xlsx-parts.ts';
import { readXml, type Attributes, type XmlReader } from './xml.ts';

export interface CellContext {
  readonly texts: SharedTexts;
  readonly formats: readonly Style[];
  readonly system: DaySystem;
  /** All formulas await calculation: 0 may be a placeholder. */
  readonly isToCalculate: boolean;
  readonly listener?: SheetListener | undefined;
  readonly end: SheetEnd;
  /** Characters of the sheet to read; default: all. */
  readonly maxChars?: number;
}

interface RawCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value?: string;
  formula?: string;
  /** Shared formula's number; only its first cell has the text. */
  shared?: number;
  inline: string;
}

/** Shared texts may be unread. */
interface RawRow {
  readonly line: number;
  readonly isHidden: boolean;
  readonly cells: readonly RawCell[];
}

const MAX_CELLS = 16_384;
const MAX_ROW_CHARS = 16 * 1024 * 1024;

/** Yields the sheet's rows, reading shared texts as needed. Stops after `context.maxChars` characters. */
export async function* readRows(
  archive: Archive,
  part: string,
  context: CellContext,
): AsyncGenerator<readonly SheetRow[]> {
  const rows = new SheetReader(context);
  const reading = readXml(archive.text(part, MAX_STREAMED_BYTES), rows);
  let chars = 0;
  for await (const length of reading) {
    await context.texts.readUpTo(rows.lastText);
    const found = rows.takeRows();
    if (found.length > 0) yield found;
    chars += length;
    if (chars > (context.maxChars ?? Infinity)) return;
  }
}

class SheetReader implements XmlReader {
  readonly #context: CellContext;
  readonly #reportHidden: ReturnType<typeof createColumnReporter>;
  readonly #cells = createRowCells();
  readonly #merged = createMergedCells();
  readonly #rich = createRichText();
  /** Formulas that make links. */
  readonly #sharedLinks = new Set<number>();
  /** Highest shared text used; -1: none. */
  lastText = -1;
  #rows: RawRow[] = [];
  #raw: RawCell[] = [];
  #rawChars = 0;
  #line = 0;
  #lastLine = 0;
  #column = 0;
  #isHidden = false;
  #cell: RawCell | undefined;
  #inside: 'value' | 'formula' | undefined;

  constructor(context: CellContext) {
    this.#context = context;
    this.#reportHidden = createColumnReporter(context.listener?.hidden);
  }

  /** Returns rows completed since the last call. Call it after shared texts up to {@link lastText} are read. */
  takeRows(): readonly SheetRow[] {
    const rows = this.#rows;
    if (rows.length > 0) this.#rows = [];
    return rows.flatMap((row) => this.#completeRow(row) ?? []);
  }

  /** Begins an element; reports hidden columns and frozen rows. Throws for an invalid position. */
  open(name: string, { r, t = 'n', s = '0', si, hidden, min, max, ySplit, state }: Attributes): void {
    if (name === 'pane' && state === 'frozen') this.#context.listener?.frozen?.(Number(ySplit));
    if (name === 'col' && isTrue(hidden)) this.#reportHidden?.(Number(min) - 1, Number(max) - 1);
    if (name === 'row') {
      this.#isHidden = isTrue(hidden);
      this.#line = parseLineNumber(r ?? String(this.#line + 1));
      this.#column = 0;
    } else if (name === 'c') {
      if (r !== undefined) this.#column = parseColumn(r);
      this.#cell = { column: this.#column, type: t, style: Number(s), inline: '' };
    } else if (this.#cell && name === 'v') [this.#inside, this.#cell.value] = ['value', ''];
    else if (this.#cell && name === 'f') {
      [this.#inside, this.#cell.formula] = ['formula', ''];
      if (si !== undefined) this.#cell.shared = Number(si);
    }
    this.#rich.open(name);
  }

  /** Adds to the cell's value or formula, otherwise to its rich text. */
  text(text: string): void {
    const cell = this.#cell;
    if (cell && this.#inside) cell[this.#inside] = appendText(cell[this.#inside] ?? '', text);
    else this.#rich.text(text);
  }

  /** Ends rich text, a cell or a row. */
  close(name: string): void {
    this.#rich.close(name);
    this.#inside = undefined;
    if (name === 'c' && this.#cell) this.#endCell(this.#cell);
    if (name === 'row') this.#endRow();
  }

  /**
   * Keeps the cell for its row, unless it is empty, and records the last shared text that cells need. Throws
   * `sheet.size` for over 16,384 cells or 16 Mi characters in the row.
   */
  #endCell(cell: RawCell): void {
    const { type, value, formula } = cell;
    cell.inline = this.#rich.takeText();
    this.#column = cell.column + 1;
    this.#cell = undefined;
    if (value === undefined && formula === undefined && cell.inline === '') return;
    if (type === 's') this.lastText = Math.max(this.lastText, Number(value) || 0);
    this.#rawChars += (value?.length ?? 0) + (formula?.length ?? 0) + cell.inline.length;
    if (this.#raw.push(cell) > MAX_CELLS || this.#rawChars > MAX_ROW_CHARS) throw sizeRefusal();
  }

  /** Keeps the completed row for {@link takeRows}. */
  #endRow(): void {
    this.#rows.push({ line: this.#line, isHidden: this.#isHidden, cells: this.#raw });
    this.#raw = [];
    this.#rawChars = 0;
  }

  /** Puts the cell's text as a list takes it; reports formulas and hidden addresses. */
  #putCell(cell: RawCell, line: number): void {
    const style = this.#context.formats[cell.style];
    if (cell.formula !== undefined) this.#context.listener?.formula?.(readCachedResult(cell, this.#context));
    const text = readText(cell, this.#context);
    if (this.#context.listener?.linked && this.#hidesAddress(cell, line, text))
      this.#context.listener.linked(1);
    const isNumber = cell.type === 'n' && isFilled(cell.value) && !style?.format && !text.startsWith('=');
    this.#cells.putCell(cell.column, {
      text,
      isText: isText(cell, this.#context),
      isFormatted: style?.isText === true && TEXTS.has(cell.type),
      amount: isNumber ? (style?.amount ?? AS_IT_IS) : undefined,
    });
  }

  /** Returns whether the text hides its link's address. Call it from top to bottom, as formulas may be shared. */
  #hidesAddress({ column, formula, shared }: RawCell, line: number, text: string): boolean {
    if (text === '') return false;
    if (shared !== undefined && formula !== undefined && isLinkFormula(formula))
      this.#sharedLinks.add(shared);
    const isShared = formula === '' && shared !== undefined && this.#sharedLinks.has(shared);
    const link = this.#context.end.links.addressAt(line, column);
    return hidesAddress(text, link, isShared ? SHARED_LINK : formula);
  }

  /** Returns the row's cells, and reports merged ones that begin in it; undefined if it is empty. */
  #completeRow({ line, isHidden, cells }: RawRow): SheetRow | undefined {
    const { listener, end } = this.#context;
    for (const cell of cells) this.#putCell(cell, line);
    // Repeated lines don't repeat merged cells.
    for (const { column: from, to } of line > this.#lastLine ? (end.merges.get(line) ?? []) : []) {
      listener?.merged?.(line, to > line ? 'rows' : 'columns');
      if (to > line) this.#merged.recordMerge(from, to);
    }
    this.#lastLine = Math.max(this.#lastLine, line);
    this.#merged.fillLine(line, this.#cells);
    const taken = this.#cells.takeCells();
    return taken ? { line, ...taken, ...(isHidden ? { isHidden: true } : {}) } : undefined;
  }
}

const SHARED_LINK = 'HYPERLINK()';

/** Facts after a sheet's cells. */
export interface SheetEnd {
  /** Column and last line, by first line. */
  readonly merges: ReadonlyMap<number, readonly { readonly column: number; readonly to: number }[]>;
  readonly links: Links;
}

export const NO_END: SheetEnd = { merges: new Map(), links: new Links() };

/** They follow all cells, so the search is limited. */
const MAX_SEARCHED_CHARS = 256 * 1024 * 1024;
const END_OF_CELLS = /<\/(?:\w+:)?sheetData\s*>/;
/** Excludes nested tag starts, which would make matching quadratic. */
const MERGED_OR_LINKED = /<(?:\w+:)?(?:mergeCell|hyperlink)\s[^<>]*>/gi;
const AREA = /\bref\s*=\s*["']([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?["']/i;
const LINK_ID = /\s\w+:id\s*=\s*["']([^"'<>]{1,100})["']/i;
const MAX_TAG_CHARS = 4096;

/**
 * Reads what follows a sheet's cells: merged cells, and links to the outside, in the first 256 Mi characters. Throws
 * `sheet.size` for over 100,000 merged cells.
 * @param addresses of links by relation id
 */
export async function readEnd(
  archive: Archive,
  part: string,
  addresses: ReadonlyMap<string, string>,
): Promise<SheetEnd> {
  const merges = new Map<number, { column: number; to: number }[]>();
  const links = new Links();
  let [rest, searched, count, isBehind] = ['', 0, 0, false];
  for await (const piece of archive.text(part, MAX_STREAMED_BYTES)) {
    searched += piece.length;
    if (searched > MAX_SEARCHED_CHARS) break;
    rest += piece;
    const end = isBehind ? 0 : rest.search(END_OF_CELLS);
    isBehind ||= end >= 0;
    if (isBehind)
      for (const [tag] of rest.slice(end).matchAll(MERGED_OR_LINKED)) {
        const [, from, first, to, last = first] = AREA.exec(tag) ?? [];
        if (from === undefined) continue;
        const [line, column] = [Number(first), parseColumn(from)];
        if (/^<(?:\w+:)?h/i.test(tag)) {
          const address = addresses.get(LINK_ID.exec(tag)?.[1] ?? '');
          const columns = [column, to === undefined ? column : parseColumn(to)] as const;
          if (address !== undefined) links.addArea({ lines: [line, Number(last)], columns }, address);
          continue;
        }
        if (to === undefined) continue;
        if (++count > MAX_MERGED) throw sizeRefusal();
        const here = merges.get(line) ?? [];
        here.push({ column, to: Number(last) });
        merges.set(line, here);
      }
    const open = rest.lastIndexOf('<');
    rest = open > rest.lastIndexOf('>') && rest.length - open < MAX_TAG_CHARS ? rest.slice(open) : '';
  }
  return { merges, links };
}

/** Returns a number from 1. Throws an Error for others, or beyond 1,048,576. */
function parseLineNumber(row: string): number {
  const line = Number(row);
  if (!Number.isInteger(line) || line < 1 || line > MAX_ROWS) throw new Error('A row has no valid number.');
  return line;
}

/** Returns the column, from 0, of a reference such as `AB12`. Throws an Error if it has none. */
function parseColumn(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  if (column === 0) throw new Error('A cell has no valid column.');
  return column - 1;
}

/** Includes numbers displayed as names. */
const isText = ({ type, style }: RawCell, { formats }: CellContext): boolean =>
  TEXTS.has(type) || (type === 'n' && formats[style]?.format?.digits !== undefined);
const TEXTS: ReadonlySet<string> = new Set(['inlineStr', 's', 'str']);

/** Returns whether a formula has a cached result; `zero`: a 0 that may stand for a result never calculated. */
function readCachedResult({ type, value }: RawCell, { isToCalculate }: CellContext): FormulaResult {
  if (value === undefined || (type !== 'str' && !isFilled(value))) return 'none';
  return isToCalculate && type === 'n' && Number(value) === 0 ? 'zero' : 'calculated';
}
/** An uncalculated sum must not be imported as 0. */
const SUM_FUNCTION = /\b(?:SUM|SUBTOTAL|AGGREGATE)\(/i;

/** A formula that was never computed has an empty value. */
const isFilled = (value = ''): boolean => value.trim() !== '';

/**
 * Returns the cell's text by its number format; of a formula the cached result, or itself without one or for a sum
 * cached as 0 in a file that was never calculated.
 */
function readText(cell: RawCell, context: CellContext): string {
  const { type, style, value, formula, inline } = cell;
  const { texts, formats, system } = context;
  if (type === 'inlineStr') return inline;
  const result = readCachedResult(cell, context);
  const isComputed = result === 'calculated' || (result === 'zero' && !SUM_FUNCTION.test(formula ?? ''));
  if (value === undefined || !isComputed) return formula === undefined ? '' : toFormulaText(formula);
  if (type === 's') return findSharedText(texts, value);
  if (type === 'str') return unescapeXml(value);
  if (type === 'e') return value;
  if (type === 'b') return isTrue(value) ? 'true' : 'false';
  const format = formats[style]?.format;
  if (type === 'd') return readTimestamp(value, format?.secondDecimals);
  if (format?.digits !== undefined) return toDigitsText(value, format.digits);
  return format ? toMomentText(value, format, system) : toNumberText(value);
}

/** Returns the text at this index. Throws an Error if there is none. */
function findSharedText(texts: SharedTexts, index: string): string {
  const text = texts.get(Number(index));
  if (text === undefined) throw new Error('A cell names a text that is not there.');
  return text;
}
