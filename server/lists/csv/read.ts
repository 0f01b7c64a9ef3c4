import {
  MAX_FILE_BYTES,
  type Doubt,
  type FieldKind,
  type Language,
  type LeftOut,
} from '../../base/vocabulary.ts';
import { Refusal } from '../../base/refusal.ts';
import { findHeading } from './heading.ts';
import { ColumnGuess, type FormatHints } from './columns.ts';
import { settleNumbers } from './number-convention.ts';
import type { Rejections } from './reasons.ts';
import type { BadLine, CsvRecord, Slice } from './records.ts';
import { csvSource, type TableSource } from './source.ts';
import {
  isUnreadable,
  scanLines,
  type ScannedLines,
  type ScanOptions,
  type TableColumn,
} from './scan-lines.ts';
import { isArchive } from '../sheets/archive.ts';
import { sheetSource } from '../sheets/sheet-source.ts';
import { said, speak } from '../../words/said.ts';

/** The user's choices for a file; absent ones are guessed. */
export interface TableOptions extends FormatHints, ScanOptions {
  /** A name known to iconv-lite. */
  readonly encoding?: string;
  /** One character. */
  readonly delimiter?: string;
  /** Default: true. False for files that were followed before marks were read, as their keys must stay the same. */
  readonly readsTextMarks?: boolean;
  /**
   * Line number of the heading, from 1; 0: the first row is data, and columns are called `Column 1`, …
   * Guessed by default.
   */
  readonly headerLine?: number;
  /** The sheet of a workbook; default: the first with content. */
  readonly sheet?: string;
  /** For names of unnamed columns; default: English. */
  readonly language?: Language;
  /** The file may still be written: an incomplete last line without a line end isn't whole. */
  readonly isGrowing?: boolean;
  /** Aborts with its reason. */
  readonly signal?: AbortSignal;
}

/** A completely read file. */
export interface TableFile extends Rejections, ScannedLines {
  readonly source: Pick<TableSource, 'encoding' | 'delimiter' | 'sheet' | 'sheets' | 'text'>;
  /** Line number of the heading; earlier lines are skipped. 0: none. */
  readonly headerLine: number;
  /** Uncertain guesses; those settled by the options aren't included. */
  readonly doubts: readonly Doubt[];
  /** The first lines as in the file, to choose from. */
  readonly start: readonly CsvRecord[];
  readonly columns: readonly TableColumn[];
  /** For a sheet: the number of hidden lines, and the headers of hidden columns. */
  readonly hidden: { readonly lines: number; readonly columns: readonly string[] };
  /** For a sheet: the number of lines with cells merged downwards, or sideways. */
  readonly merged: { readonly rows: number; readonly columns: number };
  readonly leftOut: readonly LeftOut[];
  /** For a workbook: the number of cells whose formulas no program calculated. */
  readonly uncalculated: number;
  /** For a workbook: other sheets with rows. */
  readonly otherSheets: readonly string[];
  /** Reads the valid lines again, with values in file order, and the invalid ones. */
  readonly read: () => AsyncGenerator<{
    readonly records: readonly (CsvRecord | BadLine)[];
    readonly share: number;
  }>;
}

/** More than any list has, empty ones included: each is named and tracked, which would be too costly for a million. */
const MAX_COLUMNS = 2000;

/**
 * Reads a whole CSV file, or a sheet of a workbook, and guesses what isn't given, without blocking the event loop.
 * @throws Refusal `csv.…` or `sheet.…` for a file that is too large, empty, or neither text nor workbook, and for
 * unusable options
 */
export async function readTable(bytes: Buffer, options: TableOptions): Promise<TableFile> {
  if (bytes.length > MAX_FILE_BYTES) throw new Refusal('too-large', 'csv.size', said('csv.too-large'));
  const source = isArchive(bytes)
    ? await sheetSource(bytes, options.sheet, {
        signal: options.signal,
        isPart: options.maxLines !== undefined,
      })
    : await csvSource(bytes, options);
  const opening = await firstRecords(source.records(), source.linesBefore, options.headerLine);
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

  /** Skipped lines. */
  const out = new Set<number>();
  /**
   * Yields the table's lines below the heading, without those in `out`; lines with too many values as invalid ones.
   * Throws the reason of an aborted signal.
   */
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

  const seen = await scanLines(read(), {
    columns,
    source,
    options,
    heading: hasHeader ? first.fields : undefined,
    out,
  });
  const used = seen.columns.filter(({ header, guess }) => header !== '' || !guess.isEmpty());
  const nextHeader = headerNamer(used.map(({ header }) => header));
  const shown = used.map((column) => ({
    ...column,
    header: column.header || nextHeader(nameless(column.index)),
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
    sums: seen.sums,
    doubtful: seen.doubtful,
    otherHeadings: seen.otherHeadings,
    unclosed: seen.unclosed,
    ...seen.rejections,
    hidden: { lines: seen.hidden, columns: hidden.map(({ header }) => header) },
    merged: { rows: among(source.notes?.merged.rows), columns: among(source.notes?.merged.columns) },
    leftOut: source.notes?.leftOut ?? [],
    uncalculated: source.notes?.uncalculated() ?? 0,
    otherSheets: source.notes?.otherSheets ?? [],
    read,
  };
}

/** Throws `csv.columns` for more columns than {@link MAX_COLUMNS}. */
function checkColumns(columns: number): void {
  if (columns > MAX_COLUMNS)
    throw new Refusal(
      'impossible',
      'csv.columns',
      said('csv.too-many-columns', { columns, most: MAX_COLUMNS }),
    );
}

/** Lines that are examined for the heading. */
const LOOKED_AT = 500;

/**
 * Returns the first {@link LOOKED_AT} non-blank lines behind line number `after`, invalid ones included; as many
 * behind `headerLine` if the user named one further down.
 */
async function firstRecords(
  slices: AsyncGenerator<Slice>,
  after: number,
  headerLine = 0,
): Promise<readonly (CsvRecord | BadLine)[]> {
  const found: (CsvRecord | BadLine)[] = [];
  /** Returns how many of the found lines are needed: {@link LOOKED_AT}, counted from the named heading. */
  const wantedCount = (): number =>
    LOOKED_AT +
    Math.max(
      0,
      found.findIndex(({ line }) => line >= headerLine),
    );
  for await (const { records } of slices) {
    found.push(...records.filter(({ line }) => line > after));
    if ((found.at(-1)?.line ?? 0) >= headerLine && found.length >= wantedCount()) break;
  }
  return found.slice(0, wantedCount());
}

interface Beginning {
  /** The heading, or the first data row, as wide as the rows below. */
  readonly first: CsvRecord;
  readonly isHeading: boolean;
  readonly doubts: readonly Doubt[];
}

/**
 * Finds the first line of the table, as wide as the rows below: by guess, with the doubts about it, or the first of
 * `opening` at or after `headerLine`, which 0 means to be data. Throws `csv.empty` if there is no such line, and
 * `csv.header` if it is unreadable.
 */
function beginningOf(
  opening: readonly (CsvRecord | BadLine)[],
  headerLine: number | undefined,
  source: Pick<TableSource, 'text' | 'sheets' | 'linesBefore' | 'frozenRows'>,
): Beginning {
  const good = opening.filter((record) => 'fields' in record);
  const guess = findHeading(
    good.map(({ fields }) => fields.map((cell) => source.text(cell))),
    gapsIn(opening),
  );
  // After a line that declares the delimiter, the heading was written by a program. One that stays in view names all
  // columns, unlike a title.
  const isDeclared =
    (source.linesBefore > 0 || isFrozenHeading(good, source)) &&
    good[0]?.fields.every((field) => field.trim() !== '') === true;
  const found = isDeclared
    ? { at: 0, isHeading: true, isInDoubt: !guess.isHeading, rival: undefined }
    : guess;
  const isSaid = headerLine !== undefined && headerLine > 0;
  const first = isSaid
    ? opening.find(({ line }) => line >= headerLine)
    : found.at === 0
      ? opening[0]
      : good[found.at];
  if (first === undefined) {
    const words =
      isSaid && opening.length > 0 ? said('csv.no-line', { line: headerLine }) : said('csv.empty');
    throw new Refusal('impossible', 'csv.empty', words);
  }
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

/** Returns whether only the first row of a sheet stays in view, and no row below is wider. */
const isFrozenHeading = (
  [first, ...below]: readonly CsvRecord[],
  { frozenRows }: Pick<TableSource, 'frozenRows'>,
): boolean =>
  first?.line === 1 && frozenRows?.() === 1 && below.every((record) => widthOf(record) <= widthOf(first));

/** Returns the indexes of lines that follow blank ones, counted among the readable lines. */
function gapsIn(opening: readonly (CsvRecord | BadLine)[]): readonly number[] {
  const good = opening.filter((record) => 'fields' in record);
  return good.flatMap(({ line }, at) => {
    const before = good[at - 1];
    return before && line > before.line + before.fields.join('').split('\n').length ? [at] : [];
  });
}

/** Rows of a sheet that determine its width. */
const ROWS_OF_WIDTH = 20;

/**
 * Returns a copy of a table's first line as wide as the rows below, without trailing empty names, which a trailing
 * delimiter causes. A text's heading limits the width, as longer rows have too many values; a sheet's doesn't.
 */
function asWideAs(opening: readonly CsvRecord[], first: CsvRecord, isBounded: boolean): CsvRecord {
  const below = opening
    .filter(({ line }) => line > first.line)
    .slice(0, isBounded ? undefined : ROWS_OF_WIDTH);
  const widest = below.reduce((most, record) => Math.max(most, widthOf(record)), widthOf(first));
  const width = isBounded ? Math.min(widest, first.fields.length) : widest;
  return { ...first, fields: Array.from({ length: width }, (_, at) => first.fields[at] ?? '') };
}

/** Returns the number of fields up to the last non-blank one. */
const widthOf = ({ fields }: CsvRecord): number => fields.findLastIndex((field) => field.trim() !== '') + 1;

/**
 * Returns a name for each column: as `names` gives them by index, otherwise the headings with single blanks. Repeated
 * ones are numbered (`Name_2`), empty ones stay empty.
 */
function nameColumns(
  { fields }: CsvRecord,
  names: ((index: number) => string) | undefined,
  { text: says }: Pick<TableSource, 'text'>,
): { index: number; header: string }[] {
  const nextHeader = headerNamer();
  return fields.map((field, index) => ({
    index,
    header: nextHeader(names?.(index) ?? says(field).trim().replace(/\s+/g, ' ')),
  }));
}

/**
 * Returns a function from a heading to a distinct header: with the next free number (`Name_2`) if it was returned before
 * or is among `headers`. Empty headings stay empty.
 */
function headerNamer(headers: readonly string[] = []): (text: string) => string {
  const taken = new Set(headers);
  /** The next number per text: searching from the first one takes minutes for long equal headers. */
  const next = new Map<string, number>();
  return (text) => {
    let header = text;
    let at = next.get(text) ?? 2;
    while (text !== '' && taken.has(header)) header = `${text}_${at++}`;
    next.set(text, at);
    taken.add(header);
    return header;
  };
}

/**
 * Returns the record, or a rejected line if it has values beyond the last column. Missing values are allowed,
 * unless it is the incomplete last line of a growing file.
 */
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

/** Returns the kind and options that a column's cells suggest for a new list; text if no format reads all of them. */
export function guessedKind(column: TableColumn): {
  kind: FieldKind;
  options: { only?: 'date' | 'time'; precision?: number; unit?: string };
} {
  const { kind = 'String', only } = column.guess.format() ?? {};
  return { kind, options: { ...(only ? { only } : {}), ...(kind === 'Number' ? shownIn(column) : {}) } };
}

/**
 * Returns unit and decimals in which a file displays a column's numbers: by a workbook's formats, or as written in
 * a text. Members that aren't known are absent.
 */
export function shownIn({ amount, guess: { units } }: TableColumn): { precision?: number; unit?: string } {
  const unit = amount ? amount.unit : units.all();
  const precision = Math.min(amount?.decimals ?? units.decimals(), MAX_DECIMALS);
  return { ...(precision > 0 ? { precision } : {}), ...(unit === undefined ? {} : { unit }) };
}

/** Limit of a list's column. */
const MAX_DECIMALS = 20;
