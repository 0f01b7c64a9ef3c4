import type { FieldKind } from '../../base/vocabulary.ts';
import type { Words } from '../../words/said.ts';
import { PERCENT } from '../../base/amount.ts';
import { omit } from '../../base/omit.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { CELL_FORMATS } from '../csv/cell-formats.ts';
import { splitValues } from '../csv/cells.ts';
import { ColumnGuess } from '../csv/columns.ts';
import { findKeys } from '../csv/key-columns.ts';
import {
  suggestKind,
  readTable,
  findUnitAndDecimals,
  type TableFile,
  type TableOptions,
} from '../csv/read.ts';
import type { BadLine, CsvRecord } from '../csv/records.ts';
import type { TableColumn } from '../csv/scan-lines.ts';
import { createCellReader, type CellReader } from '../csv/targets.ts';
import {
  countChars,
  type ColumnFacts,
  type FileLine,
  type ReadLine,
  type TableFacts,
  type Targets,
} from './table-facts.ts';

const BATCH_LINES = 250;
const BATCH_CHARS = 128 * 1024;
const START_LINES = 10;
const START_CHARS = 60;
/** The user chooses each; more means no table of rows. */
const MAX_SUMS = 5000;

export interface OpenArgument {
  readonly bytes: Uint8Array;
  readonly options: Omit<TableOptions, 'signal'>;
}

export interface KindOfColumn {
  readonly at: number;
  readonly kind: FieldKind;
}

export interface JsonArgument {
  readonly bytes: Uint8Array;
  readonly member: string;
}

export type SettledFormats = Pick<TableOptions, 'delimiter' | 'decimal' | 'dateOrder'>;

export interface ReadingTasks {
  open(argument: OpenArgument): Promise<TableFacts>;
  keys(columns: readonly KindOfColumn[]): Promise<readonly (readonly number[])[]>;
  formats(targets: Targets): SettledFormats;
  start(targets: Targets): Promise<void>;
  next(nothing?: undefined): Promise<readonly FileLine[]>;
  close(nothing?: undefined): Promise<void>;
  openJson(argument: JsonArgument): unknown;
  nextJson(nothing?: undefined): readonly unknown[];
}

/** Creates the calls of a worker thread, which reads one foreign file at a time; they take and give plain data. */
export function createReadingTasks(): ReadingTasks {
  let file: TableFile | undefined;
  let lines: AsyncGenerator<FileLine> | undefined;
  let jsonLines: unknown[] = [];
  /** Returns the open file; throws if there is none. */
  const requireFile = (): TableFile => {
    if (!file) throw new Error('No file is open.');
    return file;
  };
  /** Returns the open file's column at this position; throws if there is none. */
  const requireColumn = (at: number): TableColumn => {
    const column = requireFile().columns[at];
    if (!column) throw new Error('There is no such column.');
    return column;
  };
  return {
    /** Opens the file for the other tasks and returns its facts. Throws the refusals of {@link readTable}. */
    async open({ bytes, options }: OpenArgument): Promise<TableFacts> {
      file = await readTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), options);
      return describeTable(file, options.decimal);
    },

    /** Returns sets of columns that identify lines, as indexes into `columns`. */
    async keys(columns: readonly KindOfColumn[]): Promise<readonly (readonly number[])[]> {
      const wanted = columns.map(({ at, kind }, place) => ({ column: requireColumn(at), kind, place }));
      return (await findKeys(requireFile(), wanted)).map((key) => key.map(({ place }) => place));
    },

    /**
     * Returns the delimiter, and the decimal mark and date order that these columns prove alike, to fix them for later
     * readings.
     */
    formats({ targets }: Targets): SettledFormats {
      const formats = targets.map(({ at, field }) => {
        const format = requireColumn(at).guess.formatFor(field.kind, field.options.only);
        // Plain digits prove nothing.
        return format === CELL_FORMATS[0] || format?.dateOrder === 'YMD' ? undefined : format;
      });
      const { delimiter } = requireFile().source;
      const decimal = commonValue(formats.map((format) => format?.decimal));
      const dateOrder = commonValue(formats.map((format) => format?.dateOrder));
      return {
        ...(delimiter === '' ? {} : { delimiter }),
        ...(decimal ? { decimal } : {}),
        ...(dateOrder ? { dateOrder } : {}),
      };
    },

    /** Begins to read lines from the first one; ends an earlier reading. */
    async start(targets: Targets): Promise<void> {
      await lines?.return(undefined);
      lines = readLinesFor(requireFile(), targets);
    },

    /** Reads up to 250 lines or about 128 Ki characters; an empty batch is the end. */
    async next(): Promise<readonly FileLine[]> {
      const batch: FileLine[] = [];
      let chars = 0;
      while (lines && batch.length < BATCH_LINES && chars < BATCH_CHARS) {
        const next = await lines.next();
        if (next.done === true) break;
        batch.push(next.value);
        chars += 'cells' in next.value ? countChars(next.value) : 0;
      }
      return batch;
    },

    /** Closes the file, if open. */
    async close(): Promise<void> {
      await lines?.return(undefined);
      lines = undefined;
      file = undefined;
    },

    /**
     * Keeps a JSON object's array `member` for `nextJson`; returns the others, the whole value if that is no array,
     * undefined for invalid JSON.
     */
    openJson({ bytes, member }: JsonArgument): unknown {
      const parsed = parseJson(bytes);
      jsonLines = [];
      if (typeof parsed !== 'object' || parsed === null) return parsed;
      const found = new Map<string, unknown>(Object.entries(parsed));
      const held = found.get(member);
      if (!Array.isArray(held)) return parsed;
      jsonLines = held.reverse();
      return Object.fromEntries([...found].filter(([name]) => name !== member));
    },

    /** Returns up to 250 lines or about 128 Ki characters; an empty batch is the end. */
    nextJson(): readonly unknown[] {
      const batch: unknown[] = [];
      for (let chars = 0; jsonLines.length > 0 && batch.length < BATCH_LINES && chars < BATCH_CHARS;) {
        const line = jsonLines.pop();
        batch.push(line);
        chars += JSON.stringify(line).length;
      }
      return batch;
    },
  };
}

/** Parses JSON in UTF-8; undefined for invalid UTF-8 or JSON. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns what a caller may know of the open file, with excerpts of the first ten lines and at most 5,000 totals. */
function describeTable(file: TableFile, decimal: TableOptions['decimal']): TableFacts {
  const { source, columns, start, sums, ...others } = file;
  const rest = omit(others, 'read');
  const { encoding, encodingGuess, delimiter, sheet, sheets } = source;
  return {
    ...rest,
    source: { encoding, delimiter, ...omitUndefined({ encodingGuess, sheet, sheets }) },
    columns: columns.map((column) => describeColumn(column, decimal)),
    start: start.slice(0, START_LINES).map(({ line, fields }) => ({ line, text: excerptOf(fields) })),
    sums: sums.slice(0, MAX_SUMS),
  };
}

/** Returns what was seen of a column, with samples as read and as stored. */
function describeColumn(column: TableColumn, decimal: TableOptions['decimal']): ColumnFacts {
  const { index, header, repeats, unitBelow, amount, guess, texts, isFilled } = column;
  const format = guess.format(isFilled);
  const weighed = decimal && (texts ?? guess).weighDecimal(decimal);
  return {
    ...{ index, header, repeats, unitBelow, amount },
    ...suggestKind(column),
    shown: findUnitAndDecimals(column),
    only: (['date', 'time'] as const).filter((part) => guess.fits('DateTime', part)),
    isBareNumbers: !guess.isEmpty() && guess.fits('Number', undefined) && !guess.units.has(PERCENT),
    mayBeVersions: guess.mayBeVersions(),
    dayDoubt: guess.dayDoubt(),
    rewritten: guess.rewritten,
    unknown: guess.unknown,
    timed: guess.timed,
    repeated: guess.repeatedMoment(),
    shortDay: guess.days?.shortDay,
    readShortDay: (texts ?? guess).readShortDay(),
    otherDecimal: weighed?.contradiction,
    isDecimalConfirmed: weighed?.isConfirmed === true,
    dayNotations: (texts ?? guess).dayNotations(),
    isDayOrderInDoubt: guess.isDayOrderInDoubt(),
    samples: guess.samples,
    stored: guess.samples.map((cell) => format?.read(cell.trim()) ?? cell),
  };
}

/** Returns the filled fields joined and cut, for display. */
const excerptOf = (fields: readonly string[]): string =>
  fields
    .filter((field) => field.trim() !== '')
    .join(' · ')
    .slice(0, START_CHARS);

/** Returns the only different value, ignoring undefined ones; undefined for several or none. */
function commonValue<T>(all: readonly (T | undefined)[]): T | undefined {
  const [first, ...others] = new Set(all.filter((each) => each !== undefined));
  return others.length === 0 ? first : undefined;
}

interface TargetReader {
  readonly index: number;
  readonly ids: number | undefined;
  readonly read: CellReader;
}

/** Yields the cells for those target columns that the file has; invalid lines with their reason. */
async function* readLinesFor(
  file: TableFile,
  { targets, isMadeFor = false }: Targets,
): AsyncGenerator<FileLine> {
  for (const kind of ['Number', 'DateTime'] as const)
    ColumnGuess.shareContradictions(
      targets.flatMap(({ at, field }) => {
        const column = field.kind === kind ? file.columns[at] : undefined;
        return column ? [column.texts ?? column.guess] : [];
      }),
      kind,
    );
  const readers = targets.flatMap(({ at, field, ids }): TargetReader[] => {
    const column = file.columns[at];
    if (!column) return [];
    const { source } = file;
    return [{ index: column.index, ids, read: createCellReader(column, field, { source, isMadeFor }) }];
  });
  for await (const { records } of file.read())
    for (const record of records) yield 'fields' in record ? readLine(record, readers) : badLine(record);
}

const badLine = ({ line, reason }: BadLine): BadLine => ({ line, reason });

/** Reads a line's cells for the target columns: null, a text or several; problems and ids only if there are any. */
function readLine({ line, fields, amounts, digits }: CsvRecord, readers: readonly TargetReader[]): ReadLine {
  const problems = readers.map((): Words[] => []);
  const cells = readers.map(({ index, read }, at) => {
    const shown = { amount: amounts?.[index], isDigits: digits?.has(index) === true };
    const texts = read(fields[index] ?? '', shown, problems[at] ?? []);
    return texts.length > 1 ? texts : (texts[0] ?? null);
  });
  const areIDs = readers.some(({ ids }) => ids !== undefined);
  const idsOf = ({ ids }: TargetReader): readonly string[] =>
    ids === undefined ? [] : splitValues(fields[ids] ?? '');
  return {
    ...{ line, cells },
    ...(problems.some((found) => found.length > 0) ? { problems } : {}),
    ...(areIDs ? { ids: readers.map(idsOf) } : {}),
  };
}
