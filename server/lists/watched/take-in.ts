import { basename } from 'node:path';
import { isMuch } from '../../base/much.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Store } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import { importTable } from '../csv/import.ts';
import type { BadLine } from '../csv/records.ts';
import type { Match } from '../csv/targets.ts';
import type { TableOptions } from '../csv/read.ts';
import type { Module } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import type { Rows } from '../rows/rows.ts';
import { listPartition } from '../rows/row-table.ts';
import { valuesOf } from '../values/value-sets.ts';
import { forgetLines, hashOf, openReading, type Reading } from './line-marks.ts';

/** A list that is kept as in a file, and how its user said that the file is to be read. */
export interface WatchedFile {
  readonly moduleID: string;
  /** Absolute, on this computer; a folder stands for the table in it that was changed last. */
  readonly path: string;
  /** The column that lines are told apart by, by its id, as it may be renamed. */
  readonly keyFieldID: string;
  /** By header the id of the column that takes it, or null to leave it out; those that are not named are found. */
  readonly match: Readonly<Record<string, string | null>>;
  readonly reading: Pick<
    TableOptions,
    'sheet' | 'headerLine' | 'delimiter' | 'encoding' | 'decimal' | 'dateOrder'
  >;
  /** Id of the user who wished it; edits by the file are theirs. */
  readonly by: string;
}

/** What became of one reading. */
export interface TakenIn {
  readonly created: number;
  readonly updated: number;
  /** Rows that went into the bin, as they are in the file no more. */
  readonly removed: number;
  readonly rejectedLines: number;
  /** The first of them. */
  readonly rejected: readonly BadLine[];
  /** Rows that would go, but are too many to go unasked. */
  readonly waiting?: WaitingRows;
  /** Whether nothing goes, as it cannot be told what is in the file no more. */
  readonly isUnsure: boolean;
}

export interface WaitingRows {
  readonly rows: number;
  /** Names these very rows. */
  readonly mark: string;
}

/** The user's word about rows that are in the file no more. */
export interface Answer {
  /** Of {@link WaitingRows}. */
  readonly mark: string;
  /** Whether they go; else they stay, and are the file's no more. */
  readonly go: boolean;
}

const SHOWN_LINES = 20;
const PIECE = 500;

/**
 * Makes of the list what changed in the file since the last reading: lines that are new or say something else go in as edits
 * by the file; rows of lines that are there no more go into the bin, under the brake. What was changed in the list stays
 * until the file says something else of that row.
 * @throws Refusal when the file cannot be used; StoreError from the disk
 */
export async function takeIn(
  deps: { readonly lists: Lists; readonly store: Pick<Store, 'partition'> },
  { moduleID, keyFieldID, match, reading: options, by }: WatchedFile,
  now: { readonly path: string; readonly bytes: Buffer },
  { answer, signal }: { readonly answer?: Answer | undefined; readonly signal?: AbortSignal },
): Promise<TakenIn> {
  const { lists, store } = deps;
  const module = await lists.module(moduleID);
  const reading = await openReading(await store.partition(listPartition(moduleID)));
  const file = plainName(basename(now.path));
  const result = await importTable(lists, now.bytes, {
    ...options,
    ...(signal ? { signal } : {}),
    to: { moduleID },
    key: nameOf(module, keyFieldID),
    match: named(module, match),
    marks: reading,
    by,
    file,
  });
  const { created, updated, rejectedLines } = result;
  const told = { created, updated, rejectedLines, rejected: result.rejected.slice(0, SHOWN_LINES) };
  const gone = reading.gone();
  if (!gone) return { ...told, removed: 0, isUnsure: true };
  const left = await letGo(deps, { moduleID, keyFieldID, by, file, reading, gone, answer });
  return { ...told, ...left, isUnsure: false };
}

/** What the rows of lines that are there no more come to. */
async function letGo(
  { lists, store }: { readonly lists: Lists; readonly store: Pick<Store, 'partition'> },
  about: Pick<WatchedFile, 'moduleID' | 'keyFieldID' | 'by'> & {
    readonly file: string;
    readonly reading: Reading;
    readonly gone: ReadonlySet<string>;
    readonly answer: Answer | undefined;
  },
): Promise<Pick<TakenIn, 'removed' | 'waiting'>> {
  const { moduleID, keyFieldID, by, file, reading, gone, answer } = about;
  if (gone.size === 0) return { removed: 0 };
  const rows = await lists.rows(moduleID);
  const ids = await rowsOf(rows, nameOf(await lists.module(moduleID), keyFieldID), gone);
  const mark = hashOf(JSON.stringify(ids));
  const isAnswered = answer?.mark === mark;
  if (!isAnswered && isMuch(ids.length, reading.before))
    return { removed: 0, waiting: { rows: ids.length, mark } };
  let removed = 0;
  if (!isAnswered || answer.go) {
    for (let at = 0; at < ids.length; at += PIECE)
      removed += await rows.removeMany(ids.slice(at, at + PIECE), by, file);
  }
  await forgetLines(await store.partition(listPartition(moduleID)), gone);
  return { removed };
}

/** Ids in order. Where several rows have the key by now, it is not known which of them was the file's. */
async function rowsOf(rows: Rows, name: string, gone: ReadonlySet<string>): Promise<string[]> {
  const found = new Map<string, string | undefined>();
  for await (const page of rows.scan()) {
    for (const { recordID, values } of page) {
      const key = valuesOf(values, name)[0];
      const hash = key === undefined ? '' : hashOf(key);
      if (gone.has(hash)) found.set(hash, found.has(hash) ? undefined : recordID);
    }
  }
  return [...found.values()].filter((id) => id !== undefined).sort();
}

function nameOf({ fields }: Module, fieldID: string): string {
  const field = fields.find((candidate) => candidate.fieldID === fieldID);
  if (field) return field.name;
  throw new Refusal('impossible', 'watched.key-gone', said('watched.key-gone'));
}

/** Under the names of now; a column that is gone takes nothing. */
function named({ fields }: Module, match: WatchedFile['match']): Match {
  const names = new Map(fields.map(({ fieldID, name }) => [fieldID, name]));
  return Object.fromEntries(
    Object.entries(match).map(([header, fieldID]) => [
      header,
      fieldID === null ? null : (names.get(fieldID) ?? null),
    ]),
  );
}
