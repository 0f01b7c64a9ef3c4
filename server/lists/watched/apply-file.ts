import { isDeepStrictEqual } from 'node:util';
import { isSameUnit } from '../../base/amount.ts';
import { batchByCount } from '../../base/batches.ts';
import { shownFileName } from '../../base/file-names.ts';
import { exceedsLossThreshold } from '../../base/loss-threshold.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Doubt } from '../../base/vocabulary.ts';
import type { Partition, Store } from '../../store/store.ts';
import { said, type Words } from '../../words/said.ts';
import { keyIn } from '../csv/key-index.ts';
import { findChangedLines, importTable, type TrialOptions } from '../csv/import.ts';
import type { Rejections } from '../csv/reasons.ts';
import type { SumLine } from '../csv/sum-lines.ts';
import { matchColumns, type Match } from '../csv/targets.ts';
import type { TableOptions } from '../csv/read.ts';
import type { Field, Module } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import { withTable } from '../reading/read-in-worker.ts';
import type { ColumnFacts, ReadableTable } from '../reading/table-facts.ts';
import type { Rows } from '../rows/rows.ts';
import { listPartition } from '../rows/row-table.ts';
import { valuesOf } from '../values/value-sets.ts';
import { forgetGone, forgetLines, hashOf, openReading, type Reading } from './line-hashes.ts';

export interface WatchedFile {
  readonly moduleID: string;
  /** Absolute, local; a folder means its latest table. */
  readonly path: string;
  /** Ids, as columns may be renamed. */
  readonly keyFieldIDs: readonly string[];
  /** Target column ids by header, null to skip; others match automatically. */
  readonly match: Readonly<Record<string, string | null>>;
  /**
   * Number of columns of a file without a heading, which are known by position only; undefined with one, and until
   * `sameNames` is stored.
   */
  readonly columnCount?: number;
  /**
   * All names of its columns in order if several have the same or none, as these are known by position; else empty.
   * Undefined for a file that an earlier version followed, until it is read.
   */
  readonly sameNames?: readonly string[];
  readonly reading: Pick<
    TableOptions,
    'sheet' | 'headerLine' | 'sums' | 'delimiter' | 'encoding' | 'decimal' | 'dateOrder' | 'readsTextMarks'
  >;
  /** The guess when a person chose the encoding; without a choice, the last guess that was not in doubt. */
  readonly encodingGuess?: string;
  /** The guess before a doubt about its encoding was answered: it may change back. */
  readonly guessBeforeAnswer?: string;
  /** A version with lines ended with a line end; a last line without one is cut off. */
  readonly endsLine?: true;
  /** By header, what separates day and month in days read so far: another mark may mean another order. */
  readonly dayMarks?: Readonly<Record<string, readonly string[]>>;
  /** By header of a column of numbers, its cell in the line of units; empty without such. */
  readonly units?: Readonly<Record<string, string>>;
  /** The user credited with its changes. */
  readonly by: string;
}

export interface AppliedFile extends Rejections {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly sums: readonly SumLine[];
  readonly notes: readonly Words[];
  /** Unconfirmed guesses: nothing is applied. */
  readonly doubts: readonly Doubt[];
  /** First lines to choose the heading from, if in doubt. */
  readonly start: ReadableTable['start'];
  readonly lacking: readonly string[];
  readonly waiting?: WaitingRows;
  /** Removes nothing: what the file lacks is unknown. */
  readonly isUnsure: boolean;
  /** Removes nothing yet: the file may still be growing. */
  readonly isEarly: boolean;
  /** The file with what is stored at its first reading, or earlier versions didn't store, unless it is early. */
  readonly upgraded?: WatchedFile;
}

export interface WaitingRows {
  readonly rows: number;
  readonly emptied: number;
  readonly mark: string;
}

export interface DeletionAnswer {
  /** `mark` of the decided {@link WaitingRows}. */
  readonly mark: string;
  /** Applies the file; otherwise rows stay until it says something else about them. */
  readonly go: boolean;
}

interface ApplyFileDeps {
  readonly lists: Lists;
  readonly store: Pick<Store, 'partition'>;
  readonly read?: typeof withTable;
}

interface ApplyOptions {
  /** The file is complete: what it lacks is gone. */
  readonly isWhole: boolean;
  readonly answer?: DeletionAnswer | undefined;
  readonly signal?: AbortSignal;
}

const NONE: ReadonlySet<string> = new Set();
const SHOWN_LINES = 20;
const BATCH_ROWS = 500;

interface ApplyContext {
  readonly lists: Lists;
  readonly partition: Partition;
  readonly watched: WatchedFile;
  readonly file: string;
  readonly reading: Reading;
}

/**
 * Applies changes since the last reading: new and changed lines become edits, rows of missing lines go to the bin if
 * `isWhole`. Too many removals or losses of values wait for approval while the rest is applied; with a guess in doubt
 * nothing is. Edits in the list stay until the file changes that very cell. `now.bytes` can't be used
 * afterwards. Throws refusals of the file, `list.unknown`, `watched.key-gone` if the list lacks a key column,
 * `watched.other-columns`, `watched.other-names`, `watched.other-decimal`, `watched.other-days`,
 * `watched.other-units`, StoreError from the disk; pages written before stay.
 */
export async function applyFile(
  { lists, store, read = withTable }: ApplyFileDeps,
  watched: WatchedFile,
  now: { readonly path: string; readonly bytes: Buffer },
  { isWhole, answer, signal }: ApplyOptions,
): Promise<AppliedFile> {
  const { moduleID, by } = watched;
  const module = await lists.module(moduleID);
  const partition = await store.partition(listPartition(moduleID));
  const reading = await openReading(partition);
  const file = shownFileName(now.path);
  const options = {
    readsTextMarks: false,
    ...watched.reading,
    ...omitUndefined({
      encodingGuess: watched.encodingGuess,
      guessBeforeAnswer: watched.guessBeforeAnswer,
    }),
    ...(signal ? { signal } : {}),
    to: { moduleID },
    key: watched.keyFieldIDs.map((fieldID) => requireColumnName(module, fieldID)),
    match: resolveMatch(module, watched.match),
    marks: reading,
    isFollowed: true,
    isGrowing: !isWhole,
    expectsLineEnd: watched.endsLine === true,
  };
  return read(now.bytes, options, async (table) => {
    if (table.doubts.length > 0) return resultInDoubt(table, !isWhole);
    assertSamePositions(watched, table);
    const targets = matchColumns(table.columns, module.fields, options.match);
    assertSameNames(watched, table, targets);
    assertSameDecimal(watched, table, targets);
    assertSameDays(watched, table, targets);
    assertSameUnits(watched, table, targets);
    const { emptied, cut, news: changed } = await findLosses(lists, table, options);
    if (cut !== undefined) reading.recordInvalid(undefined);
    const news = cut === undefined ? changed : withoutCutLine(changed, cut);
    const doubt = areSumsDecided(watched) ? undefined : await doubtNewSums(table, news);
    if (doubt) return resultInDoubt({ ...table, doubts: [doubt] }, !isWhole);
    const lacks = reading.lostKeys();
    const isEarly = !isWhole && lacks !== undefined && lacks.size > 0;
    const gone = isEarly ? NONE : lacks;
    const rows = await lists.rows(moduleID);
    const lost = gone && gone.size > 0 ? await findRowsByKey(rows, options.key, gone) : [];
    const ids = lost.filter((id) => !reading.isRenamed(id));
    const asks = exceedsLossThreshold(emptied.length, await rows.count()) ? emptied : [];
    const goes = exceedsLossThreshold(reading.goneBefore + ids.length, reading.goneBefore + reading.before)
      ? ids
      : [];
    const mark = hashOf(JSON.stringify([goes, asks]));
    const isMany = goes.length + asks.length > 0;
    const said = isMany && answer?.mark === mark ? answer : undefined;
    const unapplied = said?.go === true ? [] : asks;
    const result = await importTable(lists, news, {
      ...options,
      unapplied: { recordIDs: new Set(unapplied), isSettled: said !== undefined },
      by,
      file,
    });
    const { created, updated, rejectedLines } = result;
    const lacking = Object.entries(watched.match)
      .filter(([header, fieldID]) => fieldID !== null && !result.headers.includes(header))
      .map(([header]) => header);
    const waits = isMany && !said;
    const context = { lists, partition, watched, file, reading };
    const removed =
      gone && !(waits && goes.length > 0)
        ? await moveToBin(context, gone, said?.go === false && goes.length > 0 ? [] : ids)
        : 0;
    if (said) await forgetGone(partition);
    return {
      ...{ created, updated, removed, rejectedLines, lacking },
      sums: watched.reading.sums === 'out' ? result.sums : [],
      ...{ notes: result.notes, doubts: [], start: [] },
      rejected: result.rejected.slice(0, SHOWN_LINES),
      reasons: result.reasons,
      ...(waits ? { waiting: { rows: goes.length, emptied: asks.length, mark } } : {}),
      isUnsure: gone === undefined,
      isEarly,
      ...(isEarly ? {} : omitUndefined({ upgraded: upgradeWatched(watched, table, targets) })),
    };
  });
}

/** Throws `watched.other-columns` for more or fewer columns than before, if none has a name. */
function assertSamePositions({ columnCount }: WatchedFile, { headerLine, columns }: ReadableTable): void {
  if (headerLine > 0 || columnCount === undefined || columns.length === columnCount) return;
  const counts = { columns: columns.length, before: columnCount };
  throw new Refusal('impossible', 'watched.other-columns', said('watched.other-columns', counts));
}

/** Returns whether it was said what becomes of totals. Earlier versions stored `in` where there were none as well. */
const areSumsDecided = ({ reading: { sums }, sameNames }: WatchedFile): boolean =>
  sums === 'out' || (sums === 'in' && sameNames !== undefined);

/**
 * Returns the file with what this version adds to it: the guess of its encoding, whether it ends with a line end, marks
 * of days, and units; for a file of an earlier version its columns as they are, and its totals as rows if there are any. Undefined
 * if it adds nothing.
 * @param targets by column of the file
 */
function upgradeWatched(
  given: WatchedFile,
  table: ReadableTable,
  targets: readonly (Field | undefined)[],
): WatchedFile | undefined {
  const { encodingGuess } = table.source;
  const isEncodingChosen = given.reading.encoding !== undefined;
  const watched = {
    ...given,
    ...omitUndefined({
      encodingGuess: isEncodingChosen
        ? (given.encodingGuess ?? encodingGuess)
        : (encodingGuess ?? given.encodingGuess),
      endsLine: given.endsLine ?? (table.endsLine || undefined),
      dayMarks: joinDayMarks(given, findDays(table, targets)),
      units: { ...Object.fromEntries(findUnits(table, targets)), ...given.units },
    }),
  };
  if (watched.sameNames !== undefined) return isDeepStrictEqual(watched, given) ? undefined : watched;
  const { sums, ...reading } = watched.reading;
  const decided = sums === 'out' ? sums : table.sums.length > 0 ? 'in' : undefined;
  return {
    ...watched,
    ...describePositions(table),
    reading: { ...reading, ...(decided ? { sums: decided } : {}) },
  };
}

type DayColumns = readonly Required<Pick<ColumnFacts, 'header' | 'dayNotations'>>[];

/** Returns the columns of days with notations of them. */
const findDays = ({ columns }: ReadableTable, targets: readonly (Field | undefined)[]): DayColumns =>
  columns.flatMap(({ header, dayNotations = [] }, at) =>
    targets[at]?.kind === 'DateTime' && dayNotations.length > 0 ? [{ header, dayNotations }] : [],
  );

/** Adds marks of days to the known ones: all of a column that had none, otherwise those that prove their order. */
function joinDayMarks({ dayMarks = {} }: WatchedFile, columns: DayColumns): WatchedFile['dayMarks'] {
  const marks = new Map(Object.entries(dayMarks));
  for (const { header, dayNotations } of columns) {
    const known = marks.get(header);
    const added = dayNotations.filter(({ isProven }) => known === undefined || isProven);
    marks.set(header, [...new Set([...(known ?? []), ...added.map(({ mark }) => mark)])]);
  }
  return marks.size > 0 ? Object.fromEntries(marks) : undefined;
}

/** Returns what identifies columns beside their names, to compare with later versions. */
export const describePositions = ({
  headerLine,
  columns,
}: Pick<ReadableTable, 'headerLine' | 'columns'>): Pick<WatchedFile, 'columnCount' | 'sameNames'> => ({
  ...(headerLine === 0 ? { columnCount: columns.length } : {}),
  sameNames: findSameNames(columns),
});

const nameOf = ({ header, repeats }: ReadableTable['columns'][number]): string => repeats ?? header;

/** Returns all names in order if several columns have the same or none, otherwise []. */
function findSameNames(columns: ReadableTable['columns']): readonly string[] {
  const names = columns.map(nameOf);
  return new Set(names).size < names.length ? names : [];
}

/**
 * Throws `watched.other-names` if columns of a name that a taken one has are more or fewer than before, or in another
 * order among themselves and those that both versions have as often.
 * @param targets by column of the file
 */
function assertSameNames(
  { sameNames: before }: WatchedFile,
  { columns }: ReadableTable,
  targets: readonly (Field | undefined)[],
): void {
  if (before === undefined) return;
  const now = findSameNames(columns);
  const countIn = (names: readonly string[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  };
  const [was, is] = [countIn(before), countIn(now)];
  const doubtful = new Map(
    columns
      .filter(
        (column, at) => targets[at] && [was, is].some((counts) => (counts.get(nameOf(column)) ?? 0) > 1),
      )
      .map((column) => [nameOf(column), nameOf(column) || column.header]),
  );
  const order = (names: readonly string[]): string =>
    JSON.stringify(names.filter((name) => doubtful.has(name) || was.get(name) === is.get(name)));
  if (doubtful.size === 0 || order(before) === order(now)) return;
  const about = { columns: [...doubtful.values()].join(', ') };
  throw new Refusal('impossible', 'watched.other-names', said('watched.other-names', about));
}

/**
 * Throws `watched.other-decimal` if numbers contradict the chosen decimal mark and none confirms it.
 * @param targets by column of the file
 */
function assertSameDecimal(
  { reading: { decimal: sign } }: WatchedFile,
  { columns }: ReadableTable,
  targets: readonly (Field | undefined)[],
): void {
  const numbers = columns.filter((_column, at) => targets[at]?.kind === 'Number');
  const other = numbers.find(({ otherDecimal }) => otherDecimal !== undefined);
  if (sign === undefined || !other || numbers.some(({ isDecimalConfirmed }) => isDecimalConfirmed)) return;
  const about = { example: other.otherDecimal ?? '', column: other.header, sign };
  throw new Refusal('impossible', 'watched.other-decimal', said('watched.other-decimal', about));
}

/**
 * Throws `watched.other-days` if days have another mark than before, and none with it proves the chosen order.
 * @param targets by column of the file
 */
function assertSameDays(
  { dayMarks = {} }: WatchedFile,
  table: ReadableTable,
  targets: readonly (Field | undefined)[],
): void {
  const before = new Map(Object.entries(dayMarks));
  const columns = findDays(table, targets);
  const notations = columns.flatMap(({ dayNotations }) => dayNotations);
  const proven = new Set(notations.filter(({ isProven }) => isProven).map(({ mark }) => mark));
  for (const { header, dayNotations } of columns) {
    const known = before.get(header);
    const other = known && dayNotations.find(({ mark }) => !known.includes(mark) && !proven.has(mark));
    if (!other) continue;
    const about = { example: other.example, column: header };
    throw new Refusal('impossible', 'watched.other-days', said('watched.other-days', about));
  }
}

/**
 * Throws `watched.other-units` if the line of units says something else of numbers than before. With one row, units
 * can't be told from it.
 * @param targets by column of the file
 */
function assertSameUnits(
  { units = {} }: WatchedFile,
  table: ReadableTable,
  targets: readonly (Field | undefined)[],
): void {
  const known = new Map(Object.entries(units));
  for (const [column, now] of table.lines > 1 ? findUnits(table, targets) : []) {
    const before = known.get(column) ?? now;
    if (isSameUnit(before, now)) continue;
    const about = { column, now: now || '–', before: before || '–' };
    throw new Refusal('impossible', 'watched.other-units', said('watched.other-units', about));
  }
}

/** Returns headers and units of columns of numbers, without brackets or a dash that stands for none. */
const findUnits = (
  { columns }: ReadableTable,
  targets: readonly (Field | undefined)[],
): readonly (readonly [header: string, unit: string])[] =>
  columns.flatMap(({ header, unitBelow = '' }, at) =>
    targets[at]?.kind === 'Number' ? [[header, unitBelow.replace(/^[[(]|[\])]$|^[-–—]$/g, '')]] : [],
  );

/** Returns the result of a file with a guess in doubt: nothing was applied. */
const resultInDoubt = (
  { doubts, start }: Pick<ReadableTable, 'doubts' | 'start'>,
  isEarly: boolean,
): AppliedFile => ({
  ...{ created: 0, updated: 0, removed: 0, rejectedLines: 0, rejected: [], reasons: [] },
  ...{ sums: [], notes: [], lacking: [], doubts, start, isUnsure: false, isEarly },
});

/**
 * Returns the doubt if new or changed lines look like totals or footers; undefined if none does.
 * @param news the file reduced to changed and invalid lines
 */
async function doubtNewSums({ sums }: ReadableTable, news: ReadableTable): Promise<Doubt | undefined> {
  const texts = new Map(sums.map(({ line, text }) => [line, text]));
  if (texts.size === 0) return undefined;
  for await (const lines of news.read({ targets: [] }))
    for (const { line } of lines) {
      const example = texts.get(line);
      if (example !== undefined) return { kind: 'sums', chosen: 'out', alternatives: ['in'], example };
    }
  return undefined;
}

/**
 * Returns sorted ids of rows that would lose a value, the last line if it seems cut off, and the file reduced to
 * changed lines.
 */
async function findLosses(
  lists: Lists,
  table: ReadableTable,
  options: TrialOptions,
): Promise<{
  readonly emptied: readonly string[];
  readonly cut: number | undefined;
  readonly news: ReadableTable;
}> {
  const emptied: string[] = [];
  let cut: number | undefined;
  const news = await findChangedLines(lists, table, options, async (rows, lines) => {
    const changes = lines.flatMap(({ line, recordID, values }) =>
      recordID === undefined ? [] : [{ line, recordID, values }],
    );
    const held = await rows.getMany(changes.map(({ recordID }) => recordID));
    changes.forEach(({ line, recordID, values }, at) => {
      const before = held[at]?.values ?? {};
      const texts = Object.entries(values).map(([name, now]) => ({ now, was: valuesOf(before, name) }));
      if (line === table.unendedLine && isCutOff(texts)) cut = line;
      else if (texts.some(({ now, was }) => now.length === 0 && was.length > 0)) emptied.push(recordID);
    });
  });
  return { emptied: emptied.sort(), cut, news };
}

/** Returns whether only one value changed, to its own beginning. */
function isCutOff(
  changed: readonly { readonly now: readonly string[]; readonly was: readonly string[] }[],
): boolean {
  const [{ now, was } = { now: [], was: [] }, ...others] = changed;
  const [text = '', ...more] = was;
  const [beginning = ''] = now;
  const isShorter = beginning.length < text.length && text.startsWith(beginning);
  return others.length + more.length === 0 && now.length <= 1 && isShorter;
}

/** Returns the file with this line rejected. */
function withoutCutLine(table: ReadableTable, cut: number): ReadableTable {
  const rejected = { line: cut, reason: said('csv.unended') };
  return {
    ...table,
    lines: table.lines - 1,
    rejectedLines: table.rejectedLines + 1,
    async *read(targets) {
      for await (const lines of table.read(targets))
        yield lines.map((each) => (each.line === cut ? rejected : each));
    },
  };
}

/**
 * Moves rows to the bin, and forgets the lines of all keys that the file lacks; returns the number of rows. Does
 * nothing without missing keys.
 * @param missingKeys hashes of these keys
 * @param ids the rows to move
 */
async function moveToBin(
  { lists, partition, watched, file }: ApplyContext,
  missingKeys: ReadonlySet<string>,
  ids: readonly string[],
): Promise<number> {
  if (missingKeys.size === 0) return 0;
  const rows = await lists.rows(watched.moduleID);
  let removed = 0;
  for (const some of batchByCount(ids, BATCH_ROWS))
    removed += await rows.removeMany(some, watched.by, { file });
  await forgetLines(partition, missingKeys, removed);
  return removed;
}

/**
 * Returns sorted ids of the rows with these keys; leaves out keys of several rows.
 * @param missingKeys hashes of the keys
 */
async function findRowsByKey(
  rows: Rows,
  names: readonly string[],
  missingKeys: ReadonlySet<string>,
): Promise<string[]> {
  const found = new Map<string, string | undefined>();
  for await (const page of rows.scan()) {
    for (const { recordID, values } of page) {
      const key = keyIn(values, names);
      const hash = key === undefined ? '' : hashOf(key);
      if (missingKeys.has(hash)) found.set(hash, found.has(hash) ? undefined : recordID);
    }
  }
  return [...found.values()].filter((id) => id !== undefined).sort();
}

/** Returns the column's name. Throws `watched.key-gone` if the list lacks the column. */
function requireColumnName({ fields }: Module, fieldID: string): string {
  const field = fields.find((candidate) => candidate.fieldID === fieldID);
  if (field) return field.name;
  throw new Refusal('impossible', 'watched.key-gone', said('watched.key-gone'));
}

/** Returns the match by present names; null for a skipped or since deleted column. */
function resolveMatch({ fields }: Module, match: WatchedFile['match']): Match {
  const names = new Map(fields.map(({ fieldID, name }) => [fieldID, name]));
  return Object.fromEntries(
    Object.entries(match).map(([header, fieldID]) => [
      header,
      fieldID === null ? null : (names.get(fieldID) ?? null),
    ]),
  );
}
