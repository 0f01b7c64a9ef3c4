import { STREAMED, tooMuch, type Archive } from './archive.ts';
import { durationText, formulaText, numberText, writtenMoment } from './cell-text.ts';
import {
  columnTeller,
  createRowCells,
  joined,
  MOST_ROWS,
  MOST_SHEETS,
  AS_IT_IS,
  type Amount,
  type SheetRow,
  type SheetListener,
  type Workbook,
} from './workbook.ts';
import { PERCENT } from '../../base/amount.ts';
import type { LeftOut } from '../../base/vocabulary.ts';
import { leftOutOfOds } from './left-out.ts';
import { createMergedCells } from './merged-cells.ts';
import { standingBeside } from './number-format.ts';
import { createNumberStyles, type NumberStyles } from './number-styles.ts';
import { readXml, type Attributes, type XmlReader } from './xml.ts';

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';
/** Whatever says that it is repeated is, so many times at most: more than a sheet is wide or a text long. */
const MOST_REPEATS = MOST_ROWS;

/**
 * A workbook of OpenDocument (ISO/IEC 26300-3): its sheets, without what changed in them before and what is noted at cells.
 * @throws where it is none; Refusal `impossible`: more than can be read
 */
export async function openOds(archive: Archive): Promise<Workbook> {
  const sheets: string[] = [];
  const styles = createNumberStyles();
  // Formats that programs share among documents stand apart.
  if (archive.has(STYLES)) await readAll(archive, STYLES, styles);
  const leftOut = new Set<LeftOut>(leftOutOfOds(archive.parts));
  const content = inSheets(
    (_at, name) => {
      if (sheets.length >= MOST_SHEETS) throw tooMuch();
      sheets.push(name);
    },
    {
      // Behind the first sheet there are none.
      open: (name, attributes) => sheets.length === 0 && styles.open(name, attributes),
      text: (text) => sheets.length === 0 && styles.text(text),
      close: (name) => sheets.length === 0 && styles.close(name),
    },
  );
  await readAll(archive, CONTENT, {
    ...content,
    open(name, attributes) {
      const what = leftOutIn(name, attributes);
      if (what) leftOut.add(what);
      content.open?.(name, attributes);
    },
  });
  return {
    sheets,
    leftOut: [...leftOut],
    firstFilled: () => firstFilled(archive),
    rows: (sheet, told) => rowsOf(archive, { sheet, styles, told }),
  };
}

/** What stands among the cells and no list takes. */
function leftOutIn(name: string, { formula = '' }: Attributes): LeftOut | undefined {
  if (name === 'annotation') return 'comments';
  if (name === 'data-pilot-table') return 'pivots';
  return name === 'table-source' || /\[?'(file|https?):\/\//.test(formula) ? 'links' : undefined;
}

async function readAll(archive: Archive, part: string, reader: XmlReader): Promise<void> {
  const reading = readXml(archive.text(part, STREAMED), reader);
  while ((await reading.next()).done !== true);
}

/** All sheets stand in one part, which is read no further than to the first row that holds anything. */
async function firstFilled(archive: Archive): Promise<number> {
  const reading = rowsOf(archive, {});
  const first = await reading.next();
  await reading.return(undefined);
  return first.done === true ? 0 : (first.value[0]?.sheet ?? 0);
}

/** What stands in sheets, and not in drawings, notes or former versions of them. */
function inSheets(found: (at: number, name: string) => void, content: XmlReader = {}): XmlReader {
  const path: string[] = [];
  let at = -1;
  let [rows, cells] = [0, 0];
  /** How deep what is not of the sheet began. */
  let apart = Infinity;
  return {
    open(name, attributes) {
      path.push(name);
      if (name === 'table' && path.at(-2) === 'spreadsheet') {
        rows = 0;
        found(++at, attributes.name ?? '');
      } else if (APART.has(name) || (name === 'table' && path.length > 1))
        apart = Math.min(apart, path.length);
      if (name === 'table-row') [rows, cells] = [rows + 1, 0];
      // Empty ones pack into nothing, and are read as long as others.
      if (rows > MOST_ROWS || (CELLS.has(name) && ++cells > MOST_CELLS)) throw tooMuch();
      if (path.length < apart) content.open?.(name, attributes);
    },
    text(text) {
      if (path.length < apart) content.text?.(text);
    },
    close(name) {
      if (path.length < apart) content.close?.(name);
      if (path.length === apart) apart = Infinity;
      path.pop();
    },
  };
}
const CELLS: ReadonlySet<string> = new Set(['table-cell', 'covered-table-cell']);
/** Of a row, told of one by one: no program has more columns. */
const MOST_CELLS = 16_384;
const APART: ReadonlySet<string> = new Set(['annotation', 'shapes', 'tracked-changes', 'frame', 'note']);

interface Cell {
  readonly attributes: Attributes;
  readonly repeated: number;
  /** Its paragraphs, one a line; absent before the first. */
  shown?: string;
}

interface FoundRow extends SheetRow {
  /** The place of the sheet that it is of. */
  readonly sheet: number;
}

interface Wanted {
  /** Absent: all of them. */
  readonly sheet?: number;
  readonly styles?: NumberStyles;
  readonly told?: SheetListener | undefined;
}

async function* rowsOf(
  archive: Archive,
  { sheet, styles, told }: Wanted,
): AsyncGenerator<readonly FoundRow[]> {
  const cells = createRowCells();
  const tellHidden = columnTeller(told?.hidden);
  const merged = createMergedCells();
  let current = -1;
  let line = 0;
  let column = 0;
  let rowRepeated = 1;
  let isHidden = false;
  let described = 0;
  let cell: Cell | undefined;
  let isParagraph = false;
  /** Rows that are told of once, however often they stand there. */
  let found: (FoundRow & { readonly times: number })[] = [];

  /** What the columns' cells look like unless they say otherwise, each with the column behind the last. */
  let looks: { readonly end: number; readonly style: string | undefined }[] = [];
  const styleOf = ({ attributes }: Cell): string | undefined =>
    attributes['style-name'] ?? looks.find(({ end }) => column < end)?.style;
  const isText = (of: Cell): boolean =>
    (of.attributes['value-type'] ?? 'string') === 'string' || styles?.isDigits(styleOf(of)) === true;

  const isWanted = (): boolean => sheet === undefined || current === sheet;
  /** Nothing of the paragraph so far. */
  let isNew = false;
  const add = (text: string): void => {
    if (cell) cell.shown = joined(cell.shown ?? '', text);
    isNew &&= text === '';
  };
  const content: XmlReader = {
    open(name, attributes) {
      if (!isWanted()) return;
      if (name === 'table-column') {
        const behind = described + repeats(attributes['number-columns-repeated']);
        if (isConcealed(attributes)) tellHidden?.(described, behind - 1);
        if (looks.length < MOST_LOOKS)
          looks.push({ end: behind, style: attributes['default-cell-style-name'] });
        described = behind;
      } else if (name === 'table-row') {
        isHidden = isConcealed(attributes);
        [column, rowRepeated] = [0, repeats(attributes['number-rows-repeated'])];
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        cell = { attributes, repeated: repeats(attributes['number-columns-repeated']) };
      } else if (cell && (name === 'p' || name === 'h')) {
        add(cell.shown === undefined ? '' : '\n');
        [isParagraph, isNew] = [true, true];
      } else if (isParagraph) add(standsFor(name, attributes));
    },
    text(text) {
      if (!isParagraph) return;
      const plain = text.replace(/[\t\n\r ]+/g, ' ');
      // What sets the file out is no text; blanks that count are written as such.
      add(isNew ? plain.trimStart() : plain);
    },
    close(name) {
      if (!isWanted()) return;
      if (name === 'p' || name === 'h') isParagraph = false;
      if (cell && (name === 'table-cell' || name === 'covered-table-cell')) {
        // Below another cell that covers it nobody sees what it holds.
        const text = name === 'table-cell' ? cellText(cell) : '';
        const isName = text !== '' && isText(cell);
        const { 'number-rows-spanned': down = '1', 'number-columns-spanned': across = '1' } = cell.attributes;
        if (down !== '1' || across !== '1') told?.merged?.(line + 1, down === '1' ? 'columns' : 'rows');
        if (down !== '1' && text !== '') merged.begin(column, line + repeats(down));
        const amount = isName ? undefined : amountOf(cell.attributes, styles?.amount(styleOf(cell)));
        if (text !== '')
          for (let at = 0; at < cell.repeated; at++) cells.put(column + at, { text, isText: isName, amount });
        column += cell.repeated;
        cell = undefined;
      }
      if (name !== 'table-row') return;
      merged.end(line + 1, cells);
      const taken = cells.take();
      const flag = isHidden ? { isHidden } : {};
      if (taken) found.push({ sheet: current, line: line + 1, times: rowRepeated, ...taken, ...flag });
      line += rowRepeated;
      if (taken && line > MOST_ROWS) throw tooMuch();
    },
  };
  const reading = readXml(
    archive.text(CONTENT, STREAMED),
    inSheets((at) => {
      [current, line, described, looks] = [at, 0, 0, []];
    }, content),
  );
  while ((await reading.next()).done !== true) {
    for (const { line: first, times, ...row } of found)
      for (let at = 0; at < times; at += TOGETHER)
        yield Array.from({ length: Math.min(TOGETHER, times - at) }, (_, each) => ({
          line: first + at + each,
          ...row,
        }));
    found = [];
    if (sheet !== undefined && current > sheet) return;
  }
}
const TOGETHER = 200;
/** Descriptions of columns that are looked at; a list has no more columns. */
const MOST_LOOKS = 2000;

/** Hidden by hand, or by a filter. */
const isConcealed = ({ visibility }: Attributes): boolean =>
  visibility === 'collapse' || visibility === 'filter';

function repeats(times = '1'): number {
  const count = Number(times);
  if (!Number.isInteger(count) || count < 1) throw new Error('A cell is repeated no whole number of times.');
  return Math.min(count, MOST_REPEATS);
}

/** Blanks, tabs and ends of lines within a text. */
function standsFor(name: string, { c = '1' }: Attributes): string {
  if (name === 'tab') return '\t';
  if (name === 'line-break') return '\n';
  if (name !== 's') return '';
  if (repeats(c) >= MOST_REPEATS) throw tooMuch();
  return ' '.repeat(repeats(c));
}

/** Programs that say nothing of how they show a currency name it at least. */
function amountOf(
  { 'value-type': type, currency = '' }: Attributes,
  shown: Amount = AS_IT_IS,
): Amount | undefined {
  const { decimals } = shown;
  if (type === 'float') return shown;
  if (type === 'percentage') return { unit: PERCENT, decimals };
  if (type !== 'currency') return undefined;
  return shown.unit === undefined && currency !== '' ? { ...standingBeside(currency), decimals } : shown;
}

function cellText({ attributes, shown = '' }: Cell): string {
  const { value, formula, 'value-type': type, 'date-value': date, 'time-value': time } = attributes;
  if (type === undefined) return shown === '' && formula !== undefined ? formulaText(formula) : shown;
  if (type === 'date' && date !== undefined) return writtenMoment(date);
  if (type === 'time' && time !== undefined) return timeText(time);
  if (type === 'boolean') return attributes['boolean-value'] === 'true' ? 'true' : 'false';
  if (type === 'string' || value === undefined) {
    const { 'string-value': whole = '' } = attributes;
    // LibreOffice writes an error as an empty text that shows as something.
    return whole === '' ? shown : whole;
  }
  const whole = numberText(value);
  // A number with zeros in front is a name, such as a postal code: it is what is seen.
  return /^0[\d /-]*\d$/.test(shown) && shown.replace(/\D/g, '').replace(/^0+(?=\d)/, '') === whole
    ? shown
    : whole;
}

/** A time as it is written out: `PT08H15M00S`. */
function timeText(time: string): string {
  const parts = /^(-?)P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/.exec(time);
  if (!parts) return time;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(2).map((part) => Number(part || 0));
  const all = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
  return durationText(parts[1] === '-' ? -all : all);
}
