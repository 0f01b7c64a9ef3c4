import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { importKeyOf } from '../definitions/import-key.ts';
import type { Field, Module } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import type { SaveCounts } from '../rows/row-writes.ts';
import type { Rows } from '../rows/rows.ts';
import { createFileNotes } from './amount-notes.ts';
import { findIDColumns } from './id-columns.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { findKeyFields, toRowChange, type LineChange } from './lines.ts';
import { createYielder } from '../../base/yield.ts';
import { countChars, type ColumnFacts, type FileLine, type ReadableTable } from '../reading/table-facts.ts';
import { createReferring } from './referring.ts';
import { createResult, type ImportResult, type Result } from './result.ts';
import { matchColumns, unmatchedRefusal, type Match } from './targets.ts';

export interface UpsertOptions {
  /** Names or headers of identifying columns, stored. Empty: each line is a new row; absent: as last time. */
  readonly key?: readonly string[];
  readonly match?: Match;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops between pages; imported lines stay. */
  readonly signal?: AbortSignal;
  readonly marks?: LineMarks;
  /** Lines up to this one are in the list already: they count as unchanged. */
  readonly afterLine?: number;
}

/** Lines of a followed file by key, to skip unchanged ones. */
export interface LineMarks {
  markOf(module: Module, values: LineChange['values']): string;
  /** @param recordID the existing row that the line is for */
  isAsBefore(key: string, mark: string, recordID: string | undefined): boolean;
  /** All of a new line. */
  changedValues(module: Module, key: string, values: LineChange['values']): LineChange['values'];
  /** Records an invalid line; `key` if readable. */
  recordInvalid(key: string | undefined): void;
  /** Call it in the line's transaction. */
  recordLine(tx: Tx, key: string, mark: string): void;
}

export interface ImportProgress {
  readonly done: number;
  readonly total: number;
}

const PAGE = 500;
/** Rows may have megabytes each: writing too many at once would block other requests. */
const MAX_PAGE_CHARS = 2 * 1024 * 1024;

export type TakePage = (rows: Rows, page: readonly Line[]) => Promise<SaveCounts>;

interface Upsert {
  readonly file: ReadableTable;
  readonly module: Module;
  readonly isNew?: boolean;
  readonly options: UpsertOptions;
  /** Called for written and rejected lines. */
  readonly onLine?: (line: FileLine) => void;
}

/**
 * Returns the key columns' names of the last import, empty if it had none. Throws `csv.key` if the file lacks a column,
 * as every line would become a new row.
 */
function lastImportKey(module: Module, matched: readonly (Field | undefined)[]): readonly string[] {
  const key = importKeyOf(module);
  if (key.every((name) => matched.some((field) => field?.name === name))) return key;
  throw new Refusal('malformed', 'csv.key', said('import.key-remembered', { columns: key.join(', ') }));
}

/**
 * Passes changed lines to a callback in pages of 500, or of 2 Mi characters. After each page it reports progress and throws the reason of an
 * aborted signal. Returns counts and rejected lines.
 * @param begin called with the key columns once the file is known to fit; returns the callback, which writes a page
 * @throws Refusal `csv.no-match` if no column fits, `csv.key` for an unusable key
 */
export async function upsertLines(
  lists: Lists,
  { file, module, isNew = false, options, onLine }: Upsert,
  begin: (key: readonly Field[]) => TakePage | Promise<TakePage>,
): Promise<ImportResult> {
  const match = options.match ?? {};
  const matched = matchColumns(file.columns, module.fields, match);
  if (matched.every((field) => !field)) throw unmatchedRefusal(file.columns, module.name);
  const ids = findIDColumns(file.columns, matched);
  const targets = matched.flatMap((field, at) => (field ? [{ at, field, ids: ids[at]?.index }] : []));
  const fields = targets.map(({ field }) => field);
  const key = findKeyFields(options.key ?? lastImportKey(module, matched), module, matched, file.columns);
  const take = await begin(key);
  const referring = await createReferring(lists, fields);
  const rows = await lists.rows(module.moduleID);
  let keys: KeyIndex | undefined;
  const total = file.lines + file.rejectedLines;
  const result = createResult();
  let page: Line[] = [];
  let chars = 0;
  const gone = new Set<number>();
  /**
   * Writes the collected page under the columns' present names, and reports progress; throws if `signal` is aborted.
   */
  const writeCollected = async (): Promise<void> => {
    await lists.withStableColumns(module.moduleID, ({ module: now, rows: held }) => {
      const names = findPresentNames(module, now);
      for (const { at, field } of targets) if (!names.has(field.name)) gone.add(at);
      return writeLines(
        page.map((line) => withPresentNames(line, names)),
        (lines) => take(held, lines),
        result,
      );
    });
    page = [];
    chars = 0;
    options.onProgress?.({ done: result.done, total });
    options.signal?.throwIfAborted();
  };
  const pause = createYielder();
  for await (const lines of file.read({ targets, isMadeFor: isNew })) {
    // If no line is new, reading all rows is wasted.
    if (key.length > 0 && lines.length > 0) keys ??= await createKeyIndex(rows, key);
    for (const record of lines) {
      await pause();
      if ('cells' in record && record.line <= (options.afterLine ?? 0)) {
        result.add(AS_BEFORE);
        continue;
      }
      const line =
        'cells' in record
          ? toRowChange(record, { fields, referring, module, keys })
          : { reason: record.reason };
      if ('reason' in line) {
        options.marks?.recordInvalid(line.key);
        const bad = { line: record.line, reason: line.reason };
        result.skip(bad);
        onLine?.(bad);
      } else {
        const news = keepChangedValues(options.marks, module, line);
        if (news === undefined) result.add(AS_BEFORE);
        else {
          page.push({ ...news, line: record.line });
          if ('cells' in record) chars += countChars(record);
          onLine?.(record);
        }
      }
      if (page.length >= PAGE || chars >= MAX_PAGE_CHARS) await writeCollected();
    }
  }
  await writeCollected();
  const left = matched.map((field, at) => (gone.has(at) ? undefined : field));
  return { moduleID: module.moduleID, ...result.counts(), ...describeFile(file, left, ids) };
}

/** Returns what a result says of the file: totals, notes, doubts, headers, and those without a target. */
function describeFile(
  file: ReadableTable,
  matched: readonly (Field | undefined)[],
  ids: readonly (ColumnFacts | undefined)[],
): Pick<ImportResult, 'sums' | 'notes' | 'doubts' | 'headers' | 'ignored'> {
  const { sums, doubts, columns } = file;
  const taken = columns.flatMap((column, at) => {
    const field = matched[at];
    return field ? [{ column, field }] : [];
  });
  return {
    sums,
    notes: createFileNotes(taken, file),
    doubts,
    headers: columns.map(({ header }) => header),
    ignored: columns
      .filter((column, at) => !matched[at] && !ids.includes(column))
      .map(({ header }) => header),
  };
}

const AS_BEFORE: SaveCounts = { created: 0, updated: 0, unchanged: 1 };

/**
 * Reduces an existing row's values to those that changed in the file, with the new digest; undefined if the line is
 * unchanged. New rows and lines without digests keep all values.
 */
function keepChangedValues(
  marks: LineMarks | undefined,
  module: Module,
  line: LineChange & { readonly key?: string },
): Omit<Line, 'line'> | undefined {
  const { key, recordID, values } = line;
  if (!marks || key === undefined) return line;
  const mark = marks.markOf(module, values);
  if (marks.isAsBefore(key, mark, recordID)) return undefined;
  return {
    ...line,
    mark,
    values: recordID === undefined ? values : marks.changedValues(module, key, values),
  };
}

export interface Line extends LineChange {
  readonly line: number;
  readonly mark?: string;
}

type Names = ReadonlyMap<string, string>;

/** Returns present names by the names in `before`; removed columns are absent. */
function findPresentNames(before: Module, now: Module): Names {
  const names = new Map<string, string>();
  for (const { fieldID, name } of before.fields) {
    const field = now.fields.find((candidate) => candidate.fieldID === fieldID);
    if (field) names.set(name, field.name);
  }
  return names;
}

/** Renames the line's values; drops those of removed columns. */
function withPresentNames(line: Line, names: Names): Line {
  const values: Record<string, readonly string[]> = {};
  for (const [before, texts] of Object.entries(line.values)) {
    const name = names.get(before);
    if (name !== undefined) values[name] = texts;
  }
  return { ...line, values };
}

/**
 * Writes a page in one transaction, counted in `result`. After a refusal it writes line by line, and counts refused
 * ones as rejected; throws other errors.
 */
async function writeLines(
  page: readonly Line[],
  write: (page: readonly Line[]) => Promise<SaveCounts>,
  result: Result,
): Promise<void> {
  if (page.length === 0) return;
  try {
    result.add(await write(page));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first] = page;
    if (page.length === 1 && first) {
      result.skip({ line: first.line, reason: error.words });
      return;
    }
    for (const line of page) await writeLines([line], write, result);
  }
}
