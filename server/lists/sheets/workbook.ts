import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { sizeRefusal } from './archive.ts';
import type { LeftOut } from '../../base/vocabulary.ts';

/** What the cells of a row hold. */
interface CellsOfRow {
  /** As text that a list takes in, whatever the workbook shows it as. */
  readonly texts: readonly string[];
  /** The columns, from 0, of digits that stand there as a text, such as a postal code: no number is meant. */
  readonly digits?: ReadonlySet<number>;
  /** By column, from 0, as what the numbers among them are shown. */
  readonly amounts?: readonly (Amount | undefined)[];
}

/** A row of a sheet that holds anything. */
export interface SheetRow extends CellsOfRow {
  /** From 1, as the program shows it. */
  readonly line: number;
  /** The program does not show it. */
  readonly isHidden?: true;
}

/** What is told of a sheet beside its rows, as these are read. Columns are counted from 0. */
export interface SheetListener {
  /** The program does not show this column. Before any row. */
  readonly hidden?: (column: number) => void;
  /** A cell that is merged with others begins in this line: with some below it, or beside it alone. */
  readonly merged?: (line: number, over: 'rows' | 'columns') => void;
}

/** How a number is shown that is no day and no name. */
export interface Amount {
  /** What stands beside it: `%`, or the sign or code of a currency. */
  readonly unit?: string;
  /** What stands beside it that no list can show: `kg`. */
  readonly beside?: string;
  /** Digits behind the point, as they are seen. */
  readonly decimals: number;
}

/** A number that is shown as it is. */
export const AS_IT_IS: Amount = { decimals: 0 };

/** A workbook of one kind or another. */
export interface Workbook {
  readonly sheets: readonly string[];
  /** What it has beside cells. */
  readonly leftOut: readonly LeftOut[];
  /**
   * The places of the sheets that hold anything, shown ones before hidden ones. Of very many only the first are looked into.
   * @param most returns no more than so many
   */
  filledSheets(most?: number): Promise<readonly number[]>;
  /** The rows of one, by its place, some at a time; each time from the first. */
  rows(sheet: number, told?: SheetListener): AsyncGenerator<readonly SheetRow[]>;
}

/**
 * Tells columns from one to another, as far as any list has them; undefined where nobody wants to know. The columns of a
 * sheet are described once each: one that goes on describing is told of with `impossible`.
 */
export function columnTeller(
  tell: ((column: number) => void) | undefined,
): ((first: number, last: number) => void) | undefined {
  if (!tell) return undefined;
  let told = 0;
  return (first, last) => {
    for (let column = first; column <= Math.min(last, MAX_COLUMNS); column++) {
      if (++told > MAX_REPORTED) throw sizeRefusal();
      tell(column);
    }
  };
}

/** More than any list has (`readTable`); cells that only have a colour may stand anywhere. */
const MAX_COLUMNS = 2000;
/** Told of once, and of some a second time by a program that is not strict. */
const MAX_REPORTED = 2 * MAX_COLUMNS;
/** A value of a list takes 1 MiB. */
const MAX_ELEMENT_CHARS = 1024 * 1024;
/** Letters of a row. */
const MAX_IN_ROW = 16 * 1024 * 1024;
/** No program shows more. */
export const MAX_ROWS = 1_048_576;
/** Nobody makes as many. */
export const MAX_SHEETS = 10_000;
/** Nor merges as many cells of a sheet. */
export const MAX_MERGED = 100_000;

/** Of a text without blanks in front: of two parts that both take them, each would be tried with each. */
const LIKE_NUMBER = /^-?[\d.,\s]+$/;
/** Letters that tell: a text that is long stands in the file once, and in as many cells as it says. */
const TELLING = 400;

/** What a cell holds. */
export interface SheetCell {
  readonly text: string;
  /** The workbook holds it as a text, whatever it looks like. */
  readonly isText: boolean;
  /** Of a number: as what it is shown. */
  readonly amount?: Amount | undefined;
}

/** Characters of a sheet, and of the texts that its cells share, that a first look reads. */
export const FIRST_LOOK_CHARS = 1024 * 1024;

/** Gathers the cells of a row, wherever they stand. */
export interface RowCells {
  put(column: number, cell: SheetCell): void;
  isEmpty(): boolean;
  /** What was put there; empty where nothing was. Of texts only those are known as such that look like numbers. */
  at(column: number): SheetCell;
  /** What was put since the last time; undefined where that is nothing. */
  take(): CellsOfRow | undefined;
}

/** @throws Refusal `impossible` for values in columns that no list has */
export function createRowCells(): RowCells {
  let texts: string[] = [];
  let digits = new Set<number>();
  let amounts: (Amount | undefined)[] = [];
  let letters = 0;
  return {
    put(column, { text, isText, amount }) {
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
      if (amount) {
        while (amounts.length < column) amounts.push(undefined);
        amounts[column] = amount;
      } else if (column < amounts.length) amounts[column] = undefined;
    },
    isEmpty: () => texts.length === 0,
    at: (column) => ({
      text: texts[column] ?? '',
      isText: digits.has(column),
      amount: amounts[column],
    }),
    take() {
      if (texts.length === 0) return undefined;
      const taken = {
        texts,
        ...(digits.size > 0 ? { digits } : {}),
        ...(amounts.length > 0 ? { amounts } : {}),
      };
      [texts, letters] = [[], 0];
      if (amounts.length > 0) amounts = [];
      if (digits.size > 0) digits = new Set();
      return taken;
    },
  };
}

/** Names of sheets and styles are shorter. */
export const MAX_NAME_CHARS = 1000;

/** A copy of the first characters: a slice would keep the whole text in memory. */
export const boundedCopy = (text: string, maxChars: number): string =>
  Buffer.from(text.slice(0, maxChars), 'utf16le').toString('utf16le');

/** @throws Refusal `impossible` for what is longer than any value */
export function joined(before: string, more: string): string {
  if (before.length + more.length > MAX_ELEMENT_CHARS) throw sizeRefusal();
  return before + more;
}
