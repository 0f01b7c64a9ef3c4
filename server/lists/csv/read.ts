import {
  MAX_FILE_BYTES,
  type Doubt,
  type FieldKind,
  type Language,
  type LeftOut,
} from '../../base/vocabulary.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import { findHeading, hasUnitsBelow } from './heading.ts';
import { hasRowNames } from './row-names.ts';
import { formatsAheadOfUTC } from './cell-formats.ts';
import { CodeDaysSeen, findCodePatterns } from './code-columns.ts';
import { ColumnGuess, type FormatHints } from './columns.ts';
import { zoneOffsetInName } from './named-zone.ts';
import { chooseDecimalMark, chooseMarkOfTexts } from './number-convention.ts';
import type { Rejections } from './reasons.ts';
import { findColumnsBeside, findTablesAbove, type LineRange } from './other-tables.ts';
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
import { openSheetSource } from '../sheets/sheet-source.ts';
import { said, speak } from '../../words/said.ts';

export interface TableOptions extends FormatHints, ScanOptions {
  /** An iconv-lite name. */
  readonly encoding?: string;
  readonly delimiter?: string;
  /** The options were chosen for earlier contents. */
  readonly isFollowed?: boolean;
  /**
   * What was guessed when the encoding was chosen for a followed file: only other guesses contradict it. Without a
   * chosen one, what was last guessed without doubt: it is in no doubt again.
   */
  readonly encodingGuess?: string;
  /** The guess before a doubt about the encoding was answered: the file may change back. */
  readonly guessBeforeAnswer?: string;
  /** Default: true. False for files followed before marks were read, to keep their keys. */
  readonly readsTextMarks?: boolean;
  /** From 1. 0: no heading; columns are called `Column 1`, …. */
  readonly headerLine?: number;
  /** Default: the first with content. */
  readonly sheet?: string;
  /** For unnamed columns; default: English. */
  readonly language?: Language;
  /** Rejects a last line without a line end and with too few values: it may still be written. */
  readonly isGrowing?: boolean;
  /** Earlier contents ended with a line end: rejects a last line without one, as the file may be cut off. */
  readonly expectsLineEnd?: boolean;
  readonly signal?: AbortSignal;
}

export interface TableFile extends Rejections, ScannedLines {
  readonly source: Pick<
    TableSource,
    'encoding' | 'encodingGuess' | 'delimiter' | 'sheet' | 'sheets' | 'text'
  >;
  /** Earlier lines are skipped. 0: none. */
  readonly headerLine: number;
  /** Possible tables above the heading. */
  readonly above: readonly LineRange[];
  /** Columns of a possible second table. */
  readonly beside: readonly string[];
  /** The heading is one cell short: the first column has no name. */
  readonly hasRowNames: boolean;
  /** Guesses that no option settles. */
  readonly doubts: readonly Doubt[];
  /** The last line, if it has no line end. */
  readonly unendedLine?: number | undefined;
  /** The last line is one of a text, readable, with a line end. False without lines. */
  readonly endsLine: boolean;
  /** The first lines, at most 500. */
  readonly start: readonly CsvRecord[];
  readonly columns: readonly TableColumn[];
  readonly hidden: { readonly lines: number; readonly columns: readonly string[] };
  /** Line numbers of cells merged downwards and sideways. */
  readonly merged: { readonly rows: number; readonly columns: number };
  readonly leftOut: readonly LeftOut[];
  /** Linked cells of a workbook that don't show the address. */
  readonly linked: number;
  /** Formulas of a workbook without a result. */
  readonly uncalculated: number;
  readonly otherSheets: readonly string[];
  /** Reads all unskipped lines again; `share` is the part so far, 0 to 1. */
  readonly read: () => AsyncGenerator<{
    readonly records: readonly (CsvRecord | BadLine)[];
    readonly share: number;
  }>;
}

/** Naming and tracking more costs too much. */
const MAX_COLUMNS = 2000;

/**
 * Reads a whole CSV file or a workbook's sheet, guessing what isn't given, without blocking the event loop.
 * @throws Refusal `csv.…` or `sheet.…` for a file that is too large, empty, or neither text nor workbook, and for
 * unusable options
 */
export async function readTable(bytes: Buffer, options: TableOptions): Promise<TableFile> {
  if (bytes.length > MAX_FILE_BYTES) throw new Refusal('too-large', 'csv.size', said('csv.too-large'));
  const source = await openSource(bytes, options);
  const records = await readFirstRecords(source.records(), source.linesBefore, options.headerLine);
  const opening = withBlankName(records, source);
  const { first, isHeading: hasHeader, doubts } = findBeginning(opening, options.headerLine, source);
  checkColumns(first.fields.length);
  const dataFrom = hasHeader ? first.line + 1 : first.line;
  const nameless = (index: number): string =>
    speak(said('csv.nameless-column', { number: index + 1 }), options.language ?? 'en');
  const units = hasHeader ? findUnitsLine(opening, first, source) : undefined;
  const named = nameColumns(first, hasHeader ? undefined : nameless, source, units);
  const columns = named.map((column) => withGuesses(column, source, options));

  const out = new Set<number>();
  let last: CsvRecord | BadLine | undefined;
  /**
   * Yields lines of data in slices. Leaves out skipped lines; too long ones are invalid. Throws if the signal is
   * aborted.
   */
  async function* yieldLines(): ReturnType<TableFile['read']> {
    for await (const slice of source.records()) {
      options.signal?.throwIfAborted();
      const behind = slice.records.filter(({ line }) => line >= dataFrom);
      last = behind.at(-1) ?? last;
      const lines = behind.filter(({ line }) => !out.has(line));
      yield {
        share: slice.share,
        records: lines.map((record) => checkWidth(record, columns.length, options)),
      };
    }
  }

  const start = opening.filter((record) => 'fields' in record);
  const above = start.filter(({ line }) => line < first.line);
  const seen = await scanLines(yieldLines(), {
    columns,
    source,
    options,
    heading: hasHeader ? first.fields : undefined,
    above,
    unitsLine: units?.line,
    out,
  });
  const end = last && 'fields' in last ? last : undefined;
  const shown = nameUsed(seen.columns, nameless);
  const numbers = chooseDecimalMark(shown, source.delimiter);
  chooseMarkOfTexts(shown, options.decimal);
  acceptUnevenDays(shown);
  const hidden = shown.filter(({ index }) => source.hiddenColumns?.has(index));
  const among = (all: readonly number[] = []): number => all.filter((line) => line >= dataFrom).length;
  return {
    source,
    headerLine: hasHeader ? first.line : 0,
    above: findTablesAbove(above, findGaps(above), (cell) => source.text(cell)),
    beside: findColumnsBeside(shown),
    hasRowNames: opening !== records && first.line === opening[0]?.line && hasHeader,
    doubts: [...source.doubts, ...doubts, ...(numbers ? [numbers] : [])],
    unendedLine: end?.isUnended && end.line,
    endsLine: end !== undefined && !end.isUnended && source.sheets === undefined,
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
    linked: source.notes?.linked() ?? 0,
    uncalculated: source.notes?.uncalculated() ?? 0,
    otherSheets: source.notes?.otherSheets ?? [],
    read: yieldLines,
  };
}

/** Opens bytes of a ZIP archive as a workbook, others as CSV. */
async function openSource(bytes: Buffer, options: TableOptions): Promise<TableSource> {
  if (!isArchive(bytes)) return csvSource(bytes, options);
  const { sheet, signal, maxLines, readsTextMarks } = options;
  return openSheetSource(bytes, sheet, { signal, isPart: maxLines !== undefined, readsTextMarks });
}

/** Adds guesses, not yet fed, to a column; `texts` for a workbook only. */
function withGuesses<C extends { readonly header: string }>(
  column: C,
  { sheets, hints }: Pick<TableSource, 'sheets' | 'hints'>,
  { dateOrder }: Pick<TableOptions, 'dateOrder'>,
): C & Pick<TableColumn, 'guess' | 'texts'> {
  const codes = findCodePatterns(column.header, sheets !== undefined);
  const offset = zoneOffsetInName(column.header);
  const formats = offset === undefined ? undefined : formatsAheadOfUTC(offset);
  const guessBy = (given: FormatHints): ColumnGuess =>
    new ColumnGuess(given, codes, new CodeDaysSeen(column.header), formats);
  return { ...column, guess: guessBy(hints), texts: sheets && guessBy(omitUndefined({ dateOrder })) };
}

/** Returns the columns with a name or any value; those without a name get one. */
function nameUsed<C extends Pick<TableColumn, 'header' | 'index' | 'repeats' | 'guess'>>(
  columns: readonly C[],
  nameless: (index: number) => string,
): C[] {
  const used = columns.filter(({ header, guess }) => header !== '' || !guess.isEmpty());
  const nextHeader = createHeaderNamer(used.map(({ header }) => header));
  return used.map((column) => ({
    ...column,
    header: column.header || nextHeader(nameless(column.index)),
    repeats: column.header === '' ? '' : column.repeats,
  }));
}

/** Lets columns of days accept unpadded days or months as others of the file have them. */
function acceptUnevenDays(columns: readonly Pick<TableColumn, 'guess'>[]): void {
  const unevenDays = columns.flatMap(({ guess }) => guess.days?.unevenDays() ?? []);
  for (const { guess } of columns) guess.days?.acceptUnevenDays(unevenDays);
}

/** Throws `csv.columns` for more than 2,000 columns. */
function checkColumns(columns: number): void {
  if (columns > MAX_COLUMNS)
    throw new Refusal(
      'impossible',
      'csv.columns',
      said('csv.too-many-columns', { columns, most: MAX_COLUMNS }),
    );
}

const LOOKED_AT = 500;

/**
 * Returns non-blank lines behind line `after`, invalid ones included: 500, or up to 499 behind a later `headerLine`.
 */
async function readFirstRecords(
  slices: AsyncGenerator<Slice>,
  after: number,
  headerLine = 0,
): Promise<readonly (CsvRecord | BadLine)[]> {
  const found: (CsvRecord | BadLine)[] = [];
  /** Returns how many lines are wanted, as far as read: 500 from the named heading on. */
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

/** Adds the missing name of a first column with row names; returns `opening` itself without such. */
function withBlankName(
  opening: readonly (CsvRecord | BadLine)[],
  { text, delimiter, sheets }: Pick<TableSource, 'text' | 'delimiter' | 'sheets'>,
): readonly (CsvRecord | BadLine)[] {
  const [heading, ...others] = opening;
  if (sheets || !heading || !('fields' in heading)) return opening;
  const rows = opening.filter((record) => 'fields' in record).map(({ fields }) => fields.map(text));
  return hasRowNames(rows, delimiter)
    ? [{ ...heading, fields: ['', ...heading.fields] }, ...others]
    : opening;
}

interface Beginning {
  /** Heading or first data row, padded to the rows' width. */
  readonly first: CsvRecord;
  readonly isHeading: boolean;
  readonly doubts: readonly Doubt[];
}

/**
 * Guesses the table's first line, with doubts, or takes the first from `headerLine` on, which 0 means to be data.
 * Throws `csv.empty` if there is none, `csv.header` if it is unreadable.
 */
function findBeginning(
  opening: readonly (CsvRecord | BadLine)[],
  headerLine: number | undefined,
  source: Pick<TableSource, 'text' | 'sheets' | 'linesBefore' | 'frozenRows'>,
): Beginning {
  const good = opening.filter((record) => 'fields' in record);
  const guess = findHeading(
    good.map(({ fields }) => fields.map((cell) => source.text(cell))),
    findGaps(opening),
  );
  // A program wrote the heading behind a delimiter declaration. One that stays in view names all columns.
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
    first: fitWidth(good, first, isHeading && source.sheets === undefined),
    isHeading,
    doubts: alternatives.length > 0 ? [{ kind: 'heading', chosen: String(chosen), alternatives }] : [],
  };
}

/** Returns the line below the heading if it only holds units, otherwise undefined. */
function findUnitsLine(
  opening: readonly (CsvRecord | BadLine)[],
  { line, fields }: CsvRecord,
  source: Pick<TableSource, 'text'>,
): CsvRecord | undefined {
  const below = opening.filter((record): record is CsvRecord => 'fields' in record && record.line > line);
  const rows = [fields, ...below.map((record) => record.fields.map((cell) => source.text(cell)))];
  return hasUnitsBelow(rows) ? below[0] : undefined;
}

/** Returns whether only a sheet's first row stays in view, and no row below is wider. */
const isFrozenHeading = (
  [first, ...below]: readonly CsvRecord[],
  { frozenRows }: Pick<TableSource, 'frozenRows'>,
): boolean =>
  first?.line === 1 && frozenRows?.() === 1 && below.every((record) => widthOf(record) <= widthOf(first));

/** Returns indexes, among readable lines, of those behind blank ones. */
function findGaps(opening: readonly (CsvRecord | BadLine)[]): readonly number[] {
  const good = opening.filter((record) => 'fields' in record);
  return good.flatMap(({ line }, at) => {
    const before = good[at - 1];
    return before && line > before.line + before.fields.join('').split('\n').length ? [at] : [];
  });
}

const ROWS_OF_WIDTH = 20;

/**
 * Returns the heading as wide as the rows below (20 of a sheet), without trailing empty names.
 * @param isBounded its own width is the maximum, as longer rows of a text have too many values
 */
function fitWidth(opening: readonly CsvRecord[], first: CsvRecord, isBounded: boolean): CsvRecord {
  const below = opening
    .filter(({ line }) => line > first.line)
    .slice(0, isBounded ? undefined : ROWS_OF_WIDTH);
  const widest = below.reduce((most, record) => Math.max(most, widthOf(record)), widthOf(first));
  const width = isBounded ? Math.min(widest, first.fields.length) : widest;
  return { ...first, fields: Array.from({ length: width }, (_, at) => first.fields[at] ?? '') };
}

const widthOf = ({ fields }: CsvRecord): number => fields.findLastIndex((field) => field.trim() !== '') + 1;

/**
 * Returns the columns, named by `names` (by index) if given, otherwise by the heading with single blanks. Numbers
 * repeated headers (`Name_2`); empty ones stay empty.
 */
function nameColumns(
  { fields }: CsvRecord,
  names: ((index: number) => string) | undefined,
  { text: says }: Pick<TableSource, 'text'>,
  units: CsvRecord | undefined,
): Pick<TableColumn, 'index' | 'header' | 'repeats' | 'unitBelow'>[] {
  const nextHeader = createHeaderNamer();
  return fields.map((field, index) => {
    const name = names?.(index) ?? says(field).trim().replace(/\s+/g, ' ');
    const header = nextHeader(name);
    const unitBelow = units && says(units.fields[index] ?? '').trim();
    return { index, header, repeats: header === name ? undefined : name, unitBelow };
  });
}

/** Returns a function that numbers a header it returned before or that is in `headers` (`Name_2`); empty ones stay. */
function createHeaderNamer(headers: readonly string[] = []): (text: string) => string {
  const taken = new Set(headers);
  /** Counting from 1 takes minutes for equal headers. */
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
 * Returns the record, or a rejected line in place of one with values beyond the last column, or with missing ones in an
 * incomplete last line of a growing file; or of a last line without the expected line end.
 */
function checkWidth(
  record: CsvRecord | BadLine,
  width: number,
  { isGrowing = false, expectsLineEnd = false }: Pick<TableOptions, 'isGrowing' | 'expectsLineEnd'>,
): CsvRecord | BadLine {
  if (!('fields' in record)) return record;
  const { line, fields } = record;
  if (isGrowing && record.isUnended && fields.length < width)
    return { line, reason: said('csv.too-few-values', { values: fields.length, columns: width }) };
  if (expectsLineEnd && record.isUnended) return { line, reason: said('csv.unended') };
  if (fields.length <= width || fields.slice(width).every((field) => field.trim() === '')) return record;
  return { line, reason: said('csv.too-many-values', { values: widthOf(record), columns: width }) };
}

/** Returns kind and options to suggest for a new column; text if no format reads all cells. */
export function suggestKind(column: TableColumn): {
  kind: FieldKind;
  options: { only?: 'date' | 'time'; precision?: number; unit?: string };
} {
  const { kind = 'String', only } = column.guess.format(column.isFilled) ?? {};
  return {
    kind,
    options: { ...(only ? { only } : {}), ...(kind === 'Number' ? findUnitAndDecimals(column) : {}) },
  };
}

/** Returns what a file displays, at most 20 decimals; absent if unknown or none. */
export function findUnitAndDecimals({ amount, guess: { units } }: TableColumn): {
  precision?: number;
  unit?: string;
} {
  const unit = amount ? amount.unit : units.commonUnit();
  const precision = Math.min(amount?.decimals ?? units.maxDecimals(), MAX_DECIMALS);
  return { ...(precision > 0 ? { precision } : {}), ...(unit === undefined ? {} : { unit }) };
}

const MAX_DECIMALS = 20;
