import { tryValues } from '../values/check-values.ts';
import type { Lists } from '../lists.ts';
import type { Module, Values } from '../definitions/model.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Rows } from '../rows/rows.ts';
import type { RowChange, SaveCounts } from '../rows/row-writes.ts';
import type { ImportUnderWay } from './imports-under-way.ts';
import { findIDColumns, type IDColumns } from './id-columns.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { MAX_REJECTED, readTable, type TableFile, type TableOptions } from './read.ts';
import type { BadLine } from './records.ts';
import { createReferring, type Referring } from './referring.ts';
import { fieldsFor, findTargets, type ChosenColumns, type Match, type Target } from './targets.ts';
import { StoreError, type Tx } from '../../store/store.ts';
import { joined, said, type Words } from '../../words/said.ts';

export interface ImportOptions extends TableOptions, ChosenColumns {
  /** The list, or the name or handle of one, which is made from the file where there is none. */
  readonly to: { readonly moduleID: string } | { readonly name: string; readonly namespaceID?: string };
  /**
   * Name or header of the column whose value tells which row a line is about: a row that has it is changed.
   * Empty: every line becomes a new row. Absent: as the last time. It is remembered for the list.
   */
  readonly key?: string;
  readonly match?: Match;
  /** Id of the user who acts. */
  readonly by: string;
  /** What the file is called, for the past of the rows. */
  readonly file?: string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Ends the import between two pages; what went in stays. */
  readonly signal?: AbortSignal;
}

export interface ImportProgress {
  /** Lines dealt with, of so many. */
  readonly done: number;
  readonly total: number;
}

export interface ImportResult {
  readonly moduleID: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** The first 1,000 lines that did not go in, with the reason. */
  readonly rejected: readonly BadLine[];
  readonly rejectedLines: number;
  /** Headers that no column of the list takes. */
  readonly ignored: readonly string[];
}

const PAGE = 500;

/**
 * Puts a CSV file into a list. Lines that fit go in, in durable pages of 500; the others are told with their
 * number and reason. Columns of the list that the file does not have are left as they are.
 * @throws Refusal when the file or the options cannot be used at all, or nothing of it fits into a list made for it; StoreError from the disk
 */
export async function importTable(
  lists: Lists,
  bytes: Buffer,
  options: ImportOptions,
): Promise<ImportResult> {
  const file = await readTable(bytes, options);
  const { module, isNew } = await prepareList(lists, options, () =>
    fieldsFor(file.columns, options, options.match ?? {}),
  );
  // It may be a partner's, and is read in the past of rows and among what is told.
  const name = options.file === undefined ? undefined : plainName(options.file);
  let underWay: ImportUnderWay | undefined;
  const filling = fill(lists, { file, module, options }, async (key) => {
    if (key && key.field.name !== module.importKey) {
      await lists.updateModule(module.moduleID, { importKey: key.field.name });
    }
    underWay = await noted(lists, module, file, { file: name, isKeyed: key !== undefined });
    return (rows, page) => {
      const line = page.at(-1)?.line;
      const from = { ...(name === undefined ? {} : { file: name }) };
      return rows.saveMany(page, options.by, { ...from, ...reaching(underWay, line) });
    };
  });
  const result = await filling.catch((error: unknown) => cutOff(error, underWay));
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

const reaching = (
  underWay: ImportUnderWay | undefined,
  line: number | undefined,
): { readonly also?: (tx: Tx) => void } =>
  underWay && line !== undefined ? { also: (tx) => underWay.reached(tx, line) } : {};

/** Says how much went in before it failed. */
async function cutOff(error: unknown, underWay: ImportUnderWay | undefined): Promise<never> {
  const line = (await underWay?.cut().catch(() => 0)) ?? 0;
  if (line === 0 || !(error instanceof StoreError)) throw error;
  const words = said('import.cut-by', { why: error.words, line });
  throw new StoreError(error.code, words, { cause: error });
}

/** A list that was made for a file of which nothing could go in goes again, unless somebody put rows into it. */
async function takeBack(lists: Lists, { moduleID }: Module, first: BadLine): Promise<void> {
  if ((await (await lists.rows(moduleID)).count()) > 0) return;
  await lists.removeModule(moduleID);
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
  readonly key?: string;
  readonly match?: Match;
}

/**
 * Tells what {@link importTable} would make of the file, and leaves the list as it is.
 * @throws Refusal as {@link importTable} does
 */
export async function tryTable(lists: Lists, bytes: Buffer, options: TrialOptions): Promise<ImportResult> {
  const file = await readTable(bytes, options);
  const module = await lists.module(options.to.moduleID);
  return fill(lists, { file, module, options }, () => (rows, page) => rows.weighMany(page));
}

/** Takes a page of changes whole, or refuses it whole. */
type TakePage = (rows: Rows, page: readonly Line[]) => Promise<SaveCounts>;

interface Filling {
  readonly file: TableFile;
  readonly module: Module;
  readonly options: Pick<ImportOptions, 'key' | 'match' | 'onProgress' | 'signal'>;
}

/** @param begin once it is known that the file fits: what to do with its pages */
async function fill(
  lists: Lists,
  { file, module, options }: Filling,
  begin: (key: Target | undefined) => TakePage | Promise<TakePage>,
): Promise<ImportResult> {
  const match = options.match ?? {};
  const targets = findTargets(file.columns, module.fields, match, file.source);
  if (targets.every((target) => !target)) {
    throw new Refusal('impossible', 'csv.no-match', said('import.nothing-fits', { list: module.name }));
  }
  const ids = findIDColumns(file.columns, targets);
  const key = keyTarget(options.key ?? module.importKey ?? '', module, targets, file.columns);
  const take = await begin(key);
  const referring = await createReferring(
    lists,
    targets.flatMap((target) => (target ? [target.field] : [])),
  );
  const rows = await lists.rows(module.moduleID);
  const keys = key && (await createKeyIndex(rows, key.field));
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
    for (const record of records) {
      const line =
        'fields' in record
          ? readLine(record.fields, file.columns, { targets, ids, referring, module, keys })
          : { reason: record.reason };
      if ('reason' in line) result.skip({ line: record.line, reason: line.reason });
      else page.push({ ...line, line: record.line });
      if (page.length >= PAGE) await flush();
    }
  }
  await flush();
  const ignored = file.columns
    .filter(({ header }, at) => !targets[at] && !ids.has(header))
    .map(({ header }) => header);
  return { moduleID: module.moduleID, ...result.counts(), ignored };
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
  if (found) return { module: found, isNew: false };
  for (const moduleID of Object.values(refersTo)) await lists.module(moduleID);
  return { module: await lists.createModule(namespaceID, { name: to.name, fields: fields() }), isNew: true };
}

/** Why a line cannot go into the list. */
interface Unfit {
  readonly reason: Words;
}

interface Line extends RowChange {
  readonly line: number;
}

/** What the lines of a file go into. */
interface Into {
  readonly targets: readonly (Target | undefined)[];
  readonly ids: IDColumns;
  readonly referring: Referring;
  readonly module: Module;
  readonly keys: KeyIndex | undefined;
}

/** The change that a line of the file means, or why it cannot be. */
function readLine(
  cells: readonly string[],
  columns: readonly { readonly index: number }[],
  into: Into,
): RowChange | Unfit {
  const { targets, ids, referring, module, keys } = into;
  const values: Record<string, readonly string[]> = {};
  const problems: Words[] = [];
  targets.forEach((target, at) => {
    if (!target) return;
    const texts = target.read(cells[columns[at]?.index ?? -1] ?? '');
    const cell = { texts, ids: ids.beside(cells, at) };
    values[target.field.name] = referring.read(target.field, cell, problems);
  });
  if (problems.length > 0) return { reason: said('sentence.ended', { text: joined(problems, '. ') }) };
  const fit = fitting(module, values, keys === undefined);
  if ('reason' in fit || !keys) return fit;
  const row = keys.take(fit.values);
  if ('problem' in row) return { reason: row.problem };
  if (row.recordID !== undefined) return { recordID: row.recordID, values: fit.values };
  return fitting(module, values, true);
}

function fitting(module: Module, values: Values, whole: boolean): { readonly values: Values } | Unfit {
  const checked = tryValues(module.fields, values, whole);
  return 'values' in checked
    ? checked
    : { reason: said('sentence.ended', { text: joined(checked.problems, '. ') }) };
}

function keyTarget(
  key: string,
  module: Module,
  targets: readonly (Target | undefined)[],
  columns: readonly { readonly header: string }[],
): Target | undefined {
  if (key === '') return undefined;
  const target =
    targets.find((candidate) => candidate?.field.name === key) ??
    targets.find((_candidate, at) => columns[at]?.header === key);
  if (!target) {
    throw new Refusal(
      'malformed',
      'csv.key',
      said('import.key-not-in-both', { column: key, list: module.name }),
    );
  }
  if (target.field.isMulti) {
    throw new Refusal('malformed', 'csv.key', said('import.key-several-values', { column: key }));
  }
  return target;
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

function renamed<L extends RowChange>(line: L, names: Names): L {
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

interface Result {
  /** Lines dealt with. */
  readonly done: number;
  skip(line: BadLine): void;
  add(counts: SaveCounts): void;
  counts(): Omit<ImportResult, 'moduleID' | 'ignored'>;
}

function createResult(): Result {
  const sums = { created: 0, updated: 0, unchanged: 0 };
  const rejected: BadLine[] = [];
  let rejectedLines = 0;
  return {
    get done() {
      return sums.created + sums.updated + sums.unchanged + rejectedLines;
    },
    skip(line) {
      rejectedLines++;
      if (rejected.length < MAX_REJECTED) rejected.push(line);
    },
    add({ created, updated, unchanged }) {
      sums.created += created;
      sums.updated += updated;
      sums.unchanged += unchanged;
    },
    counts: () => ({ ...sums, rejected, rejectedLines }),
  };
}
