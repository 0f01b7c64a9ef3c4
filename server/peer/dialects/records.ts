import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { PartnerFaulty } from '../guard/errors.ts';
import type { RawRows } from '../transport/exchange.ts';
import type { PeerLimits } from '../guard/limits.ts';
import type { BadRecord, PageRows, RecordsPiece, RemoteRecord } from '../remote.ts';
import { said } from '../../words/said.ts';

const ID = /^(0|[1-9][0-9]{0,19})$/;
const isID = (data: unknown): boolean =>
  typeof data === 'string' && ID.test(data) && (data.length < 20 || BigInt(data) < 2n ** 64n);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const ORIGIN_ID = /^[A-Za-z0-9_-]{16,64}$/;
const isTime = (data: unknown): boolean =>
  typeof data === 'string' && TIME.test(data) && !Number.isNaN(Date.parse(data));

/** Id strings as everywhere (docs/interface.md: Limits); ids that are numbers have lost digits and are refused. */
export const remoteID = z.string().refine(isID);

/** A time as partners write it, up to nanoseconds. */
export const remoteTime = z.string().refine(isTime);

interface RawValue {
  readonly name: string;
  readonly value?: string | null;
  readonly deletedAt?: string | null;
}

interface RawRecord {
  readonly recordID: string;
  readonly moduleID?: string | null;
  readonly createdAt?: string | null;
  readonly updatedAt?: string | null;
  readonly deletedAt?: string | null;
  readonly via?: readonly string[] | null;
  readonly origin?: { readonly id: string; readonly at: string } | null;
  readonly values?: readonly RawValue[] | null;
}

type Check = (data: unknown) => boolean;

const orNothing =
  (check: Check): Check =>
  (data) =>
    data === undefined || data === null || check(data);

function isValue(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || !('name' in data) || typeof data.name !== 'string')
    return false;
  const isText = (text: unknown): boolean => text === undefined || text === null || typeof text === 'string';
  return isText('value' in data ? data.value : null) && isText('deletedAt' in data ? data.deletedAt : null);
}

const isWay: Check = (data) =>
  Array.isArray(data) &&
  data.length <= 100 &&
  data.every((each) => typeof each === 'string' && each.length <= 100);

const isOrigin: Check = (data) =>
  typeof data === 'object' &&
  data !== null &&
  'id' in data &&
  typeof data.id === 'string' &&
  ORIGIN_ID.test(data.id) &&
  'at' in data &&
  isTime(data.at);

/** What each member of a row has to be; a row without a proper id breaks the page. */
const MEMBERS: readonly (readonly [name: keyof RawRecord, check: Check])[] = [
  ['recordID', isID],
  ['moduleID', orNothing(isID)],
  ['createdAt', orNothing(isTime)],
  ['updatedAt', orNothing(isTime)],
  ['deletedAt', orNothing(isTime)],
  ['via', orNothing(isWay)],
  ['origin', orNothing(isOrigin)],
  ['values', orNothing((data) => Array.isArray(data) && data.every(isValue))],
];

/**
 * The member that keeps this from being a row; undefined: it is one. By hand and not by a schema: that costs as
 * much as all the rest of reading a page, and would write down a fault for each value, so that a page of nothing
 * but wrong ones would take a gigabyte to say so.
 */
function faultIn(item: object): keyof RawRecord | undefined {
  for (const [name, check] of MEMBERS) if (!check((item as Record<string, unknown>)[name])) return name;
  return undefined;
}

function isRecord(item: unknown): item is RawRecord {
  return typeof item === 'object' && item !== null && faultIn(item) === undefined;
}

/** For rows whose partner gives no time at all: old enough never to win over anything. */
const NO_TIME = '1970-01-01T00:00:00Z';

/**
 * The rows of one page. All of it is looked at before any of it is given out, so that a page which breaks changes
 * nothing. A page in one piece, as nearly all are, is read here and its bytes let go of; the pieces of a larger one are
 * read once more, each when it is its turn.
 * @param moduleIDs as for {@link readRecords}
 * @throws PartnerFaulty
 */
export async function readPage(
  raw: RawRows,
  moduleIDs: ReadonlySet<string> | undefined,
  limits: PeerLimits,
): Promise<PageRows> {
  // Long work: others have their turn in between.
  const read = (rows: readonly unknown[]): Promise<RecordsPiece> =>
    setImmediate(readRecords(rows, moduleIDs, limits));
  if (raw.count > limits.rowsPerPage) throw new PartnerFaulty('a page has too many rows.');
  if (raw.pieces <= 1) {
    const [rows = []] = raw.read();
    const only = await read(rows);
    raw.release();
    return inOnePiece(only);
  }
  for (const rows of raw.read()) await read(rows);
  return {
    release: () => raw.release(),
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

/** A page that is there already. */
export function inOnePiece({ records, bad }: RecordsPiece): PageRows {
  return {
    release: () => undefined,
    // eslint-disable-next-line @typescript-eslint/require-await -- there is nothing to wait for
    async *[Symbol.asyncIterator]() {
      yield { records, bad, isLast: true };
    },
  };
}

/**
 * Some rows of a page. A row without a usable id breaks the page: nothing could be said about it. A row
 * that is wrong otherwise is put aside with the reason, and its neighbours are taken (H6).
 * @param moduleIDs ids that the rows may name as their list; undefined: any
 * @throws PartnerFaulty
 */
export function readRecords(
  set: readonly unknown[],
  moduleIDs: ReadonlySet<string> | undefined,
  limits: PeerLimits,
): RecordsPiece {
  const records: RemoteRecord[] = [];
  const bad: BadRecord[] = [];
  for (const item of set) {
    if (!isRecord(item)) {
      bad.push(putAside(item));
      continue;
    }
    const read = convert(item, moduleIDs, limits);
    if ('reason' in read) bad.push(read);
    else records.push(read);
  }
  return { records, bad };
}

/** @throws PartnerFaulty: nothing could be said about a row without an id */
function putAside(item: unknown): BadRecord {
  const row: Record<string, unknown> = typeof item === 'object' && item !== null ? { ...item } : {};
  const fault = faultIn(row);
  if (fault === 'recordID' || fault === 'moduleID') throw new PartnerFaulty('a row has no proper id.');
  return { recordID: String(row.recordID), reason: said('received.wrong-part', { part: String(fault) }) };
}

function convert(
  raw: RawRecord,
  moduleIDs: ReadonlySet<string> | undefined,
  limits: PeerLimits,
): RemoteRecord | BadRecord {
  const { recordID } = raw;
  if (raw.moduleID && moduleIDs && !moduleIDs.has(raw.moduleID)) {
    return { recordID, reason: said('received.other-list') };
  }
  const sent = raw.values ?? [];
  if (sent.length > limits.valuesPerRow) return { recordID, reason: said('received.too-many-values') };
  const values = new Map<string, string[]>();
  let length = 0;
  for (const { name, value, deletedAt } of sent) {
    if (name.length > limits.nameLength) return { recordID, reason: said('received.long-name') };
    if (value && value.length > limits.valueLength) {
      return { recordID, reason: said('received.long-value', { column: name }) };
    }
    length += value?.length ?? 0;
    if (length > limits.rowLength) return { recordID, reason: said('received.too-large') };
    let texts = values.get(name);
    if (!texts) values.set(name, (texts = []));
    // Live servers leave `value` out where it is empty, and stamp values that were taken away.
    if (value && (!deletedAt || raw.deletedAt)) texts.push(value);
  }
  const createdAt = raw.createdAt ?? raw.updatedAt ?? NO_TIME;
  const updatedAt = raw.updatedAt ?? raw.createdAt ?? NO_TIME;
  const read = {
    recordID,
    createdAt,
    updatedAt,
    values,
    ...(raw.via && { via: raw.via }),
    ...(raw.origin && { origin: { id: raw.origin.id, at: raw.origin.at } }),
  };
  return raw.deletedAt ? { ...read, deletedAt: raw.deletedAt } : read;
}
