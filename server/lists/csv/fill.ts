import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { importKeyOf } from '../definitions/import-key.ts';
import type { Field, Module } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import type { SaveCounts } from '../rows/row-writes.ts';
import type { Rows } from '../rows/rows.ts';
import { fileNotes } from './amount-notes.ts';
import { findIDColumns } from './id-columns.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { keyFields, readLine, type LineChange } from './lines.ts';
import { createYielder } from '../../base/yield.ts';
import type { ColumnFacts, FileLine, ReadableTable } from '../reading/table-facts.ts';
import { createReferring } from './referring.ts';
import { createResult, type ImportResult, type Result } from './result.ts';
import { matchColumns, type Match } from './targets.ts';

/** How the lines of a file are held against a list. */
export interface FillOptions {
  /**
   * Names or headers of the columns whose values tell which row a line is about: a row that has them is changed.
   * Empty: every line becomes a new row. Absent: as the last time. They are remembered for the list.
   */
  readonly key?: readonly string[];
  readonly match?: Match;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import between two pages; what went in stays. */
  readonly signal?: AbortSignal;
  /** Of a file that is read again and again, and has a key: what its lines said the last time. */
  readonly marks?: LineMarks;
}

/** What the lines of a file said when it was read before. Those that say the same are passed over. */
export interface LineMarks {
  /** What a line says, in short. */
  markOf(module: Module, values: LineChange['values']): string;
  /** Whether the line of this key said the same. */
  isAsBefore(key: string, mark: string): boolean;
  /** What a line says that the line of this key did not say before; all of a line that was not there. */
  news(module: Module, key: string, values: LineChange['values']): LineChange['values'];
  /** A line cannot go in. Its key, where that can be read. */
  unfit(key: string | undefined): void;
  /** To be called in the write that puts the line in. */
  note(tx: Tx, key: string, mark: string): void;
}

export interface ImportProgress {
  /** Lines dealt with, of so many. */
  readonly done: number;
  readonly total: number;
}

/** Lines that go in or do not at once. */
export const PAGE = 500;

/** Takes a page of changes whole, or refuses it whole. */
export type TakePage = (rows: Rows, page: readonly Line[]) => Promise<SaveCounts>;

interface Filling {
  readonly file: ReadableTable;
  readonly module: Module;
  /** The list was made for the file. */
  readonly isNew?: boolean;
  readonly options: FillOptions;
  /** Is given each line that goes in or cannot, but for those that say what they said before. */
  readonly keep?: (line: FileLine) => void;
}

/** The key of the last import. @throws Refusal where the file lacks a column of it: every line would become a new row */
function rememberedKey(module: Module, matched: readonly (Field | undefined)[]): readonly string[] {
  const key = importKeyOf(module);
  if (key.every((name) => matched.some((field) => field?.name === name))) return key;
  throw new Refusal('malformed', 'csv.key', said('import.key-remembered', { columns: key.join(', ') }));
}

/**
 * Goes through the lines of a file, page by page.
 * @param begin once it is known that the file fits: what to do with its pages
 * @throws Refusal where nothing of it fits, or its key does not
 */
export async function fill(
  lists: Lists,
  { file, module, isNew = false, options, keep }: Filling,
  begin: (key: readonly Field[]) => TakePage | Promise<TakePage>,
): Promise<ImportResult> {
  const match = options.match ?? {};
  const matched = matchColumns(file.columns, module.fields, match);
  if (matched.every((field) => !field)) {
    throw new Refusal('impossible', 'csv.no-match', said('import.nothing-fits', { list: module.name }));
  }
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
  const flush = async (): Promise<void> => {
    // The columns cannot change between a look at their names and the write.
    await lists.forOthers(module.moduleID, ({ module: now, rows: held }) => {
      const names = namesNow(module, now);
      return deal(
        page.map((line) => renamed(line, names)),
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
    // For it all rows are read, which is in vain where nothing of the file is news.
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
        const told = newsOf(options.marks, module, line);
        if (told === undefined) result.add(AS_BEFORE);
        else {
          page.push({ ...told, line: record.line });
          keep?.(record);
        }
      }
      if (page.length >= PAGE) await flush();
    }
  }
  await flush();
  return { moduleID: module.moduleID, ...result.counts(), ...aboutColumns(file, matched, ids) };
}

/** What the result says of the file as a whole and of its columns. */
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
    notes: fileNotes(taken, file),
    doubts,
    headers: columns.map(({ header }) => header),
    ignored: columns
      .filter((column, at) => !matched[at] && !ids.includes(column))
      .map(({ header }) => header),
  };
}

const AS_BEFORE: SaveCounts = { created: 0, updated: 0, unchanged: 1 };

/** What of a line is news since the last reading; undefined where nothing is. A new row takes all of it. */
function newsOf(
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

/** A line that is to go in. */
export interface Line extends LineChange {
  readonly line: number;
  /** What it says, in short, where that is kept. */
  readonly mark?: string;
}

/** What the columns that the list had when the import began are called by now; those that went are not there. */
type Names = ReadonlyMap<string, string>;

function namesNow(before: Module, now: Module): Names {
  const names = new Map<string, string>();
  for (const { fieldID, name } of before.fields) {
    const field = now.fields.find((candidate) => candidate.fieldID === fieldID);
    if (field) names.set(name, field.name);
  }
  return names;
}

function renamed(line: Line, names: Names): Line {
  const values: Record<string, readonly string[]> = {};
  for (const [before, texts] of Object.entries(line.values)) {
    const name = names.get(before);
    if (name !== undefined) values[name] = texts;
  }
  return { ...line, values };
}

/** Deals with a page at once; where a row has gone meanwhile, line by line. */
async function deal(
  page: readonly Line[],
  take: (page: readonly Line[]) => Promise<SaveCounts>,
  result: Result,
): Promise<void> {
  if (page.length === 0) return;
  try {
    result.add(await take(page));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first] = page;
    if (page.length === 1 && first) {
      result.skip({ line: first.line, reason: error.words });
      return;
    }
    for (const line of page) await deal([line], take, result);
  }
}
