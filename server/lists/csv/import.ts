import type { Lists } from '../lists.ts';
import { isDeepStrictEqual } from 'node:util';
import { importKeyOf } from '../definitions/import-key.ts';
import type { Field, Module } from '../definitions/model.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Rows } from '../rows/rows.ts';
import type { SaveCounts } from '../rows/row-writes.ts';
import type { ImportUnderWay } from './imports-under-way.ts';
import { amountNotes } from './amount-notes.ts';
import { findIDColumns } from './id-columns.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { keyFields, readLine, type LineChange } from './lines.ts';
import { readTable, type TableFile, type TableOptions } from './read.ts';
import { createKeptLines } from './kept-lines.ts';
import type { BadLine, CsvRecord } from './records.ts';
import { createResult, type ImportResult, type Result } from './result.ts';
import { createReferring } from './referring.ts';
import { fieldsFor, findTargets, type ChosenColumns, type Match } from './targets.ts';
import { StoreError, type Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';

export interface ImportOptions extends TableOptions, ChosenColumns {
  /** The list, or the name or handle of one, which is made from the file where there is none. */
  readonly to:
    | { readonly moduleID: string }
    | {
        readonly name: string;
        readonly namespaceID?: string;
        /** One that is there is not taken. */
        readonly isNew?: boolean;
      };
  /**
   * Names or headers of the columns whose values tell which row a line is about: a row that has them is changed.
   * Empty: every line becomes a new row. Absent: as the last time. They are remembered for the list.
   */
  readonly key?: readonly string[];
  readonly match?: Match;
  /** Id of the user who acts. */
  readonly by: string;
  /** What the file is called, for the past of the rows. */
  readonly file?: string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import between two pages; what went in stays. */
  readonly signal?: AbortSignal;
  /** Of a file that is read again and again, and has a key: what its lines said the last time. */
  readonly marks?: LineMarks;
  /** Rows that stay as they are. Settled: the lines about them count as taken in; else they are looked at again. */
  readonly withheld?: { readonly recordIDs: ReadonlySet<string>; readonly isSettled: boolean };
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

const PAGE = 500;

/** A file, or what was read of it, by the same options, for several looks at it: reading it is most of the work. */
type Readable = Buffer | TableFile;
const tableOf = async (given: Readable, options: TableOptions): Promise<TableFile> =>
  Buffer.isBuffer(given) ? readTable(given, options) : given;

/**
 * Puts a CSV file into a list. Lines that fit go in, in durable pages of 500; the others are told with their
 * number and reason. Columns of the list that the file does not have are left as they are.
 * @throws Refusal when the file or the options cannot be used at all, or nothing of it fits into a list made for it; StoreError from the disk
 */
export async function importTable(
  lists: Lists,
  given: Readable,
  options: ImportOptions,
): Promise<ImportResult> {
  const file = await tableOf(given, options);
  const { module, isNew } = await prepareList(lists, options, () =>
    fieldsFor(file.columns, options, options.match ?? {}),
  );
  // It may be a partner's, and is read in the past of rows and among what is told.
  const name = options.file === undefined ? undefined : plainName(options.file);
  let underWay: ImportUnderWay | undefined;
  const filling = fill(lists, { file, module, isNew, options }, async (key) => {
    const ids = key.map(({ fieldID }) => fieldID);
    if (ids.length > 0 && !isDeepStrictEqual(ids, module.importKey))
      await lists.updateModule(module.moduleID, { importKey: ids });
    underWay = await noted(lists, module, file, { file: name, isKeyed: ids.length > 0 });
    return (rows, page) => {
      const line = page.at(-1)?.line;
      const put = page.filter(({ recordID }) => !isWithheld(options, recordID));
      const from = { ...(name === undefined ? {} : { file: name }) };
      const also = (tx: Tx): void => {
        if (line !== undefined) underWay?.reached(tx, line);
        noteMarks(tx, options.withheld?.isSettled === true ? page : put, options.marks);
      };
      return rows.saveMany(put, options.by, { ...from, also });
    };
  });
  const result = await filling.catch(async (error: unknown) => {
    if (isNew && error instanceof Refusal) await removeEmpty(lists, module);
    return cutOff(error, underWay);
  });
  await underWay?.finish();
  const [first] = result.rejected;
  if (isNew && first && result.created === 0) await takeBack(lists, module, first);
  return result;
}

/** What goes in at once goes in or does not; what takes longer is noted, so that a part is not taken for the whole. */
async function noted(
  lists: Lists,
  { moduleID }: Module,
  file: TableFile,
  about: { readonly file: string | undefined; readonly isKeyed: boolean },
): Promise<ImportUnderWay | undefined> {
  return file.lines > PAGE ? lists.imports.begin({ moduleID, ...about }) : undefined;
}

const isWithheld = ({ withheld }: ImportOptions, recordID: string | undefined): boolean =>
  recordID !== undefined && withheld?.recordIDs.has(recordID) === true;

function noteMarks(tx: Tx, page: readonly Line[], marks: LineMarks | undefined): void {
  for (const { key, mark } of page) if (key !== undefined && mark !== undefined) marks?.note(tx, key, mark);
}

/** Says how much went in before it failed. */
async function cutOff(error: unknown, underWay: ImportUnderWay | undefined): Promise<never> {
  const line = (await underWay?.cut().catch(() => 0)) ?? 0;
  if (line === 0 || !(error instanceof StoreError)) throw error;
  const words = said('import.cut-by', { why: error.words, line });
  throw new StoreError(error.code, words, { cause: error });
}

/** A list that was made for a file of which nothing could go in goes again, unless somebody put rows into it. */
async function removeEmpty(lists: Lists, { moduleID }: Module): Promise<boolean> {
  if ((await (await lists.rows(moduleID)).count()) > 0) return false;
  await lists.removeModule(moduleID);
  return true;
}

async function takeBack(lists: Lists, module: Module, first: BadLine): Promise<void> {
  if (!(await removeEmpty(lists, module))) return;
  throw new Refusal(
    'impossible',
    'csv.nothing-in',
    said('import.nothing-went-in', { line: first.line, reason: first.reason }),
  );
}

/** What to try: nothing is written, so no list is made either. */
export interface TrialOptions extends TableOptions {
  readonly to: { readonly moduleID: string };
  /** As for {@link ImportOptions}. */
  readonly key?: readonly string[];
  readonly match?: Match;
  readonly marks?: LineMarks;
}

/**
 * Tells what {@link importTable} would make of the file, and leaves the list as it is.
 * @throws Refusal as {@link importTable} does
 */
export async function tryTable(lists: Lists, given: Readable, options: TrialOptions): Promise<ImportResult> {
  const file = await tableOf(given, options);
  const module = await lists.module(options.to.moduleID);
  return fill(lists, { file, module, options }, () => (rows, page) => rows.weighMany(page));
}

/**
 * Shows the lines of a file that would go into the list, some at a time, and leaves the list as it is.
 * @returns the file for {@link importTable}: without the lines that say what they said before, unless the others are very
 * many, as to read a workbook and to tell what changed in it is most of the work
 * @throws Refusal as {@link importTable} does
 */
export async function lookThrough(
  lists: Lists,
  given: Readable,
  options: TrialOptions,
  see: (rows: Rows, lines: readonly LineChange[]) => Promise<void>,
): Promise<TableFile> {
  const file = await tableOf(given, options);
  const module = await lists.module(options.to.moduleID);
  const kept = createKeptLines(file);
  await fill(lists, { file, module, options, keep: kept.add }, () => async (rows, page) => {
    await see(rows, page);
    return NOTHING;
  });
  return kept.file();
}

/** Takes a page of changes whole, or refuses it whole. */
type TakePage = (rows: Rows, page: readonly Line[]) => Promise<SaveCounts>;

interface Filling {
  readonly file: TableFile;
  readonly module: Module;
  /** The list was made for the file. */
  readonly isNew?: boolean;
  readonly options: Pick<ImportOptions, 'key' | 'match' | 'onProgress' | 'signal' | 'marks'>;
  /** Is given each line that goes in or cannot, but for those that say what they said before. */
  readonly keep?: (record: CsvRecord | BadLine) => void;
}

/** @param begin once it is known that the file fits: what to do with its pages */
async function fill(
  lists: Lists,
  { file, module, isNew = false, options, keep }: Filling,
  begin: (key: readonly Field[]) => TakePage | Promise<TakePage>,
): Promise<ImportResult> {
  const match = options.match ?? {};
  const targets = findTargets(file.columns, module.fields, match, {
    source: file.source,
    isMadeFor: isNew,
  });
  if (targets.every((target) => !target)) {
    throw new Refusal('impossible', 'csv.no-match', said('import.nothing-fits', { list: module.name }));
  }
  const ids = findIDColumns(file.columns, targets);
  const key = keyFields(options.key ?? importKeyOf(module), module, targets, file.columns);
  const take = await begin(key);
  const referring = await createReferring(
    lists,
    targets.flatMap((target) => (target ? [target.field] : [])),
  );
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
  for await (const { records } of file.read()) {
    // For it all rows are read, which is in vain where nothing of the file is news.
    if (key.length > 0 && records.length > 0) keys ??= await createKeyIndex(rows, key);
    for (const record of records) {
      const line =
        'fields' in record
          ? readLine(record, file.columns, { targets, ids, referring, module, keys })
          : { reason: record.reason };
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
  const ignored = file.columns
    .filter(({ header }, at) => !targets[at] && !ids.has(header))
    .map(({ header }) => header);
  const headers = file.columns.map(({ header }) => header);
  const notes = amountNotes(
    file.columns.flatMap((column, at) => {
      const { field } = targets[at] ?? {};
      return field ? [{ column, field }] : [];
    }),
    file.source,
  );
  return { moduleID: module.moduleID, ...result.counts(), sums: file.sums, notes, headers, ignored };
}

const NOTHING: SaveCounts = { created: 0, updated: 0, unchanged: 0 };
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

async function prepareList(
  lists: Lists,
  { to, refersTo = {} }: ImportOptions,
  fields: () => ReturnType<typeof fieldsFor>,
): Promise<{ readonly module: Module; readonly isNew: boolean }> {
  if ('moduleID' in to) return { module: await lists.module(to.moduleID), isNew: false };
  const namespaceID = to.namespaceID ?? (await lists.defaultNamespace()).namespaceID;
  const wanted = to.name.trim().toLowerCase();
  const inWorkspace = await lists.modules(namespaceID);
  const found =
    inWorkspace.find(({ handle }) => handle.toLowerCase() === wanted) ??
    inWorkspace.find(({ name }) => name.toLowerCase() === wanted);
  // Its columns are others than those of the file that was looked at for a list of its own.
  if (found && to.isNew === true)
    throw new Refusal('conflict', 'list.taken', said('list.name-taken', { list: found.name }));
  if (found) return { module: found, isNew: false };
  for (const moduleID of Object.values(refersTo)) await lists.module(moduleID);
  return { module: await lists.createModule(namespaceID, { name: to.name, fields: fields() }), isNew: true };
}

/** A line that is to go in. */
interface Line extends LineChange {
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
