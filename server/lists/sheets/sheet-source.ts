import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import { said } from '../../words/said.ts';
import { unescapeSheetCell } from '../csv/cells.ts';
import type { CsvRecord, Slice } from '../csv/records.ts';
import type { TableSource } from '../csv/source.ts';
import { includesWords, openArchive, sizeRefusal, passwordRefusal } from './archive.ts';
import { openOds } from './ods.ts';
import {
  FIRST_LOOK_CHARS,
  MAX_MERGED,
  type FormulaResult,
  type SheetListener,
  type SheetRow,
  type Workbook,
} from './workbook.ts';
import { openXlsx } from './xlsx.ts';

const SLICE = 200;
const SLICE_LETTERS = 4 * 1024 * 1024;
const SLICE_CELLS = 20_000;
/** Shared texts let a small file hold very much. */
const MAX_LETTERS = 256 * 1024 * 1024;
/** A million rows of thirty columns; both may be declared repeated. */
const MAX_CELLS = 32 * 1024 * 1024;
const maxLettersFor = (bytes: number): number => Math.min(MAX_LETTERS, 32 * 1024 * 1024 + 100 * bytes);
const maxCellsFor = (bytes: number): number => Math.min(MAX_CELLS, 1024 * 1024 + 2 * bytes);

/**
 * Opens a workbook's sheet, a row as a line: numbers with a point, dates with the year first, formulas by their cached
 * result. Merged cells repeat their value downwards. Throws `sheet.other` (no workbook), `sheet.broken`, `sheet.size`,
 * `sheet.name` (unknown) or `sheet.password`.
 * @param name of the sheet; default: the first visible one with content
 * @param options `isPart`: reads only the first rows; merged cells and other sheets are unknown then
 */
export async function openSheetSource(
  bytes: Buffer,
  name: string | undefined,
  {
    signal,
    isPart = false,
    readsTextMarks = true,
  }: {
    readonly signal?: AbortSignal | undefined;
    readonly isPart?: boolean;
    readonly readsTextMarks?: boolean | undefined;
  } = {},
): Promise<TableSource> {
  const part = isPart ? { sheet: name } : undefined;
  const workbook = await wrapErrors(() => openWorkbook(bytes, signal, part), signal);
  if (workbook.sheets.length === 0) throw new Refusal('impossible', 'sheet.other', said('sheet.other'));
  const isKnown = isPart && name !== undefined;
  const filled = isKnown ? [] : await wrapErrors(() => workbook.filledSheets(isPart ? 1 : undefined), signal);
  const at = name === undefined ? (filled[0] ?? 0) : workbook.sheets.indexOf(name);
  const sheet = workbook.sheets[at];
  if (sheet === undefined)
    throw new Refusal('malformed', 'sheet.name', said('sheet.no-such', { sheet: (name ?? '').slice(0, 80) }));
  const otherSheets = filled.filter((each) => each !== at).flatMap((each) => workbook.sheets[each] ?? []);
  const hiddenColumns = new Set<number>();
  const merged = { rows: [] as number[], columns: [] as number[] };
  let frozenRows = 0;
  let linked = 0;
  const formulas: Record<FormulaResult, number> = { calculated: 0, zero: 0, none: 0 };
  return {
    encoding: '',
    delimiter: '',
    sheet,
    sheets: workbook.sheets,
    hints: { decimal: '.', dateOrder: 'YMD' },
    doubts: [],
    linesBefore: 0,
    text: readsTextMarks ? unescapeSheetCell : (cell) => cell,
    hiddenColumns,
    frozenRows: () => frozenRows,
    notes: {
      ...{ merged, leftOut: workbook.leftOut, otherSheets, linked: () => linked },
      // One other result means these zeros may be right.
      uncalculated: () => formulas.none + (formulas.calculated === 0 ? formulas.zero : 0),
    },
    /**
     * Yields the sheet's records from its start. Collects merged cells, links, formulas and hidden columns again,
     * unless only a part is read. Throws `sheet.size` for over 100,000 merged cells.
     */
    records() {
      merged.rows = [];
      merged.columns = [];
      linked = 0;
      Object.assign(formulas, { calculated: 0, zero: 0, none: 0 });
      const frozen = (rows: number): void => void (frozenRows = rows);
      const listener: SheetListener = {
        frozen,
        /** Counts a formula by its cached result. */
        formula(result) {
          formulas[result]++;
        },
        hidden: (column) => void hiddenColumns.add(column),
        linked: (cells) => void (linked += cells),
        /** Records the line of a cell merged over rows or columns. Throws `sheet.size` beyond 100,000 of either. */
        merged(line, over) {
          if (merged[over].push(line) > MAX_MERGED) throw sizeRefusal();
        },
      };
      return toSlices(workbook.rows(at, isPart ? { frozen } : listener), bytes.length, signal);
    },
  };
}

/**
 * Opens a workbook of either format. Throws `sheet.password` for an encrypted one, `sheet.other` for none.
 * @param part reads only what the first rows need
 */
async function openWorkbook(
  bytes: Buffer,
  signal: AbortSignal | undefined,
  part: { readonly sheet: string | undefined } | undefined,
): Promise<Workbook> {
  const archive = await openArchive(bytes, signal);
  // The manifest names encrypted parts.
  if (await includesWords(archive, 'META-INF/manifest.xml', 'encryption-data')) throw passwordRefusal();
  if (archive.has('[Content_Types].xml') && (archive.has('_rels/.rels') || archive.has('xl/workbook.xml')))
    return openXlsx(archive, part && FIRST_LOOK_CHARS);
  if (archive.has('content.xml')) return openOds(archive, part);
  throw new Refusal('impossible', 'sheet.other', said('sheet.other'));
}

/**
 * Yields rows as records in limited batches, and closes `reading` in any case. Throws `sheet.size` beyond the limits
 * for a file of this size, and the reason of an aborted signal.
 */
async function* toSlices(
  reading: AsyncGenerator<readonly SheetRow[]>,
  bytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Slice, undefined> {
  const [mostLetters, mostCells] = [maxLettersFor(bytes), maxCellsFor(bytes)];
  const pause = createYielder();
  let records: CsvRecord[] = [];
  let [inHand, cellsInHand] = [0, 0];
  let whole = 0;
  let cells = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await wrapErrors(() => reading.next(), signal);
      if (next.done === true) break;
      for (const { line, texts, digits, formatted, amounts, isHidden } of next.value) {
        records.push({
          ...{ line, fields: texts },
          ...(digits ? { digits } : {}),
          ...(formatted ? { formatted } : {}),
          ...(amounts ? { amounts } : {}),
          ...(isHidden ? { isHidden } : {}),
        });
        const letters = texts.reduce((sum, text) => sum + text.length, 0);
        inHand += letters;
        whole += letters;
        cells += texts.length;
        if (whole > mostLetters || cells > mostCells) throw sizeRefusal();
        cellsInHand += texts.length;
        if (records.length < SLICE && inHand < SLICE_LETTERS && cellsInHand < SLICE_CELLS) continue;
        yield { records, share: 0 };
        records = [];
        [inHand, cellsInHand] = [0, 0];
        await pause();
      }
      await pause();
    }
  } finally {
    await reading.return(undefined);
  }
  if (records.length > 0) yield { records, share: 1 };
  return undefined;
}

/**
 * Returns the result of `work`; throws its errors as the refusal `sheet.broken`, but refusals and errors after an abort
 * unchanged.
 */
async function wrapErrors<R>(work: () => Promise<R>, signal: AbortSignal | undefined): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal || signal?.aborted === true) throw error;
    throw new Refusal('impossible', 'sheet.broken', said('sheet.broken'));
  }
}
