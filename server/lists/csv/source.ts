import { unescapeCell } from './cells.ts';
import type { FormatHints } from './columns.ts';
import { declaredDelimiter, guessDelimiter, ONE_COLUMN } from './delimiter.ts';
import { decodeSlices, guessEncoding, type GuessedEncoding } from './encoding.ts';
import { readRecords, type Slice } from './records.ts';
import type { Doubt, LeftOut } from '../../base/vocabulary.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** Where the lines of a table come from: a text, or a sheet of a workbook. */
export interface TableSource {
  /** Of a text; empty for a workbook. */
  readonly encoding: string;
  readonly delimiter: string;
  /** The sheet that is read, and all that there are. */
  readonly sheet?: string;
  readonly sheets?: readonly string[];
  /** The columns of the sheet that the program does not show, from 0, once all of it was read. */
  readonly hiddenColumns?: ReadonlySet<number>;
  /** Of a sheet: what is told of it beside its lines, once all of it was read. */
  readonly notes?: SheetNotes;
  /** How numbers and days are written, where that is known. */
  readonly hints: FormatHints;
  /** Guesses about the text that may be wrong. */
  readonly doubts: readonly Doubt[];
  /** So many lines at the beginning say how to read the others. */
  readonly linesBefore: number;
  /** What a cell says. */
  text(cell: string): string;
  /** From the start each time. */
  records(): AsyncGenerator<Slice>;
}

/** What of a workbook comes in otherwise than it stands there, or not at all. */
export interface SheetNotes {
  /** Lines in which a cell begins that is merged with some below it, or with some beside it alone; once for each. */
  readonly merged: { readonly rows: readonly number[]; readonly columns: readonly number[] };
  readonly leftOut: readonly LeftOut[];
  /** Other sheets that hold rows; of very many only the first. */
  readonly otherSheets: readonly string[];
}

const START = 64 * 1024;

/** @throws Refusal `malformed` (options), `impossible` (no text) */
export async function csvSource(
  bytes: Buffer,
  options: FormatHints & { readonly encoding?: string; readonly delimiter?: string },
): Promise<TableSource> {
  const guessed = options.encoding === undefined ? await guessEncoding(bytes) : undefined;
  const encoding = options.encoding ?? guessed?.encoding ?? 'UTF-8';
  const text = startOf(bytes, encoding);
  const guess = options.delimiter === undefined ? guessDelimiter(text, bytes.length > START) : undefined;
  const delimiter = checkDelimiter(guess?.delimiter ?? options.delimiter ?? ',');
  return {
    encoding,
    delimiter,
    hints: options,
    doubts: [
      ...(guess && guess.alternatives.length > 0
        ? [{ kind: 'delimiter', chosen: delimiter, alternatives: guess.alternatives } as const]
        : []),
      ...(guessed ? encodingDoubts(guessed) : []),
    ],
    linesBefore: declaredDelimiter(text) === undefined ? 0 : 1,
    // Our own files are separated by commas, also where that cannot be seen.
    text: (cell) => unescapeCell(cell, delimiter === ONE_COLUMN ? ',' : delimiter),
    records: () => readRecords(bytes, { encoding, delimiter }),
  };
}

function encodingDoubts({ encoding: chosen, alternatives, example }: GuessedEncoding): readonly Doubt[] {
  if (alternatives.length === 0) return [];
  return [{ kind: 'encoding', chosen, alternatives, ...(example === undefined ? {} : { example }) }];
}

function startOf(bytes: Buffer, encoding: string): string {
  for (const text of decodeSlices(bytes.subarray(0, START), encoding)) return text;
  return '';
}

function checkDelimiter(delimiter: string): string {
  if (delimiter === ONE_COLUMN) return delimiter;
  if (delimiter.length === 1 && !/["\r\n\uFEFF]/.test(delimiter)) return delimiter;
  throw new Refusal('malformed', 'csv.delimiter', said('csv.bad-separator'));
}
