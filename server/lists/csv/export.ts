import Papa from 'papaparse';
import type { Field, Module, Row } from '../definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Rows } from '../rows/rows.ts';
import { valuesOf } from '../values/value-sets.ts';
import { escapeCell, joinValues, keptApart } from './cells.ts';
import { looksDeclared } from './delimiter.ts';
import { said } from '../../words/said.ts';

export interface ExportOptions {
  /** A comma unless given. */
  readonly delimiter?: string;
  /** Begin with a byte order mark, by which Excel knows UTF-8. */
  readonly bom?: boolean;
  /** Names of the columns, in this order; all of them unless given. */
  readonly columns?: readonly string[];
}

/**
 * A list as CSV in UTF-8, a piece at a time, rows in order of their ids, without the bin. Values that a
 * spreadsheet would take for formulas are escaped; numbers, negative ones too, stay numbers. Several values
 * of one column are joined by `|`. `importTable` gives the same values back.
 * @throws Refusal `malformed` for a column that is not there
 */
export async function* exportCsv(
  module: Module,
  rows: Pick<Rows, 'scan'>,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const delimiter = options.delimiter ?? ',';
  const fields = chooseFields(module, options.columns);
  const write = (lines: readonly (readonly string[])[], isQuoted = false): string =>
    `${Papa.unparse(lines as string[][], { delimiter, newline: '\r\n', quotes: [isQuoted] })}\r\n`;

  const headers = headersOf(fields).map((header) => escapeCell(header, delimiter));
  // Else the whole line would be one that names a separator, and the file would have no header.
  yield (options.bom ? '\uFEFF' : '') + write([headers], looksDeclared(headers[0] ?? ''));
  for await (const page of rows.scan()) {
    if (page.length > 0) yield write(page.map((row) => lineOf(row, fields, delimiter)));
  }
}

/** Those columns, in this order; all of them unless given. @throws Refusal `malformed` for one that is not there */
export function chooseFields({ fields }: Module, names: readonly string[] | undefined): readonly Field[] {
  return (
    names?.map((name) => {
      const field = fields.find((candidate) => candidate.name === name);
      if (field) return field;
      throw new Refusal('malformed', 'csv.column', said('csv.no-such-column', { column: name.slice(0, 80) }));
    }) ?? fields
  );
}

/** Labels, or names where a label would be taken for another column. */
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

function lineOf(row: Row, fields: readonly Field[], delimiter: string): string[] {
  return keptApart(
    fields.map((field) => cellOf(row, field, delimiter)),
    delimiter,
  );
}

function cellOf(row: Row, field: Field, delimiter: string): string {
  const texts = valuesOf(row.values, field.name);
  // "No" must not look like "nothing said".
  const shown = field.kind === 'Bool' ? texts.map((text) => text || '0') : texts;
  const cell = field.isMulti ? joinValues(shown) : (shown[0] ?? '');
  return field.kind === 'Number' && /^-?\d+(\.\d+)?$/.test(cell) ? cell : escapeCell(cell, delimiter);
}
