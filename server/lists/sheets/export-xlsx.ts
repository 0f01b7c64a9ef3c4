import type { CellValue, ColumnDef } from 'hucre/xlsx';
import { PERCENT, toPercent } from '../../base/amount.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { escapeSheetCell, joinValues } from '../csv/cells.ts';
import { headersOf, isKindRecognised } from '../csv/export.ts';
import { zoneOffsetInName } from '../csv/named-zone.ts';
import { idHeader } from '../csv/id-columns.ts';
import type { Field, Module, Row } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import { isReferring, type References } from '../rows/references.ts';
import type { Rows } from '../rows/rows.ts';
import { valuesOf } from '../values/value-sets.ts';
import { formatCode } from './number-format.ts';
import { toDayCell, toMomentCell, toNumberCell, toTextCell, toTimeCell } from './cell-value.ts';

const LONGEST_TEXT = 32_767;
const MEASURED = 200;
const [NARROWEST, WIDEST] = [8, 60] as const;

/**
 * Yields a workbook of one sheet, rows by id, without the bin: numbers, dates and times as such, all else as text;
 * references as titles. `importTable` reads the same values back if titles are unique or ids included.
 * @throws Refusal `sheet.long` before the first byte if a text exceeds a cell's 32,767 characters
 */
export async function* exportXlsx(
  lists: Pick<Lists, 'references'>,
  list: ForExport,
): AsyncGenerator<Uint8Array> {
  const { fields, name } = list.module;
  const columns = chooseColumns(list);
  const measured: Row[] = [];
  for await (const page of list.rows.scan()) {
    for (const field of fields) checkLength(field, page);
    if (measured.length < MEASURED) measured.push(...page.slice(0, MEASURED - measured.length));
  }
  const shown = await toCells(lists, list.module, columns, measured);
  const described = columns.map(({ field, header, holds }, at): ColumnDef => {
    const widest = Math.max(header.length, ...shown.map((cells) => measureWidth(cells[at])));
    const format = holds === 'values' ? chooseFormat(field) : AS_TEXT;
    return {
      header: toTextCell(escapeSheetCell(header)),
      width: Math.min(WIDEST, Math.max(NARROWEST, format?.width ?? 0, widest) + 2),
      ...(format ? { numFmt: format.code } : {}),
    };
  });
  /** Yields the cells of the rows outside the bin, by id. */
  async function* sheetLines(): AsyncGenerator<CellValue[]> {
    for await (const page of list.rows.scan()) yield* await toCells(lists, list.module, columns, page);
  }
  const { writeXlsxStream } = await import('hucre/xlsx');
  yield* writeXlsxStream(sheetLines(), {
    name: toSheetName(name),
    columns: described,
    freezePane: { rows: 1 },
  });
}

/** Returns a cell's width in characters; 0 for dates and times, whose format has a width. */
const measureWidth = (cell: CellValue | undefined): number =>
  cell instanceof Date ? 0 : String(cell ?? '').length;

interface ForExport {
  readonly module: Module;
  readonly rows: Pick<Rows, 'scan'>;
  readonly withIDs?: boolean | undefined;
}

interface Written {
  readonly field: Field;
  readonly header: string;
  /** Moments are written in the zone that the header tells, as an import reads them so. */
  readonly zoneOffset: number | undefined;
  readonly holds: 'values' | 'ids';
}

/** Returns the columns of the sheet; beside each reference one of ids if wanted. */
function chooseColumns({ module: { fields }, withIDs = false }: ForExport): readonly Written[] {
  const headers = headersOf(fields);
  return fields.flatMap((field, at): Written[] => {
    const header = headers[at] ?? '';
    const values = { field, header, zoneOffset: zoneOffsetInName(header), holds: 'values' } as const;
    if (!withIDs || !isReferring(field)) return [values];
    return [values, { ...values, header: idHeader(header), holds: 'ids' }];
  });
}

const MOMENT = { code: 'yyyy-mm-dd hh:mm:ss', width: 19 } as const;
const PARTS = { date: { code: 'yyyy-mm-dd', width: 10 }, time: { code: 'hh:mm:ss', width: 8 } } as const;

/** Otherwise programs read numbers, dates or booleans. */
const AS_TEXT = { code: '@', width: 0 } as const;

/** Returns a column's number format and width; undefined if its values tell their kind. */
function chooseFormat(field: Field): { readonly code: string; readonly width: number } | undefined {
  const { kind, isMulti } = field;
  const { only, precision = 0, unit } = field.options;
  if (!isKindRecognised(field)) return AS_TEXT;
  if (isMulti) return undefined;
  if (kind === 'DateTime') return only ? PARTS[only] : MOMENT;
  const code = kind === 'Number' ? formatCode(unit, precision) : undefined;
  return code === undefined ? undefined : { code, width: 0 };
}

/** Throws `sheet.long` if a row's text exceeds a cell's 32,767 characters. */
function checkLength({ name, label }: Field, rows: readonly Row[]): void {
  const isLong = (row: Row): boolean => joinValues(valuesOf(row.values, name)).length > LONGEST_TEXT;
  if (!rows.some(isLong)) return;
  throw new Refusal('impossible', 'sheet.long', said('sheet.too-long-text', { column: label || name }));
}

/** Returns the rows' cells, references by title. */
async function toCells(
  lists: Pick<Lists, 'references'>,
  { moduleID, fields }: Module,
  columns: readonly Written[],
  rows: readonly Row[],
): Promise<CellValue[][]> {
  const references: References = fields.some(isReferring)
    ? await lists.references(moduleID, rows)
    : new Map();
  return rows.map((row) =>
    columns.map(({ field, holds, zoneOffset }) => {
      const texts = valuesOf(row.values, field.name);
      return holds === 'ids'
        ? toTextCell(joinValues(texts))
        : toEscapedCell({ field, zoneOffset }, texts, references);
    }),
  );
}

/** Returns the cell, text escaped so that no program reads it as a formula. */
function toEscapedCell(column: InZone, texts: readonly string[], references: References): CellValue {
  const value = toCellValue(column, texts, references);
  return typeof value === 'string' ? toTextCell(escapeSheetCell(value)) : value;
}

type InZone = Pick<Written, 'field' | 'zoneOffset'>;

/** Returns a cell of the column's kind, null for no value; a column of several as a joined text, not yet escaped. */
function toCellValue(
  { field: { kind, isMulti, options }, zoneOffset }: InZone,
  texts: readonly string[],
  references: References,
): CellValue {
  const called = kind === 'Record' ? texts.map((text) => titleOrID(text, references)) : texts;
  if (isMulti) return joinValues(called);
  const [first] = called;
  if (first === undefined) return null;
  if (kind === 'Bool') return first === '1';
  if (kind === 'Number') {
    const cell = toNumberCell(first);
    // Without its sign, text may be number or percentage.
    return typeof cell === 'string' && options.unit === PERCENT ? `${toPercent(cell)} ${PERCENT}` : cell;
  }
  if (kind === 'DateTime')
    return toDayCell(first) ?? toTimeCell(first) ?? toMomentCell(first, zoneOffset) ?? first;
  return first;
}

/** Returns the title of the row with this id; the id if it has none. */
function titleOrID(text: string, references: References): string {
  const name = references.get(text)?.text ?? '';
  return name === '' ? text : name;
}

/**
 * Returns the name without signs that programs refuse, up to 31 characters; `List` if nothing remains, and for
 * `History`, which Excel reserves.
 */
function toSheetName(name: string): string {
  const plain = name
    .replace(/[\\/?*[\]:'\p{Cc}\p{Cs}\p{Cn}\s]+/gu, ' ')
    .trim()
    .slice(0, 31)
    // The cut may have split a surrogate pair.
    .replace(/\p{Cs}$/u, '')
    .trim();
  return plain === '' || plain.toLowerCase() === 'history' ? 'List' : plain;
}
