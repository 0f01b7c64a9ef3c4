import type { FieldKind } from '../../base/vocabulary.ts';
import type { DayNotation } from '../csv/columns.ts';
import type { TableFile } from '../csv/read.ts';
import type { BadLine } from '../csv/records.ts';
import type { Field } from '../definitions/model.ts';
import type { ShownAs } from '../sheets/shown-amounts.ts';
import type { Words } from '../../words/said.ts';

/** Plain data, from the worker. */
export interface ColumnFacts {
  readonly index: number;
  readonly header: string;
  /** The name in the file, if `header` is made: numbered, as an earlier column has it too, or of a blank name. */
  readonly repeats?: string | undefined;
  /** Its cell in the line of units, such as `kg` or `TEUR`. */
  readonly unitBelow?: string | undefined;
  /** For a new list. */
  readonly kind: FieldKind;
  readonly options: { readonly only?: 'date' | 'time'; readonly precision?: number; readonly unit?: string };
  /** Display format of numbers. */
  readonly shown: { readonly precision?: number; readonly unit?: string };
  readonly amount?: ShownAs | undefined;
  /** Date or time, if all cells can be read so. */
  readonly only: readonly ('date' | 'time')[];
  /** All numbers, no percentage. */
  readonly isBareNumbers: boolean;
  readonly mayBeVersions: boolean;
  /** Apparent days may number documents: `1-01-2026`. */
  readonly dayDoubt: 'likely' | 'possible' | undefined;
  /** The first cell that a number would rewrite: `01067`, `12E3`. */
  readonly rewritten?: string | undefined;
  /** The first cell taken as blank by numbers or days: `NA`, `NULL`. */
  readonly unknown?: string | undefined;
  /** The first cell whose time a column of days drops. */
  readonly timed?: string | undefined;
  /** The first moment without a zone that clocks here show twice. */
  readonly repeated?: string | undefined;
  /** The first day with a two-digit year, and how it is read. */
  readonly shortDay?: string | undefined;
  readonly readShortDay?: string | undefined;
  /** The first number that contradicts the chosen decimal mark; `isDecimalConfirmed`: another proves it. */
  readonly otherDecimal?: string | undefined;
  readonly isDecimalConfirmed?: boolean;
  /** None unless their order was chosen. */
  readonly dayNotations?: readonly DayNotation[];
  /** Its texts may be days; their order is unclear. */
  readonly isDayOrderInDoubt: boolean;
  /** First non-empty cells; `stored`: in this kind. */
  readonly samples: readonly string[];
  readonly stored: readonly string[];
}

export interface TableFacts extends Omit<TableFile, 'source' | 'columns' | 'start' | 'read'> {
  readonly source: Omit<TableFile['source'], 'text'>;
  /** First lines, shortened, to choose the heading. */
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
  /** Made for the file: its creator chose the numbers' meaning. */
  readonly isMadeFor?: boolean;
}

export interface ReadLine {
  readonly line: number;
  /** By target, as stored, unchecked: one text, null if empty, or several. Empty text: “no”. */
  readonly cells: readonly (string | null | readonly string[])[];
  /** By target: reasons against the cell. */
  readonly problems?: readonly (readonly Words[])[];
  readonly ids?: readonly (readonly string[])[];
}

export type FileLine = ReadLine | BadLine;

/** Readable repeatedly from the first line. */
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
