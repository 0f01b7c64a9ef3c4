import type { SheetFilterInfo } from 'hucre';
import { readOds } from 'hucre/ods';
import { readXlsx, streamXlsxRows, type CellValue } from 'hucre/xlsx';
import { Refusal } from '../../base/refusal.ts';
import { createPause } from '../../base/yield.ts';
import { said } from '../../words/said.ts';
import type { CsvRecord, Slice } from '../csv/records.ts';
import type { TableSource } from '../csv/source.ts';
import { checkedParts } from './archive.ts';
import { cellText } from './cell-text.ts';

/** Rows that are handed on at a time. */
const SLICE = 200;

/** A row of a sheet, counted from 0. */
interface SheetRow {
  readonly index: number;
  readonly values: readonly CellValue[];
}

/** A kind of workbook: the names of its sheets, and the rows of one, from the first each time. */
interface Format {
  names(bytes: Buffer): Promise<readonly string[]>;
  rows(bytes: Buffer, sheet: number): () => AsyncIterable<SheetRow>;
}

const XLSX: Format = {
  names: (bytes) => namesBy((sheets) => readXlsx(bytes, { sheets })),
  rows: (bytes, sheet) => () => streamXlsxRows(bytes, { sheet }),
};
const ODS: Format = {
  names: (bytes) => namesBy((sheets) => readOds(bytes, { sheets })),
  rows: odsRows,
};

/** The library's way to read these a row at a time drops line ends inside of cells: they are read once, and kept. */
function odsRows(bytes: Buffer, sheet: number): () => AsyncIterable<SheetRow> {
  let read: ReturnType<typeof readOds> | undefined;
  return async function* () {
    const { sheets } = await (read ??= readOds(bytes, { sheets: [sheet] }));
    for (const [index, values] of sheets[0]?.rows.entries() ?? []) yield { index, values };
  };
}

/** The reader of ods tells of each sheet twice. */
async function namesBy(
  read: (sheets: (sheet: SheetFilterInfo) => boolean) => Promise<unknown>,
): Promise<readonly string[]> {
  const names = new Map<number, string>();
  await read(({ index, name }) => {
    names.set(index, name);
    return false;
  });
  return [...names.values()];
}

/**
 * A sheet of a workbook, a row of it as a line: numbers with a point, days with the year first, formulas by what they
 * last gave, errors as the text that is shown. Of joined cells the first one has the value.
 * @param name of the sheet; the first one that holds anything unless given
 * @throws Refusal `impossible`: no workbook, or more than can be read; `malformed`: no such sheet
 */
export async function sheetSource(bytes: Buffer, name: string | undefined): Promise<TableSource> {
  const parts = await checkedParts(bytes);
  const format = parts.has('xl/workbook.xml') ? XLSX : parts.has('content.xml') ? ODS : undefined;
  if (!format) throw new Refusal('impossible', 'sheet.other', said('sheet.other'));
  const sheets = await understood(() => format.names(bytes));
  const chosen = name === undefined ? sheets : sheets.filter((sheet) => sheet === name);
  const found = await firstFilled(format, bytes, sheets, chosen);
  if (!found)
    throw new Refusal('malformed', 'sheet.name', said('sheet.no-such', { sheet: (name ?? '').slice(0, 80) }));
  return {
    encoding: '',
    delimiter: '',
    sheet: found.sheet,
    sheets,
    hints: { decimal: '.', dateOrder: 'YMD' },
    linesBefore: 0,
    isRagged: true,
    text: (cell) => cell,
    records: () => slicesOf(found.rows()),
  };
}

/** Of these sheets the first that holds anything, or the first of all; undefined where there is none. */
async function firstFilled(
  format: Format,
  bytes: Buffer,
  all: readonly string[],
  among: readonly string[],
): Promise<{ readonly sheet: string; readonly rows: () => AsyncIterable<SheetRow> } | undefined> {
  const sheets = among.map((sheet) => ({ sheet, rows: format.rows(bytes, all.indexOf(sheet)) }));
  for (const each of sheets) {
    const filled = slicesOf(each.rows());
    const first = await filled.next();
    await filled.return(undefined);
    if (first.done !== true) return each;
  }
  return sheets[0];
}

async function* slicesOf(rows: AsyncIterable<SheetRow>): AsyncGenerator<Slice, undefined> {
  const pause = createPause();
  let records: CsvRecord[] = [];
  const reading = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await understood(() => reading.next());
      if (next.done === true) break;
      const fields = next.value.values.map(cellText);
      if (fields.some((field) => field !== '')) records.push({ line: next.value.index + 1, fields });
      if (records.length < SLICE) continue;
      yield { records, share: 0 };
      records = [];
      await pause();
    }
  } finally {
    await reading.return?.();
  }
  if (records.length > 0) yield { records, share: 1 };
  return undefined;
}

/** What the reader does not understand is nobody's fault here: the file is not as a workbook is. */
async function understood<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch {
    // Nothing but the library works in here, and on what is cut or made up it fails in ways of all kinds.
    throw new Refusal('impossible', 'sheet.broken', said('sheet.broken'));
  }
}
