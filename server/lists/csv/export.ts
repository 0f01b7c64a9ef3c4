import { isDeepStrictEqual } from 'node:util';
import Papa from 'papaparse';
import type { Field, Module, Row } from '../definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Rows } from '../rows/rows.ts';
import { valuesOf } from '../values/value-sets.ts';
import {
  escapeCell,
  isSignedNumber,
  joinValues,
  looksDrawn,
  looksLikeValue,
  separateSignedNumbers,
} from './cells.ts';
import { findCodePatterns } from './code-columns.ts';
import { ColumnGuess, type FormatHints } from './columns.ts';
import { looksDeclared, ONE_COLUMN } from './delimiter.ts';
import { VersionsSeen } from './units-seen.ts';
import { said } from '../../words/said.ts';

export interface ExportOptions {
  /** Default: comma. */
  readonly delimiter?: string;
  readonly bom?: boolean;
  readonly columns?: readonly string[];
}

/**
 * Yields UTF-8 CSV, ordered by id, without deleted rows. Values that spreadsheets would evaluate are escaped, and
 * `importTable` reads the same values back: where its guess would differ, a first line names the delimiter, an
 * apostrophe marks a text column, and a plus a column of numbers.
 * @throws Refusal `csv.column` for an unknown column
 */
export async function* exportCsv(
  module: Module,
  rows: Pick<Rows, 'scan'>,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const delimiter = options.delimiter ?? ',';
  const fields = chooseFields(module, options.columns);
  const labels = headersOf(fields);
  const headers = labels.map((header) => escapeCell(header, delimiter));
  const write = (lines: readonly (readonly string[])[]): string =>
    `${Papa.unparse(lines as string[][], { delimiter, newline: '\r\n', quotes: isCutElsewhere })}\r\n`;
  const linesOf = (page: readonly Row[], unmarked: Set<Field>): string[][] =>
    page.map((row) => writeRow(row, fields, { delimiter, unmarked }));

  const { start, toMark } = await surveyRows(rows, fields, labels);
  const sample = linesOf(start, new Set(toMark));
  const isPlain = await isReadAs(write([headers, ...sample]), sample, { delimiter, columns: headers.length });
  yield options.bom ? '\uFEFF' : '';
  if (!isPlain) yield `sep=${delimiter}\r\n`;
  yield write([headers]);
  const unmarked = new Set(toMark);
  for await (const page of rows.scan()) if (page.length > 0) yield write(linesOf(page, unmarked));
}

/** Programs would split the cell at their delimiter, or we take it for a drawn line. */
const isCutElsewhere = (value: unknown): boolean =>
  typeof value === 'string' && (/[,;\t|]/.test(value) || looksDeclared(value) || looksDrawn(value));

const SURVEYED = 500;
const SURVEYED_LETTERS = 64 * 1024;
/** Returns whether an import recognises the kind by the notation of values. */
export const isKindRecognised = ({ kind }: Pick<Field, 'kind'>): boolean => KNOWN_AGAIN.has(kind);
const KNOWN_AGAIN: ReadonlySet<Field['kind']> = new Set([
  'Number',
  'DateTime',
  'Bool',
  'Email',
  'Url',
  'Geometry',
]);

/** Other columns decide the import's decimal mark. */
const CONVENTIONS: readonly FormatHints[] = [{}, { decimal: '.' }, { decimal: ',' }];

/**
 * Returns the first rows (500 or 64 Ki characters), and columns to mark: of texts that an import would take for others,
 * and of numbers that it would take for codes or versions.
 */
async function surveyRows(
  rows: Pick<Rows, 'scan'>,
  fields: readonly Field[],
  labels: readonly string[],
): Promise<{ readonly start: readonly Row[]; readonly toMark: readonly Field[] }> {
  const start: Row[] = [];
  let letters = 0;
  const columns = fields
    .filter((field) => !isKindRecognised(field))
    .map((field) => ({ field, guesses: CONVENTIONS.map((options) => new ColumnGuess(options)) }));
  const numbers = fields.flatMap((field, at) =>
    field.kind === 'Number'
      ? [{ field, versions: new VersionsSeen(), codes: findCodePatterns(labels[at] ?? '') }]
      : [],
  );
  for await (const page of rows.scan())
    for (const row of page) {
      if (start.length < SURVEYED && letters < SURVEYED_LETTERS) start.push(row);
      for (const { field, guesses } of columns) {
        const cell = joinValues(valuesOf(row.values, field.name));
        letters += cell.length;
        for (const guess of guesses) guess.recordCell(cell);
      }
      for (const column of numbers)
        for (const number of valuesOf(row.values, column.field.name)) {
          column.versions.recordNumber({ number, isInBrackets: false });
          if (column.codes.length > 0 && !column.codes.some((code) => code.test(number))) column.codes = [];
        }
    }
  const areTexts = columns.filter(({ guesses }) => guesses.some((guess) => guess.format()));
  const mayBeTexts = numbers.filter(({ versions, codes }) => versions.areLikely() || codes.length > 0);
  return { start, toMark: [...areTexts, ...mayBeTexts].map(({ field }) => field) };
}

/**
 * Returns whether an import without options finds the heading in line 1, this delimiter, and as many columns and filled
 * lines, rejecting none; false if it refuses `text`. Values aren't compared.
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
 * Returns columns in this order, by default all.
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

/** Returns labels; the name where the label would match another column. */
export function headersOf(fields: readonly Field[]): string[] {
  return fields.map(({ name, label }) => {
    const wanted = label.toLowerCase();
    const meansOther = fields.some((other) => other.name !== name && other.label.toLowerCase() === wanted);
    return meansOther ? name : label;
  });
}

interface Writing {
  readonly delimiter: string;
  readonly unmarked: Set<Field>;
}

/**
 * Returns the escaped cells of a row. Marks the first value of columns in `writing.unmarked`, and removes these from
 * there.
 */
function writeRow(row: Row, fields: readonly Field[], writing: Writing): string[] {
  return separateSignedNumbers(
    fields.map((field) => writeCell(row, field, writing)),
    writing.delimiter,
  );
}

/**
 * Returns the escaped cell, yes/no as `true`/`false`. Marks the first suitable value of a column in `unmarked`, and
 * removes the column from there: a positive number of one to three decimals with a plus, a text with an apostrophe.
 * `NA` can't be marked.
 */
function writeCell(row: Row, field: Field, { delimiter, unmarked }: Writing): string {
  const texts = valuesOf(row.values, field.name);
  // “No” must differ from empty.
  const shown = field.kind === 'Bool' ? texts.map((text) => (text === '1' ? 'true' : 'false')) : texts;
  const cell = field.isMulti ? joinValues(shown) : (shown[0] ?? '');
  if (field.kind === 'Number' && /^-?\d+(\.\d+)?$/.test(cell))
    return /^\d+\.\d{1,3}$/.test(cell) && unmarked.delete(field) ? `+${cell}` : cell;
  const canMark = cell.trim() !== '' && looksLikeValue(cell) && !isSignedNumber(cell);
  return escapeCell(cell, delimiter, canMark && unmarked.delete(field));
}

/**
 * Passes pieces on. Throws `list.columns-changed` before a piece if columns have changed, as rows lose the values of a
 * dropped column.
 */
export async function* whileColumnsStay<T>(
  lists: { readonly settledModule: (moduleID: string) => Promise<Module> },
  { moduleID, fields }: Module,
  pieces: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const piece of pieces) {
    const now = await lists.settledModule(moduleID);
    if (!isDeepStrictEqual(now.fields, fields))
      throw new Refusal('conflict', 'list.columns-changed', said('list.columns-changed'));
    yield piece;
  }
}
