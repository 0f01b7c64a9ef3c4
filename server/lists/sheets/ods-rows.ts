import { PERCENT, parseAmount } from '../../base/amount.ts';
import { MAX_STREAMED_BYTES, sizeRefusal, type Archive } from './archive.ts';
import {
  toFormulaText,
  toDurationText,
  toMomentOfClock,
  toNumberText,
  readTimestamp,
  type DaySystem,
} from './cell-text.ts';
import { hidesAddress } from './links.ts';
import { createMergedCells } from './merged-cells.ts';
import { readUnitBeside } from './number-format.ts';
import type { DigitsBeside, NumberStyles } from './number-styles.ts';
import {
  AS_IT_IS,
  createColumnReporter,
  createRowCells,
  appendText,
  MAX_NAME_CHARS,
  MAX_ROWS,
  type Amount,
  type SheetListener,
  type SheetRow,
} from './workbook.ts';
import { readXml, type Attributes, type XmlReader } from './xml.ts';

export const CONTENT = 'content.xml';
/** More exceeds a sheet's width or a text's length. */
const MAX_REPEATS = MAX_ROWS;

/**
 * Passes cells on to `content`, without drawings, notes and tracked changes, and reports each sheet's index, name and
 * style. The reader throws `sheet.size` for too many rows or cells.
 */
export function createSheetFilter(
  onSheet: (at: number, name: string, style: string | undefined) => void,
  content: XmlReader = {},
): XmlReader {
  const path: string[] = [];
  let at = -1;
  let [rows, cells] = [0, 0];
  let apart = Infinity;
  return {
    /** Reports a sheet, and passes an element on unless skipped. Throws `sheet.size` for too many rows or cells. */
    open(name, attributes) {
      path.push(name);
      if (name === 'table' && path.at(-2) === 'spreadsheet') {
        rows = 0;
        onSheet(++at, attributes.name ?? '', attributes['style-name']);
      } else if (APART.has(name) || (name === 'table' && path.length > 1))
        apart = Math.min(apart, path.length);
      if (name === 'table-row') [rows, cells] = [rows + 1, 0];
      // Empty cells compress to nothing, but cost reading time.
      if (rows > MAX_ROWS || (CELLS.has(name) && ++cells > MAX_CELLS)) throw sizeRefusal();
      if (path.length < apart) content.open?.(name, attributes);
    },
    /** Passes text on unless skipped. */
    text(text) {
      if (path.length < apart) content.text?.(text);
    },
    /** Passes an element's end on unless skipped, and ends skipping with the element that began it. */
    close(name) {
      if (path.length < apart) content.close?.(name);
      if (path.length === apart) apart = Infinity;
      path.pop();
    },
  };
}
const CELLS: ReadonlySet<string> = new Set(['table-cell', 'covered-table-cell']);
const MAX_CELLS = 16_384;
/** Drawings may be anchored to a cell, within its element. */
const DRAWINGS = [
  ...['frame', 'custom-shape', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'connector', 'measure'],
  ...['polygon', 'regular-polygon', 'path', 'g', 'caption', 'control', 'scene', 'page-thumbnail'],
];
const APART: ReadonlySet<string> = new Set([
  ...DRAWINGS,
  ...['annotation', 'shapes', 'tracked-changes', 'note', 'ruby-text'],
]);

interface Cell {
  readonly attributes: Attributes;
  readonly repeated: number;
  /** A paragraph per line; absent before the first. */
  shown?: string;
  /** The first link's. */
  link?: string;
}

interface FoundRow extends SheetRow {
  readonly sheet: number;
}

interface Wanted {
  /** Absent: all. */
  readonly sheet?: number | undefined;
  readonly styles?: NumberStyles | undefined;
  readonly listener?: SheetListener | undefined;
}

/** Yields the wanted sheet's rows in batches of up to 200, repeated rows as often as declared. */
export async function* readRows(
  archive: Archive,
  { sheet, styles, listener }: Wanted,
): AsyncGenerator<readonly FoundRow[]> {
  const rows = new SheetReader({ sheet, styles, listener });
  const reading = readXml(
    archive.text(CONTENT, MAX_STREAMED_BYTES),
    createSheetFilter((at) => rows.begin(at), rows),
  );
  while ((await reading.next()).done !== true) {
    for (const { line: first, times, ...row } of rows.takeRows())
      for (let at = 0; at < times; at += TOGETHER)
        yield Array.from({ length: Math.min(TOGETHER, times - at) }, (_, each) => ({
          line: first + at + each,
          ...row,
        }));
    if (sheet !== undefined && rows.sheet > sheet) return;
  }
}

type RepeatedRow = FoundRow & { readonly times: number };

class SheetReader implements XmlReader {
  readonly #wanted: number | undefined;
  readonly #styles: NumberStyles | undefined;
  readonly #listener: SheetListener | undefined;
  readonly #reportHidden: ReturnType<typeof createColumnReporter>;
  readonly #cells = createRowCells();
  readonly #merged = createMergedCells();
  #sheet = -1;
  #described = 0;
  /** Columns' default styles, each with its exclusive end. */
  #looks: { readonly end: number; readonly style: string | undefined }[] = [];
  /** Index of the last style found. */
  #look = 0;
  #line = 0;
  #rowRepeated = 1;
  #isHidden = false;
  #column = 0;
  #cell: Cell | undefined;
  #isParagraph = false;
  /** The paragraph is still empty. */
  #isNew = false;
  #system: DaySystem = 1900;
  #found: RepeatedRow[] = [];

  constructor({ sheet, styles, listener }: Wanted) {
    this.#wanted = sheet;
    this.#styles = styles;
    this.#listener = listener;
    this.#reportHidden = createColumnReporter(listener?.hidden);
  }

  get sheet(): number {
    return this.#sheet;
  }

  /** Returns the rows completed since the last call. */
  takeRows(): readonly RepeatedRow[] {
    const found = this.#found;
    if (found.length > 0) this.#found = [];
    return found;
  }

  /** Begins the sheet of this index, from 0. */
  begin(sheet: number): void {
    this.#sheet = sheet;
    this.#line = 0;
    this.#described = 0;
    this.#looks = [];
  }

  /**
   * Begins a row, cell or paragraph of the wanted sheet; within a paragraph records the first link and adds spacing.
   */
  open(name: string, attributes: Attributes): void {
    // Precedes all sheets.
    if (name === 'null-date' && attributes['date-value'] === '1904-01-01') this.#system = 1904;
    if (!this.#isWanted()) return;
    if (name === 'table-column') this.#recordColumnStyles(attributes);
    else if (name === 'table-row') {
      this.#isHidden = isConcealed(attributes);
      this.#column = 0;
      this.#look = 0;
      this.#rowRepeated = parseRepeats(attributes['number-rows-repeated']);
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#cell = { attributes, repeated: parseRepeats(attributes['number-columns-repeated']) };
    } else if (this.#cell && (name === 'p' || name === 'h')) {
      this.#addText(this.#cell.shown === undefined ? '' : '\n');
      this.#isParagraph = true;
      this.#isNew = true;
    } else if (this.#isParagraph) {
      if (this.#cell && name === 'a') this.#cell.link ??= attributes.href ?? '';
      this.#addText(toSpacing(name, attributes));
    }
  }

  /** Adds a paragraph's text as displayed. */
  text(text: string): void {
    if (!this.#isParagraph) return;
    const isStart = this.#isNew;
    // Layout is no text, but programs write several blanks in a row, and read them as such.
    this.#addText(
      text.replace(/[\t\n\r ]+/g, (blanks, at) =>
        /[^ ]/.test(blanks) ? (isStart && at === 0 ? '' : ' ') : blanks,
      ),
    );
  }

  /** Ends a paragraph, cell or row of the wanted sheet; cells covered by others are empty. */
  close(name: string): void {
    if (!this.#isWanted()) return;
    if (name === 'p' || name === 'h') this.#isParagraph = false;
    // Covered content is invisible.
    if (this.#cell && name === 'table-cell')
      this.#endCell(this.#cell, readText(this.#cell, this.#nameOf(this.#cell.attributes), this.#system));
    else if (this.#cell && name === 'covered-table-cell') this.#endCell(this.#cell, '');
    if (name === 'table-row') this.#endRow();
  }

  /** Returns whether the present sheet is read. */
  #isWanted(): boolean {
    return this.#wanted === undefined || this.#sheet === this.#wanted;
  }

  /** Records the styles of columns, up to 2,000 ranges; reports hidden ones. */
  #recordColumnStyles(attributes: Attributes): void {
    const behind = this.#described + parseRepeats(attributes['number-columns-repeated']);
    if (isConcealed(attributes)) this.#reportHidden?.(this.#described, behind - 1);
    const { 'default-cell-style-name': style = '' } = attributes;
    if (this.#looks.length < MAX_LOOKS && style.length <= MAX_NAME_CHARS)
      this.#looks.push({ end: behind, style: style === '' ? undefined : style });
    this.#described = behind;
  }

  /** Appends to the open cell's text; ignores text outside of cells. Throws `sheet.size` beyond 1 MiB. */
  #addText(text: string): void {
    if (this.#cell) this.#cell.shown = appendText(this.#cell.shown ?? '', text);
    this.#isNew &&= text === '';
  }

  /** Puts a cell, repeated as declared, into the row; reports merged cells, formulas and hidden addresses. */
  #endCell(cell: Cell, text: string): void {
    const { attributes, repeated } = cell;
    const isText = text !== '' && this.#isText(attributes);
    const { 'number-rows-spanned': down = '1', 'number-columns-spanned': across = '1' } = attributes;
    if (down !== '1' || across !== '1')
      this.#listener?.merged?.(this.#line + 1, down === '1' ? 'columns' : 'rows');
    if (down !== '1' && text !== '') this.#merged.recordMerge(this.#column, this.#line + parseRepeats(down));
    const { formula, value, 'value-type': type } = attributes;
    if (formula !== undefined)
      this.#listener?.formula?.((type ?? value ?? cell.shown) === undefined ? 'none' : 'calculated');
    if (text !== '') {
      if (this.#listener?.linked && hidesAddress(text, cell.link, formula)) this.#listener.linked(repeated);
      const style = this.#styleOfCell(attributes);
      const amount = isText ? undefined : readAmount(cell, this.#styles?.amount(style));
      const isFormatted = isText && this.#styles?.isText(style) === true;
      for (let at = 0; at < repeated; at++)
        this.#cells.putCell(this.#column + at, { text, isText, isFormatted, amount });
    }
    this.#column += repeated;
    this.#cell = undefined;
  }

  /** Returns the style of the cell or its column; undefined without one. Call it from left to right. */
  #styleOfCell({ 'style-name': own }: Attributes): string | undefined {
    if (own !== undefined) return own;
    while ((this.#looks[this.#look]?.end ?? Infinity) <= this.#column) this.#look++;
    return this.#looks[this.#look]?.style;
  }

  /** Returns whether the cell is a text, or a number displayed as a name. */
  #isText(attributes: Attributes): boolean {
    const { 'value-type': type = 'string' } = attributes;
    return type === 'string' || this.#nameOf(attributes) !== undefined;
  }

  /** Returns the digits beside a number displayed as a name; undefined for others. */
  #nameOf(attributes: Attributes): DigitsBeside | undefined {
    return this.#styles?.nameOf(this.#styleOfCell(attributes));
  }

  /** Ends a row, kept for {@link takeRows} unless empty. Throws `sheet.size` for one kept beyond row 1,048,576. */
  #endRow(): void {
    this.#merged.fillLine(this.#line + 1, this.#cells);
    const taken = this.#cells.takeCells();
    const row = { sheet: this.#sheet, line: this.#line + 1, times: this.#rowRepeated };
    if (taken) this.#found.push({ ...row, ...taken, ...(this.#isHidden ? { isHidden: true } : {}) });
    this.#line += this.#rowRepeated;
    if (taken && this.#line > MAX_ROWS) throw sizeRefusal();
  }
}

const TOGETHER = 200;
const MAX_LOOKS = 2000;

/** Returns whether a row or column is hidden, by hand or by a filter. */
const isConcealed = ({ visibility }: Attributes): boolean =>
  visibility === 'collapse' || visibility === 'filter';

/** Returns the number of repetitions, cut at {@link MAX_REPEATS}; throws unless it is a positive integer. */
function parseRepeats(times = '1'): number {
  const count = Number(times);
  if (!Number.isInteger(count) || count < 1) throw new Error('A cell is repeated no whole number of times.');
  return Math.min(count, MAX_REPEATS);
}

/** Returns blanks, tab or line break; empty for other elements. Throws `sheet.size` for too many blanks. */
function toSpacing(name: string, { c = '1' }: Attributes): string {
  if (name === 'tab') return '\t';
  if (name === 'line-break') return '\n';
  if (name !== 's') return '';
  if (parseRepeats(c) >= MAX_REPEATS) throw sizeRefusal();
  return ' '.repeat(parseRepeats(c));
}

/**
 * Returns a number's unit and decimals; undefined for other kinds. Without a currency in its style, that of the cell or
 * its displayed text counts.
 */
function readAmount({ attributes, shown }: Cell, style: Amount = AS_IT_IS): Amount | undefined {
  const { 'value-type': type, currency = '' } = attributes;
  const { decimals } = style;
  if (type === 'float') return style;
  if (type === 'percentage') return { unit: PERCENT, decimals };
  if (type !== 'currency') return undefined;
  if (style.unit !== undefined) return style;
  if (currency !== '') return { ...readUnitBeside(currency), decimals };
  const { unit } = parseAmount(shown ?? '') ?? {};
  return unit === undefined ? style : { unit, decimals };
}

/**
 * Returns the cell's text. Numbers displayed as identifiers (`01067`) are read so.
 * @param name the digits that the format puts beside such a number
 */
function readText(
  { attributes, shown: displayed }: Cell,
  name: DigitsBeside | undefined,
  system: DaySystem,
): string {
  const text = displayed ?? '';
  const shown = text.trimStart();
  const { value, formula, 'value-type': type, 'date-value': date, 'time-value': time } = attributes;
  // LibreOffice writes Excel's empty results as an untyped empty paragraph.
  if (type === undefined)
    return displayed === undefined && formula !== undefined ? toFormulaText(formula) : text;
  if (type === 'date' && date !== undefined) return readTimestamp(date, secondDecimals(shown));
  if (type === 'time' && time !== undefined) return toTimeText(time, shown, system);
  if (type === 'boolean') return attributes['boolean-value'] === 'true' ? 'true' : 'false';
  if (type === 'string' || value === undefined) {
    const { 'string-value': whole = '' } = attributes;
    // LibreOffice's errors: empty text with displayed content.
    return whole === '' ? text : whole;
  }
  if (formula !== undefined && TRUE.test(shown) && value === '1') return 'true';
  if (formula !== undefined && FALSE.test(shown) && value === '0') return 'false';
  // OpenOffice's errors: 0 with displayed content.
  if (formula !== undefined && value === '0' && /^(?:#\p{L}|Err:\d)/u.test(shown)) return shown;
  const whole = toNumberText(value);
  // Leading zeros mean a name (postal code): the displayed text counts.
  const isShown = name ? /^\D*\d\P{L}*$/u.test(shown.slice(0, LONGEST_NAME)) : /^0[\d /-]*\d$/.test(shown);
  const { before = '', after = '' } = name ?? {};
  const digits = shown.replace(/\D/g, '');
  const number = digits.slice(before.length, digits.length - after.length).replace(/^0+(?=\d)/, '');
  return isShown && number === whole && digits.startsWith(before) && digits.endsWith(after) ? shown : whole;
}

const LONGEST_NAME = 80;

/** LibreOffice writes a formula's booleans as numbers displayed in its language. Formats have other words. */
const TRUE =
  /^(?:TRUE|WAHR|VRAI|VERDADERO|VERDADEIRO|VERO|WAAR|PRAWDA|PRAVDA|SANT|SAND|SANN|TOSI|IGAZ|DOĞRU|ADEVĂRAT|ИСТИНА|ІСТИНА|ΑΛΗΘΕΣ)$/;
const FALSE =
  /^(?:FALSE|FALSCH|FAUX|FALSO|ONWAAR|FAŁSZ|NEPRAVDA|FALSKT|FALSK|USANN|EPÄTOSI|HAMIS|YANLIŞ|FALS|ЛОЖЬ|ХИБНІСТЬ|ΨΕΥΔΕΣ)$/;

/** Returns how many decimals of seconds a displayed time has, at most 3. */
const secondDecimals = (shown: string): number =>
  /:\d\d[.,](\d{1,3})/.exec(shown.slice(0, LONGEST_NAME))?.[1]?.length ?? 0;

/** Seconds of calculation noise. */
const NOISE = 1e-5;

/** Time of day, not elapsed hours. */
const SHOWS_CLOCK = /^(?:[01]?\d|2[0-3]):\d\d/;

/**
 * Turns durations (`PT08H15M00S`) into `HH:MM:SS`; one that shows the time of day of a moment into that moment. Other
 * text stays.
 */
function toTimeText(time: string, shown: string, system: DaySystem): string {
  const parts = /^(-?)P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/.exec(time);
  if (!parts) return time;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => Number((part || '0').replace(',', '.')));
  const scale = 10 ** secondDecimals(shown);
  const all = ((days * 24 + hours) * 60 + minutes) * 60 + Math.floor((seconds + NOISE) * scale) / scale;
  if (all > Number.MAX_SAFE_INTEGER / 1000) return time;
  if (parts[1] === '-') return toDurationText(-all);
  return SHOWS_CLOCK.test(shown) ? toMomentOfClock(all, system) : toDurationText(all);
}
