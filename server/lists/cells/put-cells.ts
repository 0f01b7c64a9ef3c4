import { joined, said, type Words } from '../../words/said.ts';
import { sayDroppedTimes } from '../values/times.ts';
import { splitValues } from '../csv/cells.ts';
import { ColumnGuess, type FormatHints } from '../csv/columns.ts';
import { createReferring, type Referring } from '../csv/referring.ts';
import type { Field, Module, Values } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import { PERCENT } from '../../base/amount.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import type { RowChange } from '../rows/row-writes.ts';
import { namingColumn, tryValues } from '../values/check-values.ts';
import { valuesOf } from '../values/value-sets.ts';

export type CellTexts = string | readonly string[];

export interface CellBlock {
  /** Left to right. */
  readonly columns: readonly string[];
  /** Top to bottom; null: a new row. */
  readonly rows: readonly (string | null)[];
  /** Per row; null leaves a cell unchanged. */
  readonly cells: readonly (readonly (CellTexts | null)[])[];
}

export interface PutOptions {
  readonly block: CellBlock;
  /** Formats where the cells prove none. */
  readonly hints: FormatHints;
  readonly by: string;
  /** Continued if it is the user's last step. */
  readonly continues?: string | undefined;
  /** Writes nothing if cells don't fit, and refuses a block that couldn't be undone. */
  readonly isUndoable?: boolean;
}

export interface UnfitCell {
  readonly line: number;
  readonly column: string;
  readonly text: string;
  readonly reason: Words;
}

export interface CellTrial {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Rows that the undo step now covers; absent in a trial. */
  readonly stepSize?: number;
  readonly unfit: readonly UnfitCell[];
  /** On values that are stored unlike written. */
  readonly notes: readonly Words[];
}

/** Returns the result of {@link putCells} without writing; throws the same refusals except `undo.too-large`. */
export async function tryCells(
  lists: Lists,
  moduleID: string,
  options: Pick<PutOptions, 'block' | 'hints'>,
): Promise<CellTrial> {
  return withParsedBlock(lists, moduleID, options, async ({ rows, changes, ...told }) => ({
    ...(await rows.trySaveMany(changes)),
    ...told,
  }));
}

/**
 * Writes fitting cells in one transaction and returns the others as `unfit`. With `isUndoable`, any unfit cell makes it
 * a trial.
 * @throws Refusal, writing nothing: `column.unknown`, `row.unknown`, `row.deleted`, `undo.too-large`, or
 * `csv.refers-to` for a missing list
 */
export async function putCells(lists: Lists, moduleID: string, options: PutOptions): Promise<CellTrial> {
  const { by, continues, isUndoable } = options;
  return withParsedBlock(lists, moduleID, options, async ({ rows, changes, ...told }) => ({
    ...(isUndoable === true && told.unfit.length > 0
      ? await rows.trySaveMany(changes)
      : await rows.saveMany(changes, by, omitUndefined({ continues, isUndoable }))),
    ...told,
  }));
}

interface Changes extends Pick<CellTrial, 'unfit' | 'notes'> {
  readonly rows: Parameters<Parameters<Lists['withStableColumns']>[1]>[0]['rows'];
  readonly changes: readonly RowChange[];
}

/**
 * Reads the block and calls `work` with the fitting changes and the unfit cells, while the list's columns can't change.
 * Rows without values, new or not, are left out. Throws `column.unknown`, or `csv.refers-to` for a missing list.
 */
async function withParsedBlock<R>(
  lists: Lists,
  moduleID: string,
  { block, hints }: Pick<PutOptions, 'block' | 'hints'>,
  work: (changes: Changes) => Promise<R>,
): Promise<R> {
  const fieldsOf = (module: Module): Field[] => block.columns.map((fieldID) => findColumn(module, fieldID));
  const referring = await createReferring(lists, fieldsOf(await lists.module(moduleID)));
  const pause = createYielder();
  return lists.withStableColumns(moduleID, async ({ module, rows }) => {
    const fields = fieldsOf(module);
    const readers: CellReader[] = [];
    for (const [at, field] of fields.entries()) {
      const cells = block.cells.map((line) => line[at] ?? null);
      readers.push(await createCellReader(field, cells, hints, referring));
    }
    const unfit: UnfitCell[] = [];
    const changes: RowChange[] = [];
    for (const [line, recordID] of block.rows.entries()) {
      await pause();
      const values = readRow(block.cells[line] ?? [], readers, line, unfit);
      if (recordID === null) {
        if (!isEmptyLine(values)) changes.push(...newRow(module, values, line, unfit));
      } else if (Object.keys(values).length > 0) changes.push({ recordID, values });
    }
    return work({ rows, changes, unfit, notes: createNotes(readers) });
  });
}

/** Finds a column by id. Throws `column.unknown` if the list lacks it. */
function findColumn(module: Module, fieldID: string): Field {
  const field = module.fields.find((candidate) => candidate.fieldID === fieldID);
  if (field) return field;
  throw new Refusal('not-found', 'column.unknown', said('cells.column-gone', { list: module.name }));
}

const isEmptyLine = (values: Values): boolean => Object.values(values).every((texts) => texts.length === 0);

/** Returns the new row as a change; none, with its missing required cells in `unfit` (each once), if it lacks any. */
function newRow(module: Module, values: Values, line: number, unfit: UnfitCell[]): RowChange[] {
  const missing = module.fields.filter(
    (field) => field.isRequired && valuesOf(values, field.name).length === 0,
  );
  for (const field of missing) {
    const isReported = unfit.some((cell) => cell.line === line && cell.column === field.fieldID);
    const reason = said('sentence.ended', {
      text: said('value.required', { column: field.label || field.name }),
    });
    if (!isReported) unfit.push({ line, column: field.fieldID, text: '', reason });
  }
  return missing.length > 0 ? [] : [{ values }];
}

const MAX_REPORTED_CHARS = 10_000;
const MAX_VALUES = 1000;

interface CellReader {
  readonly field: Field;
  /** Guesses the formats of the texts that are put into the column. */
  readonly guess: ColumnGuess;
  /** A text that only the hints decide, and how it is read: `3/4/2026 = 2026-04-03`. */
  readonly hinted: string | undefined;
  /** Returns a cell's stored texts, or why it can't be written. */
  read(cell: CellTexts): { readonly texts: readonly string[] } | { readonly reason: Words };
}

/**
 * Returns a reader of a column's cells: typed texts in the format that all cells prove. It returns values, or the
 * `reason` why the cell doesn't fit.
 */
async function createCellReader(
  field: Field,
  cells: readonly (CellTexts | null)[],
  hints: FormatHints,
  referring: Referring,
): Promise<CellReader> {
  const written = cells.filter((cell): cell is string => typeof cell === 'string');
  const { guess, hinted, read: asText } = await createTextReader(field, written, hints);
  return {
    field,
    guess,
    hinted,
    /** Returns a cell's texts as stored, or the reason why they don't fit, such as more than 1,000 values. */
    read(cell) {
      const problems: Words[] = [];
      if (typeof cell === 'string' && field.isMulti && cell.split('|', MAX_VALUES + 1).length > MAX_VALUES)
        return {
          reason: said('cells.too-many-values', { column: field.label || field.name, most: MAX_VALUES }),
        };
      const texts =
        typeof cell === 'string'
          ? referring.read(field, { texts: asText(cell, problems), ids: [] }, problems)
          : cell;
      const checked = problems.length > 0 ? { problems } : tryValues([field], { [field.name]: texts }, false);
      if ('values' in checked) return { texts: checked.values[field.name] ?? [] };
      return { reason: said('sentence.ended', { text: joined(checked.problems, '. ') }) };
    },
  };
}

/**
 * Returns the guess by all of `written`, and a reader in the format that they prove, otherwise in that of `hints`. It splits at `|` in a
 * column of several values, returns parts that it can't read unchanged, and adds doubts to `problems`.
 */
async function createTextReader(
  field: Field,
  written: readonly string[],
  hints: FormatHints,
): Promise<{
  readonly guess: ColumnGuess;
  readonly hinted: CellReader['hinted'];
  readonly read: (text: string, problems: Words[]) => readonly string[];
}> {
  const parts = (text: string): readonly string[] => (field.isMulti ? splitValues(text) : [text]);
  const pause = createYielder();
  /** Guesses the column's format by all cells, beginning with `given`; ignores cells too long for a number or date. */
  const guessBy = async (given: FormatHints): Promise<ColumnGuess> => {
    const guess = new ColumnGuess(given);
    // Longer ones are no numbers or dates, and would block the event loop.
    for (const text of written.filter(({ length }) => length <= MAX_REPORTED_CHARS)) {
      for (const part of parts(text)) guess.recordCell(part);
      const wait = pause();
      if (wait) await wait;
    }
    return guess;
  };
  const alone = await guessBy({});
  const inDoubt = field.kind === 'Number' ? alone.numberInDoubt() : undefined;
  // `1.234` is a plain number too.
  if (hints.decimal) alone.chooseDecimal(hints.decimal);
  const isOpen = alone.formatFor(field.kind, field.options.only) === undefined;
  const guess = isOpen ? await guessBy(hints) : alone;
  const read = guess.readerFor(field);
  const isDayInDoubt = isOpen && field.kind === 'DateTime';
  const example = inDoubt ?? (isDayInDoubt ? guess.samples.find((text) => read(text.trim())) : undefined);
  const stored = example === undefined ? undefined : read(example.trim());
  const doubts = guess.doubtsFor(field, false);
  return {
    guess,
    hinted: example === undefined || stored === undefined ? undefined : `${example} = ${stored}`,
    read: (text, problems) =>
      (text === '' ? [] : parts(text)).map((part) => {
        const problem = part.length <= MAX_REPORTED_CHARS ? doubts(part) : undefined;
        if (problem) problems.push(namingColumn(field, part, problem));
        return read(part.trim()) ?? part;
      }),
  };
}

/**
 * Returns notes, each with an example by column: on codes and signs in columns of numbers and times in columns of days,
 * as an import does, and on texts that only the hints decide.
 */
function createNotes(readers: readonly Pick<CellReader, 'field' | 'guess' | 'hinted'>[]): Words[] {
  const join = (example: (reader: (typeof readers)[number]) => string | undefined): string =>
    readers
      .flatMap((reader) => {
        const text = example(reader);
        return text === undefined ? [] : [`${reader.field.label || reader.field.name} (${text})`];
      })
      .join(', ');
  const rewritten = join(({ field, guess }) => (field.kind === 'Number' ? guess.rewritten : undefined));
  const timed = join(({ field, guess }) => (field.options.only === 'date' ? guess.timed : undefined));
  const hinted = join((reader) => reader.hinted);
  const unsigned = join(({ field: { kind, options }, guess: { units } }) =>
    kind === 'Number' && options.unit === undefined && !units.has(PERCENT) && !units.isOfSeveralCurrencies()
      ? units.firstUnit()
      : undefined,
  );
  return [
    ...(hinted === '' ? [] : [said('cells.read-as-window', { columns: hinted })]),
    ...(unsigned === '' ? [] : [said('import.without-signs', { columns: unsigned })]),
    ...(rewritten === '' ? [] : [said('import.rewritten', { columns: rewritten })]),
    ...(timed === '' ? [] : [sayDroppedTimes(timed)]),
  ];
}

/** Returns values by column name, without null cells; adds cells that don't fit to `unfit`. */
function readRow(
  cells: readonly (CellTexts | null)[],
  readers: readonly CellReader[],
  line: number,
  unfit: UnfitCell[],
): Values {
  const values: Record<string, readonly string[]> = {};
  readers.forEach((reader, at) => {
    const { field } = reader;
    const cell = cells[at] ?? null;
    if (cell === null) return;
    const result = reader.read(cell);
    if ('texts' in result) values[field.name] = result.texts;
    else {
      const text = typeof cell === 'string' ? cell : cell.join(', ');
      unfit.push({ line, column: field.fieldID, text, reason: result.reason });
    }
  });
  return values;
}
