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
import { keyFields, readLine, type LineChange } from './lines.ts';
import { createYielder } from '../../base/yield.ts';
import type { ColumnFacts, FileLine, ReadableTable } from '../reading/table-facts.ts';
import { createReferring } from './referring.ts';
import { createResult, type ImportResult, type Result } from './result.ts';
import { matchColumns, nothingFits, type Match } from './targets.ts';

/** Options of applying a file's lines to a list. */
export interface FillOptions {
  /**
   * Names or headers of the key columns, which identify the row that a line changes. Empty: every line is a
   * new row. Absent: as last time. Stored with the list.
   */
  readonly key?: readonly string[];
  readonly match?: Match;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Stops the import between two pages; imported lines stay. */
  readonly signal?: AbortSignal;
  /** For a followed file with a key: the previous content of its lines. */
  readonly marks?: LineMarks;
}

/** The previous content of a file's lines; unchanged lines are skipped. */
export interface LineMarks {
  /** Returns a digest of a line. */
  markOf(module: Module, values: LineChange['values']): string;
  /** Returns whether the key's line is unchanged. */
  isAsBefore(key: string, mark: string): boolean;
  /** Returns what changed in the key's line; all of a new line. */
  news(module: Module, key: string, values: LineChange['values']): LineChange['values'];
  /** A line can't be imported; its key, if readable. */
  unfit(key: string | undefined): void;
  /** Call it in the transaction that writes the line. */
  note(tx: Tx, key: string, mark: string): void;
}

export interface ImportProgress {
  /** Processed lines, and their total. */
  readonly done: number;
  readonly total: number;
}

/** Lines per transaction. */
export const PAGE = 500;

/** Writes a page of changes, all or nothing. */
export type TakePage = (rows: Rows, page: readonly Line[]) => Promise<SaveCounts>;

interface Filling {
  readonly file: ReadableTable;
  readonly module: Module;
  /** The list was created for the file. */
  readonly isNew?: boolean;
  readonly options: FillOptions;
  /** Receives each line that is written or rejected, without unchanged ones. */
  readonly keep?: (line: FileLine) => void;
}

/**
 * Returns the column names of the last import's key; empty if it had none. Throws `csv.key` if the file lacks one
 * of them, as every line would become a new row.
 */
function rememberedKey(module: Module, matched: readonly (Field | undefined)[]): readonly string[] {
  const key = importKeyOf(module);
  if (key.every((name) => matched.some((field) => field?.name === name))) return key;
  throw new Refusal('malformed', 'csv.key', said('import.key-remembered', { columns: key.join(', ') }));
}

/**
 * Reads a file, checks its lines against a list, and passes those that changed since the last import to a callback, in
 * pages of {@link PAGE}. Reports progress and throws the reason of an aborted `options.signal` after each page. Returns
 * the counts and the rejected lines.
 * @param begin called with the key columns once the file is known to fit; returns the callback, which writes a page
 * @throws Refusal `csv.no-match` if no column fits, `csv.key` for an unusable key
 */
export async function fill(
  lists: Lists,
  { file, module, isNew = false, options, keep }: Filling,
  begin: (key: readonly Field[]) => TakePage | Promise<TakePage>,
): Promise<ImportResult> {
  const match = options.match ?? {};
  const matched = matchColumns(file.columns, module.fields, match);
  if (matched.every((field) => !field)) throw nothingFits(file.columns, module.name);
  const ids = findIDColumns(file.columns, matched);
  const targets = matched.flatMap((field, at) => (field ? [{ at, field, ids: ids[at]?.index }] : []));
  const fields = targets.map(({ field }) => field);
  const key = keyFields(options.key ?? rememberedKey(module, matched), module, matched, file.columns);
  const take = await begin(key);
  const referring = await createReferring(lists, fields);
  const rows = await lists.rows(module.moduleID);
  let keys: KeyIndex | undefined;
  const total = file.lines + file.rejectedLines;
  const result = createResult();
  let page: Line[] = [];
  /** Indexes of columns whose target was deleted meanwhile. */
  const gone = new Set<number>();
  /**
   * Writes the collected lines under the columns' present names, empties the page and reports progress. Throws the
   * reason of an aborted signal.
   */
  const flush = async (): Promise<void> => {
    // The columns can't change between reading their names and the write.
    await lists.withStableColumns(module.moduleID, ({ module: now, rows: held }) => {
      const names = presentNames(module, now);
      for (const { at, field } of targets) if (!names.has(field.name)) gone.add(at);
      return writeLines(
        page.map((line) => withPresentNames(line, names)),
        (lines) => take(held, lines),
        result,
      );
    });
    page = [];
    options.onProgress?.({ done: result.done, total });
    options.signal?.throwIfAborted();
  };
  const pause = createYielder();
  for await (const lines of file.read({ targets, isMadeFor: isNew })) {
    // Reading all rows for it would be wasted if no line is new.
    if (key.length > 0 && lines.length > 0) keys ??= await createKeyIndex(rows, key);
    for (const record of lines) {
      await pause();
      const line =
        'cells' in record ? readLine(record, { fields, referring, module, keys }) : { reason: record.reason };
      if ('reason' in line) {
        options.marks?.unfit(line.key);
        const bad = { line: record.line, reason: line.reason };
        result.skip(bad);
        keep?.(bad);
      } else {
        const news = changedSinceLastTime(options.marks, module, line);
        if (news === undefined) result.add(AS_BEFORE);
        else {
          page.push({ ...news, line: record.line });
          keep?.(record);
        }
      }
      if (page.length >= PAGE) await flush();
    }
  }
  await flush();
  const left = matched.map((field, at) => (gone.has(at) ? undefined : field));
  return { moduleID: module.moduleID, ...result.counts(), ...aboutColumns(file, left, ids) };
}

/**
 * Returns the result's parts that concern the file and its columns: totals, notes, doubts, headers, and headers
 * without a target.
 */
function aboutColumns(
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
 * Returns the line reduced to values that changed since the last import, with its new digest; undefined if it is
 * unchanged. A new row, or a line without digests, keeps all values.
 */
function changedSinceLastTime(
  marks: LineMarks | undefined,
  module: Module,
  line: LineChange & { readonly key?: string },
): Omit<Line, 'line'> | undefined {
  const { key, recordID, values } = line;
  if (!marks || key === undefined) return line;
  const mark = marks.markOf(module, values);
  if (marks.isAsBefore(key, mark)) return undefined;
  return { ...line, mark, values: recordID === undefined ? values : marks.news(module, key, values) };
}

/** A line to write. */
export interface Line extends LineChange {
  readonly line: number;
  /** Its digest, if one is stored. */
  readonly mark?: string;
}

/** Present names of the columns from the import's start, without removed ones. */
type Names = ReadonlyMap<string, string>;

/** Returns the present names of the columns that the list had before, by the former ones; removed columns are absent. */
function presentNames(before: Module, now: Module): Names {
  const names = new Map<string, string>();
  for (const { fieldID, name } of before.fields) {
    const field = now.fields.find((candidate) => candidate.fieldID === fieldID);
    if (field) names.set(name, field.name);
  }
  return names;
}

/** Returns a copy of the line under the present column names, without the values of removed columns. */
function withPresentNames(line: Line, names: Names): Line {
  const values: Record<string, readonly string[]> = {};
  for (const [before, texts] of Object.entries(line.values)) {
    const name = names.get(before);
    if (name !== undefined) values[name] = texts;
  }
  return { ...line, values };
}

/**
 * Writes a page in one transaction and adds its counts to `result`. On a refusal, such as for a removed row,
 * repeats it line by line and counts the refused ones as rejected. Other errors are thrown.
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
