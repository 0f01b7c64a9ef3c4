import type { FieldKind } from '../../base/vocabulary.ts';
import type { TableFile } from '../csv/read.ts';
import type { BadLine } from '../csv/records.ts';
import type { Field } from '../definitions/model.ts';
import type { ShownAs } from '../sheets/shown-amounts.ts';
import type { Words } from '../../words/said.ts';

/** A column as the worker found it: plain data. */
export interface ColumnFacts {
  readonly index: number;
  readonly header: string;
  /** For a column of a new list. */
  readonly kind: FieldKind;
  readonly options: { readonly only?: 'date' | 'time'; readonly precision?: number; readonly unit?: string };
  /** The display format of its numbers. */
  readonly shown: { readonly precision?: number; readonly unit?: string };
  readonly amount?: ShownAs | undefined;
  /** Date or time, as far as all cells can be read so. */
  readonly only: readonly ('date' | 'time')[];
  /** All are numbers, none a percentage. */
  readonly isBareNumbers: boolean;
  readonly mayBeVersions: boolean;
  /** Cells that look like days may number documents, such as `1-01-2026`. */
  readonly dayDoubt: 'likely' | 'possible' | undefined;
  /** The first cell that a number stores in another form: `01067`, `12E3`. */
  readonly rewritten?: string | undefined;
  /** The first cell that a column of numbers or days takes as blank: `NA`, `NULL`. */
  readonly unknown?: string | undefined;
  /** The first cell with a time that a column of days drops. */
  readonly timed?: string | undefined;
  /** The first day with a year of two digits, and as a column of days takes it. */
  readonly shortDay?: string | undefined;
  readonly readShortDay?: string | undefined;
  /** Its texts may be days with such years. */
  readonly mayHaveShortYears: boolean;
  /** The first non-empty cells; `stored`: as stored for this kind. */
  readonly samples: readonly string[];
  readonly stored: readonly string[];
}

export interface TableFacts extends Omit<TableFile, 'source' | 'columns' | 'start' | 'read'> {
  readonly source: Omit<TableFile['source'], 'text'>;
  /** The first lines in short, to choose the heading from. */
  readonly start: readonly { readonly line: number; readonly text: string }[];
  readonly columns: readonly ColumnFacts[];
}

export interface ColumnTarget {
  readonly at: number;
  readonly field: Field;
  readonly ids?: number | undefined;
}

export interface Targets {
  readonly targets: readonly ColumnTarget[];
  /** The list was created for the file, so its creator chose what the numbers mean. */
  readonly isMadeFor?: boolean;
}

export interface ReadLine {
  readonly line: number;
  /** By target, as stored, unchecked: the only text, null for an empty cell, or several. An empty text means “no”. */
  readonly cells: readonly (string | null | readonly string[])[];
  /** By target: why its cell can't be imported. */
  readonly problems?: readonly (readonly Words[])[];
  readonly ids?: readonly (readonly string[])[];
}

export type FileLine = ReadLine | BadLine;

/** Its lines can be read for a list's columns, from the first each time. */
export interface ReadableTable extends TableFacts {
  read(targets: Targets): AsyncGenerator<readonly FileLine[]>;
}

/** Counts the characters of a line's cells and ids. */
export function countChars({ cells, ids = [] }: ReadLine): number {
  let chars = 0;
  for (const cell of [...cells, ...ids])
    chars +=
      typeof cell === 'string' ? cell.length : (cell ?? []).reduce((sum, text) => sum + text.length, 0);
  return chars;
}
