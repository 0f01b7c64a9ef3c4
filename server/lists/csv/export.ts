import { isDeepStrictEqual } from 'node:util';
import Papa from 'papaparse';
import type { Field, Module, Row } from '../definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Rows } from '../rows/rows.ts';
import { valuesOf } from '../values/value-sets.ts';
import { escapeCell, isSignedNumber, joinValues, looksDrawn, separateNumbers } from './cells.ts';
import { ColumnGuess, type FormatHints } from './columns.ts';
import { looksDeclared, ONE_COLUMN } from './delimiter.ts';
import { said } from '../../words/said.ts';

export interface ExportOptions {
  /** Default: comma. */
  readonly delimiter?: string;
  /** Writes a byte order mark, by which Excel recognises UTF-8. */
  readonly bom?: boolean;
  /** Names of the columns, in this order; default: all. */
  readonly columns?: readonly string[];
}

/**
 * Yields a list as UTF-8 CSV, rows ordered by id, without the bin. Values that spreadsheets would evaluate
 * are escaped; numbers, also negative ones, stay numbers. Several values are joined by `|`. `importTable`
 * reads the same values back, also into a new list: if its guess would differ, a first line names the
 * delimiter, and an apostrophe marks the first value of a text column.
 * @throws Refusal `csv.column` for an unknown column
 */
export async function* exportCsv(
  module: Module,
  rows: Pick<Rows, 'scan'>,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const delimiter = options.delimiter ?? ',';
  const fields = chooseFields(module, options.columns);
  const headers = headersOf(fields).map((header) => escapeCell(header, delimiter));
  const write = (lines: readonly (readonly string[])[]): string =>
    `${Papa.unparse(lines as string[][], { delimiter, newline: '\r\n', quotes: isCutElsewhere })}\r\n`;
  const linesOf = (page: readonly Row[], unmarked: Set<Field>): string[][] =>
    page.map((row) => lineOf(row, fields, { delimiter, unmarked }));

  const { start, texts } = await survey(rows, fields);
  const sample = linesOf(start, new Set(texts));
  const isPlain = await isReadAs(write([headers, ...sample]), sample, { delimiter, columns: headers.length });
  yield options.bom ? '\uFEFF' : '';
  if (!isPlain) yield `sep=${delimiter}\r\n`;
  yield write([headers]);
  const unmarked = new Set(texts);
  for await (const page of rows.scan()) if (page.length > 0) yield write(linesOf(page, unmarked));
}

/**
 * Returns whether to quote a cell: other programs would split it at their delimiter, or an import would take its
 * line for a delimiter line or a drawn line.
 */
const isCutElsewhere = (value: unknown): boolean =>
  typeof value === 'string' && (/[,;\t|]/.test(value) || looksDeclared(value) || looksDrawn(value));

/** Rows that are read back like an import, and their character limit. */
const SURVEYED = 500;
const SURVEYED_LETTERS = 64 * 1024;
/** Returns whether an import recognises the column's kind by the notation of its values. */
export const isKnownAgain = ({ kind }: Pick<Field, 'kind'>): boolean => KNOWN_AGAIN.has(kind);
const KNOWN_AGAIN: ReadonlySet<Field['kind']> = new Set([
  'Number',
  'DateTime',
  'Bool',
  'Email',
  'Url',
  'Geometry',
]);

/** Other columns decide which convention an import uses. */
const CONVENTIONS: readonly FormatHints[] = [{}, { decimal: '.' }, { decimal: ',' }];

/** Reads all rows; returns the first ones, and the text columns that an import would take for numbers or dates. */
async function survey(
  rows: Pick<Rows, 'scan'>,
  fields: readonly Field[],
): Promise<{ readonly start: readonly Row[]; readonly texts: readonly Field[] }> {
  const start: Row[] = [];
  let letters = 0;
  const columns = fields
    .filter((field) => !isKnownAgain(field))
    .map((field) => ({ field, guesses: CONVENTIONS.map((options) => new ColumnGuess(options)) }));
  for await (const page of rows.scan())
    for (const row of page) {
      if (start.length < SURVEYED && letters < SURVEYED_LETTERS) start.push(row);
      for (const { field, guesses } of columns) {
        const cell = joinValues(valuesOf(row.values, field.name));
        letters += cell.length;
        for (const guess of guesses) guess.see(cell);
      }
    }
  const areTexts = columns.filter(({ guesses }) => guesses.some((guess) => guess.format()));
  return { start, texts: areTexts.map(({ field }) => field) };
}

/**
 * Returns whether an import without options reads the text as a table of these lines and columns. False if the
 * import refuses it.
 */
async function isReadAs(
  text: string,
  lines: readonly (readonly string[])[],
  { delimiter, columns }: { readonly delimiter: string; readonly columns: number },
): Promise<boolean> {
  const filled = lines.filter((cells) => cells.some((cell) => cell.trim() !== '')).length;
  const { readTable } = await import('./read.ts');
  const file = await readTable(Buffer.from(text), {}).catch(() => undefined);
  return (
    file?.headerLine === 1 &&
    (file.source.delimiter === delimiter ||
      (columns === 1 && file.source.delimiter === ONE_COLUMN && delimiter === ',')) &&
    file.columns.length === columns &&
    file.lines === filled &&
    file.rejectedLines === 0
  );
}

/**
 * Returns the named columns in this order; all by default.
 * @throws Refusal `csv.column` for an unknown one
 */
export function chooseFields({ fields }: Module, names: readonly string[] | undefined): readonly Field[] {
  return (
    names?.map((name) => {
      const field = fields.find((candidate) => candidate.name === name);
      if (field) return field;
      throw new Refusal('malformed', 'csv.column', said('csv.no-such-column', { column: name.slice(0, 80) }));
    }) ?? fields
  );
}

/** Returns the header of each column: its label, or its name if the label would match another column. */
export function headersOf(fields: readonly Field[]): string[] {
  return fields.map(({ name, label }) => {
    const wanted = label.toLowerCase();
    const meansOther = fields.some(
      (other) =>
        other.name !== name && (other.name.toLowerCase() === wanted || other.label.toLowerCase() === wanted),
    );
    return meansOther ? name : label;
  });
}

interface Writing {
  readonly delimiter: string;
  /** Text columns whose first value still needs its mark. */
  readonly unmarked: Set<Field>;
}

/** Returns a row's escaped cells. Removes text columns from `writing.unmarked` once their first value is marked. */
function lineOf(row: Row, fields: readonly Field[], writing: Writing): string[] {
  return separateNumbers(
    fields.map((field) => cellOf(row, field, writing)),
    writing.delimiter,
  );
}

/**
 * Returns an escaped cell: plain numbers unescaped, Bool as `true` or `false`. The first value of an unmarked text
 * column gets an apostrophe; the column is removed from `unmarked`.
 */
function cellOf(row: Row, field: Field, { delimiter, unmarked }: Writing): string {
  const texts = valuesOf(row.values, field.name);
  // "No" must differ from an empty cell, and neither is a number.
  const shown = field.kind === 'Bool' ? texts.map((text) => (text === '1' ? 'true' : 'false')) : texts;
  const cell = field.isMulti ? joinValues(shown) : (shown[0] ?? '');
  if (field.kind === 'Number' && /^-?\d+(\.\d+)?$/.test(cell)) return cell;
  // A signed number gets its apostrophe in any case, and perhaps one that says nothing of its column.
  const isFirst = cell.trim() !== '' && !isSignedNumber(cell) && unmarked.delete(field);
  return escapeCell(cell, delimiter, isFirst);
}

/**
 * Yields the pieces of an export while the list keeps its columns: rows lose the values of one that is dropped. Throws
 * `list.columns-changed` (409) otherwise.
 */
export async function* withSameColumns<T>(
  lists: { readonly settledModule: (moduleID: string) => Promise<Module> },
  { moduleID, fields }: Module,
  pieces: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const piece of pieces) {
    // Once the piece is read: a change that began before it has ended then.
    const now = await lists.settledModule(moduleID);
    if (!isDeepStrictEqual(now.fields, fields))
      throw new Refusal('conflict', 'list.columns-changed', said('list.columns-changed'));
    yield piece;
  }
}
