import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { sizeRefusal } from './archive.ts';
import type { LeftOut } from '../../base/vocabulary.ts';

/** The cells of a row. */
interface CellsOfRow {
  /** Text that a list takes, whatever the workbook displays. */
  readonly texts: readonly string[];
  /** Columns, from 0, with digits stored as text, such as a postal code: they aren't numbers. */
  readonly digits?: ReadonlySet<number>;
  /** Columns, from 0, with texts in cells that are formatted as text. */
  readonly formatted?: ReadonlySet<number>;
  /** By column, from 0: how its number is displayed. */
  readonly amounts?: readonly (Amount | undefined)[];
}

/** A non-empty row of a sheet. */
export interface SheetRow extends CellsOfRow {
  /** From 1, as displayed. */
  readonly line: number;
  /** Hidden in the workbook. */
  readonly isHidden?: true;
}

/** Receives facts about a sheet beside its rows, while these are read. Columns count from 0. */
export interface SheetListener {
  /** A hidden column. Before any row. */
  readonly hidden?: (column: number) => void;
  /** So many rows at the top stay in view. Before any row. */
  readonly frozen?: (rows: number) => void;
  /** A formula, and whether a program calculated its result: `zero` if it is 0 where all are still to be calculated. */
  readonly formula?: (result: FormulaResult) => void;
  /** A merged cell begins in this line: with cells below it, or beside it only. */
  readonly merged?: (line: number, over: 'rows' | 'columns') => void;
}

export type FormulaResult = 'calculated' | 'zero' | 'none';

/** Display of a number that is neither a date nor a name. */
export interface Amount {
  /** `%`, or the sign or code of a currency. */
  readonly unit?: string;
  /** Other text beside it, such as `kg`, which no list can represent. */
  readonly beside?: string;
  /** Decimals as displayed. */
  readonly decimals: number;
}

/** A plain number. */
export const AS_IT_IS: Amount = { decimals: 0 };

/** A workbook of either format. */
export interface Workbook {
  readonly sheets: readonly string[];
  /** Its content beside cells. */
  readonly leftOut: readonly LeftOut[];
  /**
   * Returns the indexes of sheets with content, visible ones first; of very many only the first are examined.
   * @param most limit of the result
   */
  filledSheets(most?: number): Promise<readonly number[]>;
  /** Yields the rows of a sheet in batches; each call starts from the first. */
  rows(sheet: number, listener?: SheetListener): AsyncGenerator<readonly SheetRow[]>;
}

/**
 * Returns a function that reports the columns of a range singly, as far as a list can have them; undefined
 * without a listener. It throws `sheet.size` after too many.
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

/** More than any list has (`readTable`); cells with only a colour may be anywhere. */
const MAX_COLUMNS = 2000;
/** Some programs report them twice. */
const MAX_REPORTED = 2 * MAX_COLUMNS;
/** Limit of a list's value: 1 MiB. */
const MAX_ELEMENT_CHARS = 1024 * 1024;
/** Characters of a row. */
const MAX_IN_ROW = 16 * 1024 * 1024;
/** Row limit of spreadsheet programs. */
export const MAX_ROWS = 1_048_576;
/** Above any real number of sheets. */
export const MAX_SHEETS = 10_000;
/** Above any real number of merged cells. */
export const MAX_MERGED = 100_000;

/** For text without leading blanks: if two parts of the pattern matched them, it would backtrack. */
const LIKE_NUMBER = /^-?[\d.,\s]+$/;
/** First characters of a text, which decide whether it looks like a number. */
const TELLING = 400;

/** The content of a cell. */
export interface SheetCell {
  readonly text: string;
  /** Stored as text, whatever it looks like. */
  readonly isText: boolean;
  /** Its format says text, too. */
  readonly isFormatted?: boolean | undefined;
  /** For a number: how it is displayed. */
  readonly amount?: Amount | undefined;
}

/** Characters of a sheet and of its shared texts that a first look reads. */
export const FIRST_LOOK_CHARS = 1024 * 1024;

/** Collects the cells of a row in any order. */
export interface RowCells {
  put(column: number, cell: SheetCell): void;
  isEmpty(): boolean;
  /** Returns a cell; empty if unset. `isText` only for texts that look like numbers. */
  at(column: number): SheetCell;
  /** Returns the cells put since the last call; undefined if none. */
  take(): CellsOfRow | undefined;
}

/**
 * Creates a row that collects cells. Its `put` throws `csv.columns` for columns that no list has,
 * `sheet.size` for very long rows.
 */
export function createRowCells(): RowCells {
  let texts: string[] = [];
  let digits = new Set<number>();
  let formatted = new Set<number>();
  let amounts: (Amount | undefined)[] = [];
  let letters = 0;
  return {
    /** Sets a cell; ignores empty text, and `isText` for texts that don't look like numbers. */
    put(column, { text, isText, isFormatted, amount }) {
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
    /** Returns the collected cells and starts over; undefined without any. */
    take() {
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

/** Names of sheets and styles are shorter. */
export const MAX_NAME_CHARS = 1000;

/** Returns a copy of the first characters; a slice would keep the whole text in memory. */
export const boundedCopy = (text: string, maxChars: number): string =>
  Buffer.from(text.slice(0, maxChars), 'utf16le').toString('utf16le');

/** Returns both texts joined. Throws `sheet.size` beyond a value's length. */
export function appendText(before: string, more: string): string {
  if (before.length + more.length > MAX_ELEMENT_CHARS) throw sizeRefusal();
  return before + more;
}
