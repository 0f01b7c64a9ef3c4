import type { FieldKind } from '../../base/vocabulary.ts';
import type { TableFile } from '../csv/read.ts';
import type { BadLine } from '../csv/records.ts';
import type { Field } from '../definitions/model.ts';
import type { ShownAs } from '../sheets/shown-amounts.ts';
import type { Words } from '../../words/said.ts';

/** A column of a file as the worker found it: plain data. */
export interface ColumnFacts {
  /** Position in the file's lines. */
  readonly index: number;
  /** As in the file; a second one of the same text gets `_2`. */
  readonly header: string;
  /** The kind and settings that a column of a new list gets. */
  readonly kind: FieldKind;
  readonly options: { readonly only?: 'date' | 'time'; readonly precision?: number; readonly unit?: string };
  /** The display format of its numbers. */
  readonly shown: { readonly precision?: number; readonly unit?: string };
  /** Of a sheet: as what its numbers are shown. */
  readonly amount?: ShownAs | undefined;
  /** The parts of moments that all of its cells can be read as. */
  readonly only: readonly ('date' | 'time')[];
  /** Its cells can be read as numbers, and none is a percentage. */
  readonly isBareNumbers: boolean;
  /** The first cells that are not empty, and as a column of this kind stores them. */
  readonly samples: readonly string[];
  readonly stored: readonly string[];
}

/** A whole file's properties as plain data, without its rows. */
export interface TableFacts extends Omit<TableFile, 'source' | 'columns' | 'start' | 'read'> {
  readonly source: Omit<TableFile['source'], 'text'>;
  /** The first lines in short, to choose the heading among. */
  readonly start: readonly { readonly line: number; readonly text: string }[];
  readonly columns: readonly ColumnFacts[];
}

/** What takes a column of the file, by its place among the columns. */
export interface ColumnTarget {
  readonly at: number;
  readonly field: Field;
  /** The index of the file's column that has the ids for this one. */
  readonly ids?: number | undefined;
}

/** Which columns of a list take which of the file. */
export interface Targets {
  readonly targets: readonly ColumnTarget[];
  /** The list was made for the file, so that its maker said what the numbers mean. */
  readonly isMadeFor?: boolean;
}

/** One cell for each target, in their order: its one text, null for an empty cell, or several texts. */
export interface ReadLine {
  readonly line: number;
  /** As they are stored, but not checked yet. An empty text is a value: that of “no”. */
  readonly cells: readonly (string | null | readonly string[])[];
  /** By target: why its cell cannot go in. */
  readonly problems?: readonly (readonly Words[])[];
  /** By target: the ids that stand beside it. */
  readonly ids?: readonly (readonly string[])[];
}

export type FileLine = ReadLine | BadLine;

/** A file whose lines can be read for the columns of a list, from the first each time. */
export interface ReadableTable extends TableFacts {
  read(targets: Targets): AsyncGenerator<readonly FileLine[]>;
}

/** The characters that a line takes in memory and in a message. */
export function charsOf({ cells, ids = [] }: ReadLine): number {
  let chars = 0;
  for (const cell of [...cells, ...ids])
    chars +=
      typeof cell === 'string' ? cell.length : (cell ?? []).reduce((sum, text) => sum + text.length, 0);
  return chars;
}
