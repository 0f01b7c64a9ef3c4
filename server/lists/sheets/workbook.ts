import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { sizeRefusal } from './archive.ts';
import type { LeftOut } from '../../base/vocabulary.ts';

interface CellsOfRow {
  /** For lists, whatever is displayed. */
  readonly texts: readonly string[];
  /** From 0: digits that are texts, such as postal codes. */
  readonly digits?: ReadonlySet<number>;
  /** From 0: formatted as text. */
  readonly formatted?: ReadonlySet<number>;
  /** Displayed number formats, by column from 0. */
  readonly amounts?: readonly (Amount | undefined)[];
}

export interface SheetRow extends CellsOfRow {
  /** From 1, as displayed. */
  readonly line: number;
  readonly isHidden?: true;
}

/** Receives facts while rows are read. Columns count from 0. */
export interface SheetListener {
  /** Before any row. */
  readonly hidden?: (column: number) => void;
  /** Before any row: how many stay in view. */
  readonly frozen?: (rows: number) => void;
  /** `zero`: 0 in a file whose formulas are uncalculated. */
  readonly formula?: (result: FormulaResult) => void;
  /** Linked cells that don't show the address. */
  readonly linked?: (cells: number) => void;
  /** Cells are merged below the first, or only beside it. */
  readonly merged?: (line: number, over: 'rows' | 'columns') => void;
}

export type FormulaResult = 'calculated' | 'zero' | 'none';

export interface Amount {
  readonly unit?: string;
  /** Other text (`kg`), which lists can't represent. */
  readonly beside?: string;
  readonly decimals: number;
}

export const AS_IT_IS: Amount = { decimals: 0 };

export interface Workbook {
  readonly sheets: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /**
   * Returns sheets with content, visible ones first; of very many only the first are examined.
   * @param most limit of the result
   */
  filledSheets(most?: number): Promise<readonly number[]>;
  /** Yields batches, from the first row at each call. */
  rows(sheet: number, listener?: SheetListener): AsyncGenerator<readonly SheetRow[]>;
}

/**
 * Returns a function that reports a range's columns singly, as far as a list can have them, and throws `sheet.size`
 * after 4,000. Undefined without `report`.
 */
export function createColumnReporter(
  report: ((column: number) => void) | undefined,
): ((first: number, last: number) => void) | undefined {
  if (!report) return undefined;
  let reported = 0;
  return (first, last) => {
    for (let column = first; column <= Math.min(last, MAX_COLUMNS); column++) {
      if (++reported > MAX_REPORTED) throw sizeRefusal();
      report(column);
    }
  };
}

/** The limit of lists (`readTable`); coloured cells may be anywhere. */
const MAX_COLUMNS = 2000;
const MAX_REPORTED = 2 * MAX_COLUMNS;
const MAX_ELEMENT_CHARS = 1024 * 1024;
const MAX_IN_ROW = 16 * 1024 * 1024;
export const MAX_ROWS = 1_048_576;
export const MAX_SHEETS = 10_000;
export const MAX_MERGED = 100_000;

/** Two parts that match leading blanks would backtrack. */
const LIKE_NUMBER = /^-?[\d.,\s]+$/;
/** Enough to tell whether a text is a number. */
const TELLING = 400;

export interface SheetCell {
  readonly text: string;
  readonly isText: boolean;
  /** The format is text, too. */
  readonly isFormatted?: boolean | undefined;
  readonly amount?: Amount | undefined;
}

/** First look: of a sheet and of its shared texts. */
export const FIRST_LOOK_CHARS = 1024 * 1024;

export interface RowCells {
  putCell(column: number, cell: SheetCell): void;
  isEmpty(): boolean;
  /** Empty if unset. `isText` only if number-like. */
  at(column: number): SheetCell;
  /** Returns cells since the last call, if any. */
  takeCells(): CellsOfRow | undefined;
}

/** Collects a row's cells, put in any order. */
export function createRowCells(): RowCells {
  let texts: string[] = [];
  let digits = new Set<number>();
  let formatted = new Set<number>();
  let amounts: (Amount | undefined)[] = [];
  let letters = 0;
  return {
    /**
     * Puts a cell; ignores empty text, and `isText` for texts unlike numbers. Throws `csv.columns` beyond 2,000
     * columns, `sheet.size` beyond 16 Mi characters in this row.
     */
    putCell(column, { text, isText, isFormatted, amount }) {
      if (text === '') return;
      letters += text.length;
      if (letters > MAX_IN_ROW) throw sizeRefusal();
      if (column >= MAX_COLUMNS)
        throw new Refusal(
          'impossible',
          'csv.columns',
          said('csv.too-many-columns', { columns: column + 1, most: MAX_COLUMNS }),
        );
      while (texts.length < column) texts.push('');
      texts[column] = text;
      if (isText && LIKE_NUMBER.test(text.slice(0, TELLING).trimStart())) digits.add(column);
      else if (digits.size > 0) digits.delete(column);
      if (isFormatted === true) formatted.add(column);
      else if (formatted.size > 0) formatted.delete(column);
      if (amount) {
        while (amounts.length < column) amounts.push(undefined);
        amounts[column] = amount;
      } else if (column < amounts.length) amounts[column] = undefined;
    },
    isEmpty: () => texts.length === 0,
    at: (column) => ({
      text: texts[column] ?? '',
      isText: digits.has(column),
      isFormatted: formatted.has(column),
      amount: amounts[column],
    }),
    /** Returns the row's cells and begins an empty row; undefined if it was empty. */
    takeCells() {
      if (texts.length === 0) return undefined;
      const taken = {
        texts,
        ...(digits.size > 0 ? { digits } : {}),
        ...(formatted.size > 0 ? { formatted } : {}),
        ...(amounts.length > 0 ? { amounts } : {}),
      };
      [texts, letters] = [[], 0];
      if (amounts.length > 0) amounts = [];
      if (digits.size > 0) digits = new Set();
      if (formatted.size > 0) formatted = new Set();
      return taken;
    },
  };
}

export const MAX_NAME_CHARS = 1000;

/** Avoids a slice, which would keep the whole text in memory. */
export const copyStart = (text: string, maxChars: number): string =>
  Buffer.from(text.slice(0, maxChars), 'utf16le').toString('utf16le');

/** Joins the texts. Throws `sheet.size` beyond 1 MiB. */
export function appendText(before: string, more: string): string {
  if (before.length + more.length > MAX_ELEMENT_CHARS) throw sizeRefusal();
  return before + more;
}
