import { isMarkedText, isSeparated } from './cells.ts';
import type { ColumnGuess } from './columns.ts';
import { createDistinctFinder } from './distinct.ts';
import { createRejections, type Rejections } from './reasons.ts';
import type { BadLine, CsvRecord } from './records.ts';
import type { TableSource } from './source.ts';
import { mayBeSum, type ColumnSums, SumFinder, sumLineOf, type Settled, type SumLine } from './sum-lines.ts';
import { createShownAmounts, type ShownAs } from '../sheets/shown-amounts.ts';
import type { Span } from './totals.ts';

export interface ScanOptions {
  /** Default: totals and footers are reported and imported. */
  readonly sums?: 'in' | 'out';
  /** Line numbers always imported as rows. */
  readonly asRows?: readonly number[];
  /** Approximate: later lines and merged cells are unknown. */
  readonly maxLines?: number;
}

export interface TableColumn {
  readonly index: number;
  readonly header: string;
  /** The name in the file, if `header` is made: numbered, as an earlier column has it too, or of a blank name. */
  readonly repeats?: string | undefined;
  /** Its cell in the line of units, such as `kg` or `TEUR`. */
  readonly unitBelow?: string | undefined;
  readonly guess: ColumnGuess;
  /** Texts of a workbook, in their typist's conventions. */
  readonly texts?: ColumnGuess | undefined;
  readonly isFilled: boolean;
  /** Lines with a value, and the last one's number, from 1. */
  readonly filled: number;
  readonly filledTo: number;
  readonly amount?: ShownAs | undefined;
  /** All filled with different values: identifies rows. */
  readonly isDistinct: boolean;
}

type NamedColumn = Pick<TableColumn, 'index' | 'header' | 'repeats' | 'guess' | 'texts'>;

/** As in workbooks. */
const WRITTEN_PLAINLY =
  /^(?:-?\d+(?:\.\d+)?|\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?|-?\d+:\d\d:\d\d(?:\.\d+)?)$/;

/**
 * Returns whether a cell of a workbook is a text, which may hold a number such as `1.234 €`.
 * @param isDigits it is known to be one, though it looks like a number
 */
export const isTypedText = (cell: string, isDigits: boolean): boolean =>
  isDigits || !WRITTEN_PLAINLY.test(cell);

export interface ScannedLines {
  readonly lines: number;
  /** The first 20 lines that the encoding can't represent. */
  readonly unreadable: readonly number[];
  readonly sums: readonly SumLine[];
  /** Last lines taken as rows, in doubt. */
  readonly doubtful: readonly SumLine[];
  readonly otherHeadings: readonly SumLine[];
  /** The first 20 with lines in a value: an unclosed quotation mark. */
  readonly unclosed: readonly number[];
}

interface SeenFile extends ScannedLines {
  readonly columns: readonly TableColumn[];
  readonly hidden: number;
  readonly rejections: Rejections;
}

/**
 * Counts lines, column formats, totals and rejections, up to the slice that reaches `maxLines`. Adds line numbers of
 * totals that the options leave out to `out`. Its state of all lines is freed when it returns.
 */
export async function scanLines(
  slices: AsyncIterable<{ readonly records: readonly (CsvRecord | BadLine)[] }>,
  {
    columns,
    source,
    options,
    heading,
    above,
    unitsLine,
    out,
  }: {
    readonly columns: readonly NamedColumn[];
    readonly source: TableSource;
    readonly options: ScanOptions;
    readonly heading: readonly string[] | undefined;
    readonly above: readonly CsvRecord[];
    /** The line of units, reported like a total. */
    readonly unitsLine: number | undefined;
    readonly out: Set<number>;
  },
): Promise<SeenFile> {
  const rejections = createRejections();
  const says = (cell: string): string => source.text(cell);
  const seen = new SeenLines(says, columns, source.delimiter);
  const finder = new SumFinder(says, seen, heading, above);
  const sums: SumLine[] = [];
  const asRows = new Set(options.asRows);
  /** Passes a line to `seen`, and lists a total in `sums`. A total that the options leave out goes to `out` instead. */
  const reportLine = (settled: Settled): void => {
    if (settled.isSum) sums.push(sumLineOf(settled.record, says));
    const { line } = settled.record;
    if (settled.isSum && options.sums === 'out' && !asRows.has(line)) out.add(line);
    else seen.recordLine(settled);
  };
  let isWhole = true;
  for await (const slice of slices) {
    for (const record of slice.records) {
      if (!('fields' in record)) rejections.add(record);
      else if (record.line === unitsLine) reportLine({ record, isSum: true });
      else for (const settled of finder.takeLine(record)) reportLine(settled);
    }
    isWhole = seen.lines < (options.maxLines ?? Infinity);
    if (!isWhole) break;
  }
  for (const settled of finder.end()) reportLine(settled);
  const { lines, hidden, unreadable, unclosed } = seen;
  const doubtful = isWhole ? finder.doubtful.map((record) => sumLineOf(record, says)) : [];
  return {
    ...{ lines, hidden, unreadable, unclosed, sums, doubtful },
    otherHeadings: finder.otherHeadings().map((record) => sumLineOf(record, says)),
    columns: columns.map((column) => ({ ...column, ...seen.columnFacts(column.index) })),
    rejections: rejections.result(),
  };
}

export const isUnreadable = ({ fields }: CsvRecord): boolean =>
  fields.some((field) => field.includes('\ufffd'));
const MAX_NAMED_LINES = 20;

/**
 * Returns whether a value has the rest of its line, whole lines, and the start of another, as after an unclosed
 * quotation mark.
 */
const hasLinesInValue = ({ fields }: CsvRecord, delimiter: string): boolean =>
  fields.some((field, at) => {
    if (delimiter === '' || !field.includes('\n') || !field.includes(delimiter)) return false;
    const cuts = field.split('\n').map((line) => line.split(delimiter).length - 1);
    return (
      cuts[0] === fields.length - 1 - at &&
      cuts.at(-1) === at &&
      cuts.slice(1, -1).every((count) => count === fields.length - 1)
    );
  });

/** Collects facts about columns from valid lines. */
class SeenLines implements ColumnSums {
  lines = 0;
  hidden = 0;
  readonly unreadable: number[] = [];
  readonly unclosed: number[] = [];
  readonly #says: (cell: string) => string;
  readonly #columns: readonly Pick<NamedColumn, 'guess' | 'texts'>[];
  readonly #distinct = createDistinctFinder();
  readonly #amounts = createShownAmounts();
  readonly #filled: number[];
  readonly #filledTo: number[];
  readonly #delimiter: string;

  /** @param delimiter of a text; empty for a workbook */
  constructor(
    says: (cell: string) => string,
    columns: readonly Pick<NamedColumn, 'guess' | 'texts'>[],
    delimiter: string,
  ) {
    this.#says = says;
    this.#delimiter = delimiter;
    this.#columns = columns;
    this.#filled = columns.map(() => 0);
    this.#filledTo = columns.map(() => 0);
  }

  /**
   * Counts a line and what is odd in it, and passes its cells to their columns' guesses, distinctness and number
   * formats.
   */
  recordLine({ record, isSum }: Settled): void {
    this.lines++;
    if (record.isHidden) this.hidden++;
    const isNoPart = isSum ? 'surely' : record.isHidden === true || mayBeSum(record, this.#says);
    if (this.unreadable.length < MAX_NAMED_LINES && isUnreadable(record)) this.unreadable.push(record.line);
    if (this.unclosed.length < MAX_NAMED_LINES && hasLinesInValue(record, this.#delimiter))
      this.unclosed.push(record.line);
    for (const [index, field] of record.fields.entries()) {
      const text = this.#says(field);
      const { guess, texts } = this.#columns[index] ?? {};
      const isDigits = record.digits?.has(index) === true;
      if (texts && isTypedText(text, isDigits)) texts.recordCell(text);
      guess?.recordCell(text, {
        isText: isDigits,
        isMarkedText: text !== field && isMarkedText(field) && !isSeparated(field, record.fields[index + 1]),
        isFormattedText: record.formatted?.has(index),
        isNoPart,
      });
      this.#distinct.recordCell(index, text);
      if (text.trim() === '') continue;
      this.#filled[index] = (this.#filled[index] ?? 0) + 1;
      this.#filledTo[index] = this.lines;
    }
    record.amounts?.forEach((amount, index) => amount && this.#amounts.recordNumber(index, amount));
  }

  /** Returns whether the cell is the sum of its column since a mark; false for a column beyond the table. */
  isSum(column: number, cell: string, span: Span): boolean {
    return this.#columns[column]?.guess.isSum(cell, span) === true;
  }

  /** Returns whether the column's other cells, at least `least`, are of another kind; false beyond the table. */
  isUnlike(column: number, cell: string, least: number): boolean {
    return this.#columns[column]?.guess.isUnlike(cell, least) === true;
  }

  /** Records a total in all columns, of the numbers since mark `from`. */
  markSum(from: number): void {
    for (const { guess } of this.#columns) guess.markSum(from);
  }

  /**
   * Returns what was counted in the column, after all lines. `amount` is undefined for a text, and for plain numbers.
   */
  columnFacts(
    column: number,
  ): Pick<TableColumn, 'isFilled' | 'filled' | 'filledTo' | 'amount' | 'isDistinct'> {
    const filled = this.#filled[column] ?? 0;
    return {
      ...{ filled, filledTo: this.#filledTo[column] ?? 0 },
      isFilled: filled === this.lines,
      amount: this.#amounts.get(column),
      isDistinct: this.#distinct.isDistinct(column, this.lines),
    };
  }
}
