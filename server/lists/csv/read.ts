import type { Doubt, FieldKind, Language, LeftOut } from '../../base/vocabulary.ts';
import { Refusal } from '../../base/refusal.ts';
import { findHeading } from './heading.ts';
import { isMarkedText } from './cells.ts';
import { createDistinct } from './distinct.ts';
import { ColumnGuess, type FormatHints } from './columns.ts';
import { settleNumbers } from './number-convention.ts';
import { createRejections, type Rejections } from './reasons.ts';
import type { BadLine, CsvRecord, Slice } from './records.ts';
import { csvSource, type TableSource } from './source.ts';
import { mayBeSum, type ColumnSums, SumFinder, sumLineOf, type Settled, type SumLine } from './sum-lines.ts';
import { createShownAmounts, type ShownAs } from '../sheets/shown-amounts.ts';
import type { Span } from './totals.ts';
import { isArchive } from '../sheets/archive.ts';
import { sheetSource } from '../sheets/sheet-source.ts';
import { said, speak } from '../../words/said.ts';

/** What the user says about a file; what is left out is guessed. */
export interface TableOptions extends FormatHints {
  /** A name that iconv-lite knows. */
  readonly encoding?: string;
  /** One character. */
  readonly delimiter?: string;
  /** The line with the heading, from 1; 0: the first row is data, and the columns are called `Column 1`, … Guessed unless given. */
  readonly headerLine?: number;
  /** Of a workbook, the sheet; the first that holds anything unless given. */
  readonly sheet?: string;
  /** Whether totals and footers go in as those do, unless given, or are left out. */
  readonly sums?: 'in' | 'out';
  /** Those of them that go in all the same, by their numbers. */
  readonly asRows?: readonly number[];
  /** Of what a column is called that has no name in the file; English unless given. */
  readonly language?: Language;
  /** Somebody may be writing the file: a last line without an end that lacks values is not whole. */
  readonly isGrowing?: boolean;
  /** Reads so many lines only: what the others say is unknown, as are a sheet's merged cells. */
  readonly maxLines?: number;
  /** Ends the reading, with its reason. */
  readonly signal?: AbortSignal;
}

export interface TableColumn {
  /** Position in the file's lines. */
  readonly index: number;
  /** As in the file; a second one of the same text gets `_2`. */
  readonly header: string;
  readonly guess: ColumnGuess;
  /** Every line says something. */
  readonly isFilled: boolean;
  /** Of a sheet: as what its numbers are shown. */
  readonly amount?: ShownAs | undefined;
  /** And none the same as another: rows can be told apart by it. */
  readonly isDistinct: boolean;
}

/** What a file holds, all of it having been looked at. */
export interface TableFile extends Rejections {
  readonly source: Pick<TableSource, 'encoding' | 'delimiter' | 'sheet' | 'sheets' | 'text'>;
  /** The line that the columns have their names from; lines before it are left out. 0: there is none. */
  readonly headerLine: number;
  /** Guesses that may be wrong. A guess that the options settle is no longer in doubt. */
  readonly doubts: readonly Doubt[];
  /** The first lines as they stand in the file, to choose among. */
  readonly start: readonly CsvRecord[];
  readonly columns: readonly TableColumn[];
  /** Lines with values, good ones. */
  readonly lines: number;
  /** The first lines with letters that its encoding cannot read, be it that they are broken or that it is another one. */
  readonly unreadable: readonly number[];
  /** Lines that seem to be totals or footers; whether they are left out is for who reads the file to say. */
  readonly sums: readonly SumLine[];
  /** Of a sheet: how many of these lines, and which of these columns by their header, the program does not show. */
  readonly hidden: { readonly lines: number; readonly columns: readonly string[] };
  /** Of a sheet: how many cells of these lines are merged with some below them, or beside them, and what else it has. */
  readonly merged: { readonly rows: number; readonly columns: number };
  readonly leftOut: readonly LeftOut[];
  /** Of a workbook: other sheets that hold rows. */
  readonly otherSheets: readonly string[];
  /** The good lines again, values in the order of the file, and the bad ones. */
  readonly read: () => AsyncGenerator<{
    readonly records: readonly (CsvRecord | BadLine)[];
    readonly share: number;
  }>;
}

/** docs/interface.md: Limits */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** More than any list has, empty ones included: each is named and watched, which is not for a million of them. */
const MAX_COLUMNS = 2000;

/**
 * Looks through a whole CSV file, or a sheet of a workbook, and guesses what was not said, without holding up the rest of
 * the program.
 * @throws Refusal `too-large`, `malformed` (options), `impossible` (neither text nor workbook, nothing in it)
 */
export async function readTable(bytes: Buffer, options: TableOptions): Promise<TableFile> {
  if (bytes.length > MAX_FILE_BYTES) throw new Refusal('too-large', 'csv.size', said('csv.too-large'));
  const source = isArchive(bytes)
    ? await sheetSource(bytes, options.sheet, {
        signal: options.signal,
        isPart: options.maxLines !== undefined,
      })
    : await csvSource(bytes, options);
  const opening = await firstRecords(source.records(), source.linesBefore);
  const { first, isHeading: hasHeader, doubts } = beginningOf(opening, options.headerLine, source);
  checkColumns(first.fields.length);
  const dataFrom = hasHeader ? first.line + 1 : first.line;
  const nameless = (index: number): string =>
    speak(said('csv.nameless-column', { number: index + 1 }), options.language ?? 'en');
  const names = hasHeader ? undefined : nameless;
  const columns = nameColumns(first, names, source).map((column) => ({
    ...column,
    guess: new ColumnGuess(source.hints),
  }));

  /** Lines that are left out. */
  const out = new Set<number>();
  async function* read(): ReturnType<TableFile['read']> {
    for await (const slice of source.records()) {
      options.signal?.throwIfAborted();
      const behind = slice.records.filter(({ line }) => line >= dataFrom && !out.has(line));
      yield {
        share: slice.share,
        records: behind.map((record) => checkWidth(record, columns.length, options)),
      };
    }
  }

  const rejections = createRejections();
  const says = (cell: string): string => source.text(cell);
  const seen = new SeenLines(says, columns);
  const finder = new SumFinder(says, seen);
  const sums: SumLine[] = [];
  const asRows = new Set(options.asRows);
  const look = (settled: Settled): void => {
    if (settled.isSum) sums.push(sumLineOf(settled.record, says));
    const { line } = settled.record;
    if (settled.isSum && options.sums === 'out' && !asRows.has(line)) out.add(line);
    else seen.look(settled);
  };
  for await (const slice of read()) {
    for (const record of slice.records) {
      if ('fields' in record) for (const settled of finder.next(record)) look(settled);
      else rejections.add(record);
    }
    if (seen.lines >= (options.maxLines ?? Infinity)) break;
  }
  for (const settled of finder.end()) look(settled);
  const used = columns.filter(({ header, guess }) => header !== '' || !guess.isEmpty());
  const shown = used.map((column) => ({
    ...column,
    header: column.header || nameless(column.index),
    ...seen.saysOf(column.index),
  }));
  const numbers = settleNumbers(shown, source.delimiter);
  const hidden = shown.filter(({ index }) => source.hiddenColumns?.has(index));
  const among = (all: readonly number[] = []): number => all.filter((line) => line >= dataFrom).length;
  const start = opening.filter((record) => 'fields' in record);
  return {
    source,
    headerLine: hasHeader ? first.line : 0,
    doubts: [...source.doubts, ...doubts, ...(numbers ? [numbers] : [])],
    start,
    columns: shown,
    lines: seen.lines,
    unreadable: [...(isUnreadable(first) ? [first.line] : []), ...seen.unreadable],
    sums,
    ...rejections.told(),
    hidden: { lines: seen.hidden, columns: hidden.map(({ header }) => header) },
    merged: { rows: among(source.notes?.merged.rows), columns: among(source.notes?.merged.columns) },
    leftOut: source.notes?.leftOut ?? [],
    otherSheets: source.notes?.otherSheets ?? [],
    read,
  };
}

function checkColumns(columns: number): void {
  if (columns > MAX_COLUMNS)
    throw new Refusal(
      'impossible',
      'csv.columns',
      said('csv.too-many-columns', { columns, most: MAX_COLUMNS }),
    );
}

const isUnreadable = ({ fields }: CsvRecord): boolean => fields.some((field) => field.includes('\ufffd'));
/** More lines with unreadable letters are not named. */
const MAX_UNREADABLE = 20;

/** What the lines that are taken say of their columns. */
class SeenLines implements ColumnSums {
  lines = 0;
  hidden = 0;
  readonly unreadable: number[] = [];
  readonly #says: (cell: string) => string;
  readonly #columns: readonly { readonly guess: ColumnGuess }[];
  readonly #distinct = createDistinct();
  readonly #amounts = createShownAmounts();
  /** Lines that have something in a column. */
  readonly #filled: number[];

  constructor(says: (cell: string) => string, columns: readonly { readonly guess: ColumnGuess }[]) {
    this.#says = says;
    this.#columns = columns;
    this.#filled = columns.map(() => 0);
  }

  look({ record, isSum }: Settled): void {
    this.lines++;
    if (record.isHidden) this.hidden++;
    const isNoPart = isSum ? 'surely' : record.isHidden === true || mayBeSum(record, this.#says);
    if (this.unreadable.length < MAX_UNREADABLE && isUnreadable(record)) this.unreadable.push(record.line);
    for (const [index, field] of record.fields.entries()) {
      const text = this.#says(field);
      this.#columns[index]?.guess.see(text, {
        isText: record.digits?.has(index),
        isMarkedText: text !== field && isMarkedText(field),
        isNoPart,
      });
      this.#distinct.see(index, text);
      if (text.trim() !== '') this.#filled[index] = (this.#filled[index] ?? 0) + 1;
    }
    record.amounts?.forEach((amount, index) => amount && this.#amounts.see(index, amount));
  }

  isSum(column: number, cell: string, span: Span): boolean {
    return this.#columns[column]?.guess.isSum(cell, span) === true;
  }

  mark(from: number): void {
    for (const { guess } of this.#columns) guess.markSum(from);
  }

  saysOf(column: number): { isFilled: boolean; amount: ShownAs | undefined; isDistinct: boolean } {
    return {
      isFilled: this.#filled[column] === this.lines,
      amount: this.#amounts.of(column),
      isDistinct: this.#distinct.isDistinct(column, this.lines),
    };
  }
}

/** Lines that are looked at to find the heading. */
const LOOKED_AT = 500;

/** Returns the first lines behind the given one that are not blank. */
async function firstRecords(
  slices: AsyncGenerator<Slice>,
  after: number,
): Promise<readonly (CsvRecord | BadLine)[]> {
  const found: (CsvRecord | BadLine)[] = [];
  for await (const { records } of slices) {
    found.push(...records.filter(({ line }) => line > after));
    if (found.length >= LOOKED_AT) break;
  }
  return found.slice(0, LOOKED_AT);
}

interface Beginning {
  /** The heading, or the first row of data, as wide as the rows below it. */
  readonly first: CsvRecord;
  readonly isHeading: boolean;
  readonly doubts: readonly Doubt[];
}

/**
 * Finds where the table begins, unless the user says so.
 * @throws Refusal `impossible` when there is no line, or that one cannot be read
 */
function beginningOf(
  opening: readonly (CsvRecord | BadLine)[],
  headerLine: number | undefined,
  source: Pick<TableSource, 'text' | 'sheets' | 'linesBefore'>,
): Beginning {
  const good = opening.filter((record) => 'fields' in record);
  const guess = findHeading(good.map(({ fields }) => fields.map((cell) => source.text(cell))));
  // Below a line that names the delimiter a program wrote its heading.
  const isDeclared = source.linesBefore > 0 && good[0]?.fields.every((field) => field.trim() !== '') === true;
  const found = isDeclared
    ? { at: 0, isHeading: true, isInDoubt: !guess.isHeading, rival: undefined }
    : guess;
  const isSaid = headerLine !== undefined && headerLine > 0;
  const first = isSaid
    ? opening.find(({ line }) => line >= headerLine)
    : found.at === 0
      ? opening[0]
      : good[found.at];
  if (first === undefined) throw new Refusal('impossible', 'csv.empty', said('csv.empty'));
  if (!('fields' in first)) {
    const words = said('csv.bad-header', { line: first.line, reason: first.reason });
    throw new Refusal('impossible', 'csv.header', words);
  }
  const isHeading = headerLine === undefined ? found.isHeading : headerLine > 0;
  const isGuessed = headerLine === undefined;
  const rival = isGuessed && found.rival !== undefined ? good[found.rival]?.line : undefined;
  const [chosen, other] = isHeading ? [first.line, 0] : [0, first.line];
  const alternatives = [
    ...(rival === undefined ? [] : [rival]),
    ...(isGuessed && found.isInDoubt ? [other] : []),
  ].map(String);
  return {
    first: asWideAs(good, first, isHeading && source.sheets === undefined),
    isHeading,
    doubts: alternatives.length > 0 ? [{ kind: 'heading', chosen: String(chosen), alternatives }] : [],
  };
}

/** Rows of a sheet that its columns are counted by. */
const ROWS_OF_WIDTH = 20;

/**
 * Returns the first line of a table as wide as the rows below it, without empty names behind, as a delimiter at its end
 * makes them. A text names its columns: rows that are longer than its heading have too many values. A heading of a sheet
 * ends with its last name.
 */
function asWideAs(opening: readonly CsvRecord[], first: CsvRecord, isBounded: boolean): CsvRecord {
  const below = opening
    .filter(({ line }) => line > first.line)
    .slice(0, isBounded ? undefined : ROWS_OF_WIDTH);
  const widest = below.reduce((most, record) => Math.max(most, widthOf(record)), widthOf(first));
  const width = isBounded ? Math.min(widest, first.fields.length) : widest;
  return { ...first, fields: Array.from({ length: width }, (_, at) => first.fields[at] ?? '') };
}

const widthOf = ({ fields }: CsvRecord): number => fields.findLastIndex((field) => field.trim() !== '') + 1;

/** The names given, or the file's headers without blanks around; one that comes again gets `_2`, or the next number that is free. */
function nameColumns(
  { fields }: CsvRecord,
  names: ((index: number) => string) | undefined,
  { text: says }: Pick<TableSource, 'text'>,
): { index: number; header: string }[] {
  const taken = new Set<string>();
  /** The next number for a text: to look for it anew from the first takes minutes for long headers that are all the same. */
  const next = new Map<string, number>();
  return fields.map((field, index) => {
    const text = names?.(index) ?? says(field).trim().replace(/\s+/g, ' ');
    let header = text;
    let at = next.get(text) ?? 2;
    while (text !== '' && taken.has(header)) header = `${text}_${at++}`;
    next.set(text, at);
    taken.add(header);
    return { index, header };
  });
}

/** Lines end with their last value: what is missing is empty. Only values behind the last column are too many. */
function checkWidth(
  record: CsvRecord | BadLine,
  width: number,
  { isGrowing = false }: Pick<TableOptions, 'isGrowing'>,
): CsvRecord | BadLine {
  if (!('fields' in record)) return record;
  const { line, fields } = record;
  if (isGrowing && record.isUnended && fields.length < width)
    return { line, reason: said('csv.too-few-values', { values: fields.length, columns: width }) };
  if (fields.length <= width || fields.slice(width).every((field) => field.trim() === '')) return record;
  return { line, reason: said('csv.too-many-values', { values: widthOf(record), columns: width }) };
}

/** The kind and settings that a column of a new list gets. */
export function guessedKind(column: TableColumn): {
  kind: FieldKind;
  options: { only?: 'date' | 'time'; precision?: number; unit?: string };
} {
  const { kind = 'String', only } = column.guess.format() ?? {};
  return { kind, options: { ...(only ? { only } : {}), ...(kind === 'Number' ? shownIn(column) : {}) } };
}

/** As what a file shows the numbers of a column: in a workbook its program does so, in a text they are written so. */
export function shownIn({ amount, guess: { units } }: TableColumn): { precision?: number; unit?: string } {
  const unit = amount ? amount.unit : units.all();
  const precision = Math.min(amount?.decimals ?? units.decimals(), MAX_DECIMALS);
  return { ...(precision > 0 ? { precision } : {}), ...(unit === undefined ? {} : { unit }) };
}
/** Of a column of a list. */
const MAX_DECIMALS = 20;
