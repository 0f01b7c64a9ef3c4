import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { ProtocolViolationError } from '../guard/errors.ts';
import type { RawRows } from '../transport/exchange.ts';
import type { PeerLimits } from '../guard/limits.ts';
import type { BadRecord, ChangesPiece, PageRows, RecordsPiece } from '../remote.ts';
import {
  rowsOf,
  type IncomingColumns,
  type IncomingRow,
  type RowOrigin,
  type Values,
} from '../../base/incoming-row.ts';
import { BadRowGroup, readRowGroup } from '../../base/row-group.ts';
import { said, type Words } from '../../words/said.ts';

const ID = /^(0|[1-9][0-9]{0,19})$/;
const isID = (data: unknown): data is string =>
  typeof data === 'string' && ID.test(data) && (data.length < 20 || BigInt(data) < 2n ** 64n);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const ORIGIN_ID = /^[A-Za-z0-9_-]{16,64}$/;
/** A row's or an import's times are mostly the same. */
let lastTime: string | undefined;

/** Returns whether the data is a valid ISO 8601 time; remembers the last one, as rows of a page often have the same. */
function isTime(data: unknown): data is string {
  if (typeof data !== 'string') return false;
  if (data === lastTime) return true;
  if (!TIME.test(data) || Number.isNaN(Date.parse(data))) return false;
  lastTime = data;
  return true;
}

/** Texts (docs/interface.md: Limits); refuses numbers, which have lost digits. */
export const remoteID = z.string().refine(isID);

export const remoteTime = z.string().refine(isTime);

type Nothing = null | undefined;
const isNothing = (data: unknown): data is Nothing => data === undefined || data === null;
const isTimeOrNothing = (data: unknown): data is string | Nothing => isNothing(data) || isTime(data);
const isTextOrNothing = (data: unknown): data is string | Nothing =>
  isNothing(data) || typeof data === 'string';

/** Returns whether the data is a list of at most 100 short texts. */
const isVia = (data: unknown): data is readonly string[] =>
  Array.isArray(data) &&
  data.length <= 100 &&
  data.every((each) => typeof each === 'string' && each.length <= 100);

const isOrigin = (data: unknown): data is RowOrigin =>
  isObject(data) && typeof data.id === 'string' && ORIGIN_ID.test(data.id) && isTime(data.at);

const isObject = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null;

/** Never wins. */
const NO_TIME = '1970-01-01T00:00:00Z';

/**
 * Returns a page's rows, all checked first: an invalid page changes nothing. Parses a large page again piece by piece
 * when iterated, and releases its bytes at the end. Throws ProtocolViolationError.
 */
export async function readPage(
  raw: RawRows,
  moduleIDs: ReadonlySet<string> | undefined,
  limits: PeerLimits,
): Promise<PageRows> {
  const read = (rows: readonly unknown[]): Promise<RecordsPiece> =>
    setImmediate(readRecords(rows, moduleIDs, limits));
  if (raw.count > limits.rowsPerPage) throw new ProtocolViolationError('a page has too many rows.');
  if (raw.pieces <= 1) {
    const [rows = []] = raw.read();
    const only = await read(rows);
    raw.release();
    return singlePiecePage(only);
  }
  for (const rows of raw.read()) await read(rows);
  return {
    release: () => raw.release(),
    /** Yields the pieces, parsed again, and releases the answer's memory at the end. */
    async *[Symbol.asyncIterator]() {
      let left = raw.pieces;
      try {
        for (const rows of raw.read()) yield { ...(await read(rows)), isLast: --left === 0 };
      } finally {
        raw.release();
      }
    },
  };
}

/**
 * Returns the rows of a page that is one row group (columns instead of rows), and releases its bytes. Throws
 * ProtocolViolationError, with the bytes unreleased.
 */
export async function readGroup(raw: RawRows, limits: PeerLimits): Promise<PageRows<ChangesPiece>> {
  const [groups = []] = raw.read();
  if (groups.length !== 1 || raw.pieces !== 1) throw new ProtocolViolationError('a page is no row group.');
  await setImmediate();
  try {
    const { columns, chars } = readRowGroup(groups[0], isTime, limits);
    raw.release();
    return await setImmediate(singlePiecePage({ ...asPiece(columns), bad: [], letters: chars }));
  } catch (cause) {
    if (cause instanceof BadRowGroup)
      throw new ProtocolViolationError(`a row group is wrong: ${cause.message}.`, { cause });
    throw cause;
  }
}

/** Tests may ask for rows. */
const asPiece = (columns: IncomingColumns): Pick<ChangesPiece, 'records' | 'columns'> =>
  process.env.FOOTBRIDGE_ROW_GROUPS === 'as-rows' ? { records: rowsOf(columns) } : { records: [], columns };

/** Returns a page that consists of this piece alone, and occupies no memory of an answer. */
export function singlePiecePage<P extends RecordsPiece | ChangesPiece>(piece: P): PageRows<P> {
  return {
    release: () => undefined,
    /** Yields the piece, marked as the last. */
    // eslint-disable-next-line @typescript-eslint/require-await -- there is nothing to wait for
    async *[Symbol.asyncIterator]() {
      yield { ...piece, isLast: true };
    },
  };
}

/**
 * Returns the checked rows in order, their characters counted; sets an invalid one aside (`bad`) with the reason (H6).
 * Rows may name only `moduleIDs` (undefined: any) as their list. Throws ProtocolViolationError for a row without a
 * usable id.
 */
export function readRecords(
  set: readonly unknown[],
  moduleIDs: ReadonlySet<string> | undefined,
  limits: PeerLimits,
): RecordsPiece {
  const records: IncomingRow[] = [];
  const bad: BadRecord[] = [];
  const reading: ReadState = { moduleIDs, limits, letters: 0 };
  for (const item of set) {
    const read = readRecord(item, reading);
    if ('reason' in read) bad.push(read);
    else records.push(read);
  }
  return { records, bad, letters: reading.letters };
}

interface ReadState {
  readonly moduleIDs: ReadonlySet<string> | undefined;
  readonly limits: PeerLimits;
  letters: number;
}

const NO_PARTS: Readonly<Record<string, unknown>> = {};

/**
 * Returns a row, or why it is set aside. A schema would cost as much as all other reading. Throws
 * ProtocolViolationError for a bad id of row or list. The first fault counts.
 */
function readRecord(item: unknown, reading: ReadState): IncomingRow | BadRecord {
  const { recordID, moduleID, createdAt, updatedAt, deletedAt, via, origin, values } = isObject(item)
    ? item
    : NO_PARTS;
  if (!isID(recordID) || !(isNothing(moduleID) || isID(moduleID)))
    throw new ProtocolViolationError('a row has no proper id.');
  const wrong = (part: string): BadRecord => ({ recordID, reason: said('received.wrong-part', { part }) });
  if (!isTimeOrNothing(createdAt)) return wrong('createdAt');
  if (!isTimeOrNothing(updatedAt)) return wrong('updatedAt');
  if (!isTimeOrNothing(deletedAt)) return wrong('deletedAt');
  if (!isNothing(via) && !isVia(via)) return wrong('via');
  if (!isNothing(origin) && !isOrigin(origin)) return wrong('origin');
  const isGone = !isNothing(deletedAt);
  const read = isNothing(values) ? { values: {} } : readValues(values, isGone, reading);
  if (!read) return wrong('values');
  if (!isNothing(moduleID) && reading.moduleIDs?.has(moduleID) === false)
    return { recordID, reason: said('received.other-list') };
  if (read.excess !== undefined) return { recordID, reason: read.excess };
  return {
    recordID,
    createdAt: createdAt ?? updatedAt ?? NO_TIME,
    updatedAt: updatedAt ?? createdAt ?? NO_TIME,
    values: read.values,
    ...(via && { via }),
    ...(origin && { origin: { id: origin.id, at: origin.at } }),
    ...(isGone && { deletedAt }),
  };
}

interface ReadValues {
  readonly values: Values;
  /** Why there are too many, or too long ones. */
  readonly excess?: Words;
}

/**
 * Returns the values by column, in order, without empty ones and, of a live row, deleted ones, and what limit they
 * exceed, if any; undefined if it is no list of values. Adds their characters to `reading.letters`.
 */
function readValues(sent: unknown, isGone: boolean, reading: ReadState): ReadValues | undefined {
  if (!Array.isArray(sent)) return undefined;
  const { limits } = reading;
  const values: Record<string, string[]> = {};
  let excess: Words | undefined =
    sent.length > limits.valuesPerRow ? said('received.too-many-values') : undefined;
  let length = 0;
  for (const item of sent as readonly unknown[]) {
    if (!isObject(item)) return undefined;
    const { name, value, deletedAt } = item;
    if (typeof name !== 'string' || !isTextOrNothing(value) || !isTextOrNothing(deletedAt)) return undefined;
    if (excess !== undefined) continue;
    length += value?.length ?? 0;
    excess = describeExcess(name, value?.length ?? 0, length, limits);
    const texts = Object.hasOwn(values, name) ? values[name] : addColumn(values, name);
    // Live servers omit an empty `value`, and stamp values that were removed.
    if (value && (!deletedAt || isGone)) texts?.push(value);
  }
  reading.letters += length;
  return excess === undefined ? { values } : { values, excess };
}

/**
 * Returns why a value or its column's name is too large, undefined if it isn't. `total`: the row's characters by now.
 */
function describeExcess(name: string, size: number, total: number, limits: PeerLimits): Words | undefined {
  if (name.length > limits.nameLength) return said('received.long-name');
  if (size > limits.valueLength) return said('received.long-value', { column: name });
  return total > limits.rowLength ? said('received.too-large') : undefined;
}

/** Adds a column and returns its empty list of texts; `__proto__` becomes an own property. */
function addColumn(values: Record<string, string[]>, name: string): string[] {
  const texts: string[] = [];
  if (name === '__proto__')
    Object.defineProperty(values, name, {
      value: texts,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else values[name] = texts;
  return texts;
}
