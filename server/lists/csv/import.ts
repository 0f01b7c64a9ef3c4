import { isDeepStrictEqual } from 'node:util';
import { plainName } from '../../base/plain-name.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import { StoreError, type Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { importKeyIDs } from '../definitions/import-key.ts';
import type { Module } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import type { SaveCounts } from '../rows/row-writes.ts';
import type { Rows } from '../rows/rows.ts';
import type { UndoStep } from '../rows/undo-log.ts';
import { valuesOf } from '../values/value-sets.ts';
import { upsertLines, type UpsertOptions, type Line, type LineMarks } from './upsert-lines.ts';
import type { ImportUnderWay } from './imports-under-way.ts';
import type { LineChange } from './lines.ts';
import { withTable } from '../reading/read-in-worker.ts';
import type { TableOptions } from './read.ts';
import { type ReadableTable, countChars, type FileLine } from '../reading/table-facts.ts';
import type { BadLine } from './records.ts';
import type { ImportResult } from './result.ts';
import { createFieldsFor, type ChosenColumns } from './targets.ts';

interface BlankOption {
  /** `keep`: blank cells leave existing rows unchanged; `empty`, the default: they empty cells. */
  readonly blanks?: 'keep' | 'empty';
}

export interface ImportOptions extends TableOptions, ChosenColumns, UpsertOptions, BlankOption {
  /** An unknown name or handle creates a list. */
  readonly to:
    | { readonly moduleID: string }
    | {
        readonly name: string;
        readonly namespaceID?: string;
        /** Refuses an existing name. */
        readonly isNew?: boolean;
      };
  readonly by: string;
  readonly file?: string;
  /** The client's: the file goes in once, also if it is sent again without an answer. */
  readonly idempotencyKey?: string;
  /** Unchanged rows. Settled: their lines count as imported; otherwise they are read again. */
  readonly unapplied?: { readonly recordIDs: ReadonlySet<string>; readonly isSettled: boolean };
}

const NOTHING: SaveCounts = { created: 0, updated: 0, unchanged: 0 };

/** An open file with equal options isn't read again. */
type Given = Buffer | ReadableTable;
/** Opens the table if `given` is a file's bytes, and calls `work`. */
const withOpened = <R>(
  given: Given,
  options: TableOptions,
  work: (file: ReadableTable) => Promise<R>,
): Promise<R> => (Buffer.isBuffer(given) ? withTable(given, options, work) : work(given));

/**
 * Writes fitting lines into a list in durable pages of 500; returns others with number and reason. Columns that the
 * file lacks stay unchanged.
 * @throws Refusal if the file or the options are unusable, or nothing fits into a list created for it; StoreError
 */
export function importTable(lists: Lists, given: Given, options: ImportOptions): Promise<ImportResult> {
  const run = (): Promise<ImportResult> =>
    withOpened(given, options, (file) => importOpened(lists, file, options));
  const { idempotencyKey } = options;
  return idempotencyKey === undefined ? run() : lists.imports.runInTurn(idempotencyKey, run);
}

/**
 * Writes lines, except of `unapplied` rows, with progress; makes the used key the list's import key. A new list's
 * Choice columns get the file's values; if all lines are rejected, it is removed and the refusal `csv.nothing-in`
 * thrown. Other errors name the last imported line.
 */
async function importOpened(
  lists: Lists,
  file: ReadableTable,
  options: ImportOptions,
): Promise<ImportResult> {
  const { module, isNew } = await prepareList(lists, options, () =>
    createFieldsFor(file.columns, options, options.match ?? {}),
  );
  const { by, idempotencyKey } = options;
  const before = await findImport(lists, module.moduleID, options);
  const afterLine = before && (await findLineToContinue(lists, module, before));
  // Displayed, and may come from a partner.
  const name = options.file === undefined ? undefined : plainName(options.file);
  let underWay: ImportUnderWay | undefined;
  let stepID = before?.stepID;
  const reading = { ...options, ...omitUndefined({ afterLine }) };
  const filling = upsertLines(lists, { file, module, isNew, options: reading }, async (key) => {
    const ids = key.map(({ fieldID }) => fieldID);
    const was = importKeyIDs(module.importKey, module.fields) ?? [];
    const isOther = ids.length > 0 && !isDeepStrictEqual(ids, was);
    const importKey = isOther ? { was, became: ids } : before?.importKey;
    if (isOther) await lists.updateModule(module.moduleID, { importKey: ids });
    const about = { moduleID: module.moduleID, file: name, isKeyed: ids.length > 0, idempotencyKey };
    return async (rows, page) => {
      // Without it, an interrupted import of several pages would be taken for complete.
      if (page.length < file.lines) underWay ??= await lists.imports.writeEntry(about);
      stepID ??= rows.newStepID();
      const line = page.at(-1)?.line;
      const put = page
        .filter(({ recordID }) => !isExcluded(options, recordID))
        .map((change) => withBlanks(change, options));
      const from = omitUndefined({ file: name, importKey, idempotencyKey });
      /** Records the last imported line and the digests in the page's transaction. */
      const recordProgress = (tx: Tx): void => {
        if (line !== undefined) underWay?.recordLine(tx, line);
        storeDigests(tx, options.unapplied?.isSettled === true ? page : put, options.marks);
      };
      return rows.saveMany(put, by, { ...from, stepID, also: recordProgress });
    };
  });
  const result = await filling.catch(async (error: unknown) => {
    if (isNew && error instanceof Refusal) await purgeIfEmpty(lists, module);
    return throwWithProgress(error, underWay);
  });
  await underWay?.finish();
  if (isNew) await collectChoices(lists, module);
  const [first] = result.rejected;
  if (isNew && first && result.created === 0) await purgeEmptyImport(lists, module, first);
  return result.created + result.updated > 0 && stepID !== undefined ? { ...result, stepID } : result;
}

/** Returns the user's earlier import with the same idempotency key. */
const findImport = async (
  lists: Lists,
  moduleID: string,
  { by, idempotencyKey }: Pick<ImportOptions, 'by' | 'idempotencyKey'>,
): Promise<UndoStep | undefined> =>
  idempotencyKey === undefined ? undefined : (await lists.rows(moduleID)).findImport(by, idempotencyKey);

/** Returns the last line that an interrupted import wrote. Throws `import.repeated` (409) if it was complete. */
async function findLineToContinue(
  lists: Lists,
  { moduleID, name }: Module,
  { idempotencyKey = '', rows }: UndoStep,
): Promise<number> {
  const line = await lists.imports.findInterruptedLine(moduleID, idempotencyKey);
  if (line !== undefined) return line;
  throw new Refusal('conflict', 'import.repeated', said('import.is-in', { list: name, n: rows }));
}

const MAX_CHOICES = 100;

/**
 * Sets the choices of a new list's Select columns to its rows' values; a column with over 100 stays without, so that
 * all text fits.
 */
async function collectChoices(lists: Lists, { moduleID, fields }: Module): Promise<void> {
  const found = new Map(
    fields.filter(({ kind }) => kind === 'Select').map(({ name }) => [name, new Set<string>()]),
  );
  if (found.size === 0) return;
  for await (const batch of (await lists.rows(moduleID)).scan())
    for (const { values } of batch)
      for (const [name, choices] of found)
        if (choices.size <= MAX_CHOICES) for (const text of valuesOf(values, name)) choices.add(text);
  const filled = fields.map((field) => {
    const choices = [...(found.get(field.name) ?? [])];
    const isChoice = choices.length > 0 && choices.length <= MAX_CHOICES;
    return isChoice ? { ...field, options: { ...field.options, options: choices } } : field;
  });
  await lists.updateModule(moduleID, { fields: filled });
}

const isExcluded = ({ unapplied }: ImportOptions, recordID: string | undefined): boolean =>
  recordID !== undefined && unapplied?.recordIDs.has(recordID) === true;

/** Returns the change without an existing row's blanks if these are kept, otherwise unchanged. */
function withBlanks<T extends LineChange>(change: T, { blanks }: BlankOption): T {
  if (blanks !== 'keep' || change.recordID === undefined) return change;
  const filled = Object.entries(change.values).filter(([, texts]) => texts.length > 0);
  return { ...change, values: Object.fromEntries(filled) };
}

/** Counts in `emptied`, by column name, filled cells that these changes would empty. */
async function countEmptied(rows: Rows, page: readonly Line[], emptied: Map<string, number>): Promise<void> {
  const blanks = page.flatMap(({ recordID, values }) => {
    const names = Object.keys(values).filter((name) => values[name]?.length === 0);
    return recordID === undefined || names.length === 0 ? [] : [{ recordID, names }];
  });
  const found = await rows.getMany(blanks.map(({ recordID }) => recordID));
  for (const [at, { names }] of blanks.entries())
    for (const name of names)
      if (valuesOf(found[at]?.values ?? {}, name).length > 0) emptied.set(name, (emptied.get(name) ?? 0) + 1);
}

/** Stores each line's digest under its key in the transaction; skips lines without either. */
function storeDigests(tx: Tx, page: readonly Line[], marks: LineMarks | undefined): void {
  for (const { key, mark } of page)
    if (key !== undefined && mark !== undefined) marks?.recordLine(tx, key, mark);
}

/** Marks the import as interrupted and throws; refusals and disk errors name the last imported line. */
async function throwWithProgress(error: unknown, underWay: ImportUnderWay | undefined): Promise<never> {
  const line = (await underWay?.interrupt().catch(() => 0)) ?? 0;
  if (line === 0 || !(error instanceof StoreError || error instanceof Refusal)) throw error;
  const words = said('import.cut-by', { why: error.words, line });
  if (error instanceof Refusal) throw new Refusal(error.kind, error.code, words, { cause: error });
  throw new StoreError(error.code, words, { cause: error });
}

/** Purges the list if it has no rows; returns whether it did. */
async function purgeIfEmpty(lists: Lists, { moduleID }: Module): Promise<boolean> {
  if ((await (await lists.rows(moduleID)).count()) > 0) return false;
  await lists.removeModule(moduleID);
  await lists.purgeModule(moduleID);
  return true;
}

/** Purges the new list if it is empty, and throws `csv.nothing-in` with the first rejected line. */
async function purgeEmptyImport(lists: Lists, module: Module, first: BadLine): Promise<void> {
  if (!(await purgeIfEmpty(lists, module))) return;
  throw new Refusal(
    'impossible',
    'csv.nothing-in',
    said('import.nothing-went-in', { line: first.line, reason: first.reason }),
  );
}

export interface TrialOptions
  extends TableOptions, BlankOption, Pick<UpsertOptions, 'key' | 'match' | 'marks'> {
  readonly to: { readonly moduleID: string };
}

/**
 * Returns the result of {@link importTable} without writing, and the cells that blanks would empty if not kept. Throws
 * the same refusals.
 */
export const tryTable = (lists: Lists, given: Given, options: TrialOptions): Promise<ImportResult> =>
  withOpened(given, options, async (file) => {
    const module = await lists.module(options.to.moduleID);
    const emptied = new Map<string, number>();
    const result = await upsertLines(lists, { file, module, options }, () => async (rows, page) => {
      await countEmptied(rows, page, emptied);
      return rows.trySaveMany(page.map((change) => withBlanks(change, options)));
    });
    return { ...result, emptied };
  });

/**
 * Passes pages of lines that would change the list to `onPage`; writes nothing.
 * @returns the file for {@link importTable}, reduced to those and invalid lines unless too many to cache
 * @throws Refusal if the file or the options are unusable
 */
export async function findChangedLines(
  lists: Lists,
  file: ReadableTable,
  options: TrialOptions,
  onPage: (rows: Rows, lines: readonly Line[]) => Promise<void>,
): Promise<ReadableTable> {
  const module = await lists.module(options.to.moduleID);
  const kept = createKeptLines(file);
  await upsertLines(lists, { file, module, options, onLine: kept.add }, () => async (rows, page) => {
    await onPage(rows, page);
    return NOTHING;
  });
  return kept.file();
}

/**
 * Finds the list by id, handle or name (case ignored), or creates it. Throws `list.taken` if it exists and only a new
 * one is allowed and it isn't of an earlier try, and a refusal for unknown lists that a new one refers to.
 */
async function prepareList(
  lists: Lists,
  options: ImportOptions,
  fields: () => ReturnType<typeof createFieldsFor>,
): Promise<{ readonly module: Module; readonly isNew: boolean }> {
  const { to, refersTo = {} } = options;
  if ('moduleID' in to) return { module: await lists.module(to.moduleID), isNew: false };
  const namespaceID = to.namespaceID ?? (await lists.defaultNamespace()).namespaceID;
  const wanted = to.name.trim().toLowerCase();
  const inWorkspace = await lists.modules(namespaceID);
  const found =
    inWorkspace.find(({ handle }) => handle.toLowerCase() === wanted) ??
    inWorkspace.find(({ name }) => name.toLowerCase() === wanted);
  if (found && to.isNew === true && !(await findImport(lists, found.moduleID, options)))
    throw new Refusal('conflict', 'list.taken', said('list.name-taken', { list: found.name }));
  if (found) return { module: found, isNew: false };
  for (const moduleID of Object.values(refersTo)) await lists.module(moduleID);
  return { module: await lists.createModule(namespaceID, { name: to.name, fields: fields() }), isNew: true };
}

interface KeptLines {
  readonly add: (line: FileLine) => void;
  /** Returns a file of these lines; unchanged if too many to cache. */
  file(): ReadableTable;
}

const MAX_KEPT_LINES = 50_000;
const MAX_KEPT_LETTERS = 16 * 1024 * 1024;

/**
 * Caches lines of `table`, up to 50,000 lines or 16 Mi characters. `file` returns a table that reads them again; beyond
 * the limits, `table` itself.
 */
function createKeptLines(table: ReadableTable): KeptLines {
  let lines: FileLine[] | undefined = [];
  let letters = 0;
  return {
    /** Caches a line; drops all for good once there are too many lines or characters. */
    add(line) {
      if ('cells' in line) letters += countChars(line);
      if (letters > MAX_KEPT_LETTERS || (lines?.push(line) ?? 0) > MAX_KEPT_LINES) lines = undefined;
    },
    /** Returns a table that reads the cached lines, with their counts; beyond the limits `table` itself. */
    file() {
      const kept = lines;
      if (!kept) return table;
      const good = kept.filter((line) => 'cells' in line).length;
      return {
        ...table,
        lines: good,
        rejectedLines: kept.length - good,
        // eslint-disable-next-line @typescript-eslint/require-await -- as that of the whole file, which waits for its pieces
        async *read() {
          yield kept;
        },
      };
    },
  };
}
