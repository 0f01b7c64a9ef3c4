import { tryValues } from '../values/check-values.ts';
import type { Lists } from '../lists.ts';
import type { Module, Values } from '../definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Rows } from '../rows/rows.ts';
import type { RowChange } from '../rows/row-writes.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { MAX_REJECTED, readTable, type TableOptions } from './read.ts';
import type { BadLine } from './records.ts';
import { createReferring, type Referring } from './referring.ts';
import { fieldsFor, findTargets, type ChosenColumns, type Match, type Target } from './targets.ts';
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
 * @throws Refusal when the file or the options cannot be used at all; StoreError from the disk
 */
export async function importTable(
  lists: Lists,
  bytes: Buffer,
  options: ImportOptions,
): Promise<ImportResult> {
  const file = await readTable(bytes, options);
  const match = options.match ?? {};
  const module = await prepareList(lists, options, () => fieldsFor(file.columns, options, match));
  const targets = findTargets(file.columns, module.fields, match, file.source);
  if (targets.every((target) => !target)) {
    throw new Refusal('impossible', 'csv.no-match', said('import.nothing-fits', { list: module.name }));
  }
  const key = keyTarget(options.key ?? module.importKey ?? '', module, targets, file.columns);
  if (key && key.field.name !== module.importKey) {
    await lists.updateModule(module.moduleID, { importKey: key.field.name });
  }

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
      return save(
        held,
        page.map((line) => renamed(line, names)),
        options,
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
          ? readLine(record.fields, file.columns, { targets, referring, module, keys })
          : { reason: record.reason };
      if ('reason' in line) result.skip({ line: record.line, reason: line.reason });
      else page.push({ ...line, line: record.line });
      if (page.length >= PAGE) await flush();
    }
  }
  await flush();
  const ignored = file.columns.filter((_column, at) => !targets[at]).map(({ header }) => header);
  return { moduleID: module.moduleID, ...result.counts(), ignored };
}

async function prepareList(
  lists: Lists,
  { to, refersTo = {} }: ImportOptions,
  fields: () => ReturnType<typeof fieldsFor>,
): Promise<Module> {
  if ('moduleID' in to) return lists.module(to.moduleID);
  const namespaceID = to.namespaceID ?? (await lists.defaultNamespace()).namespaceID;
  const wanted = to.name.trim().toLowerCase();
  const inWorkspace = await lists.modules(namespaceID);
  const found =
    inWorkspace.find(({ handle }) => handle.toLowerCase() === wanted) ??
    inWorkspace.find(({ name }) => name.toLowerCase() === wanted);
  if (found) return found;
  for (const moduleID of Object.values(refersTo)) await lists.module(moduleID);
  return lists.createModule(namespaceID, { name: to.name, fields: fields() });
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
  const { targets, referring, module, keys } = into;
  const values: Record<string, readonly string[]> = {};
  const problems: Words[] = [];
  targets.forEach((target, at) => {
    if (!target) return;
    const texts = target.read(cells[columns[at]?.index ?? -1] ?? '');
    values[target.field.name] = referring.read(target.field, texts, problems);
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

type By = Pick<ImportOptions, 'by' | 'file'>;

/** Saves a page as one write; where a row has gone meanwhile, line by line. */
async function save(rows: Rows, page: readonly Line[], options: By, result: Result): Promise<void> {
  if (page.length === 0) return;
  try {
    result.add(await rows.saveMany(page, options.by, options.file));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [first] = page;
    if (page.length === 1 && first) {
      result.skip({ line: first.line, reason: error.words });
      return;
    }
    for (const line of page) await save(rows, [line], options, result);
  }
}

interface Result {
  /** Lines dealt with. */
  readonly done: number;
  skip(line: BadLine): void;
  add(counts: { created: number; updated: number; unchanged: number }): void;
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
