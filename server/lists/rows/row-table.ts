import type { ChangePoint, Entry, Partition, StoredBlock, Table, Tx } from '../../store/store.ts';
import type { Provenance, Row, Values, Way } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { createPause } from '../../base/yield.ts';
import { seenSince } from '../values/times.ts';
import { sameTexts, sameValues, valuesOf } from '../values/value-sets.ts';
import { homeOf } from './ways.ts';

/** Each list has a partition of its own, so that it loads, compacts and fails by itself. */
export function listPartition(moduleID: string): string {
  return `list-${moduleID}`;
}

export const isOfList = (partition: string): boolean => partition.startsWith(listPartition(''));

/** What a received row is found under. */
export function originText(nodeID: string, recordID: string): string {
  return `${nodeID}/${recordID}`;
}

/**
 * A row as it is stored. Most received rows show exactly what was received: they hold their values once.
 * `same` says that each of the row's values was received like this; `received.values` then holds the rest. So it is with
 * `former`.
 */
interface StoredRow extends Row {
  readonly same?: 1;
  /** In place of those in `received`; one that has all of the received values has none of its own. */
  readonly ways?: readonly (Omit<Way, 'values'> & Partial<Way>)[];
}

const ROWS: Table<StoredRow> = {
  name: 'row',
  indexes: {
    origin: (row) => row.received && originText(row.received.nodeID, row.received.recordID),
    home: (row) => row.received && homeOf(row.received),
    former: (row) => row.former && homeOf(row.former),
  },
  stamp: (row) => Date.parse(seenSince(row)),
};

/** Rows by ways that do not lead. Key: {@link originText}; the row's id. */
const WAYS: Table<string> = { name: 'row-way' };

export async function getRow(source: Tx | Partition, recordID: string): Promise<Row | undefined> {
  const stored = await source.get(ROWS, recordID);
  return stored && unpack(stored);
}

/** Also where it is in the bin, or a tombstone. */
export const isRow = (tx: Tx, recordID: string): boolean => tx.has(ROWS, recordID);

/** In the order of the ids. */
export async function getRows(
  source: Tx | Partition,
  recordIDs: readonly string[],
): Promise<(Row | undefined)[]> {
  const stored = await source.getMany(ROWS, recordIDs);
  return stored.map((row) => row && unpack(row));
}

/** Rows by where they came from, tombstones included; in the order of the origins. */
export async function findRows(
  source: Tx | Partition,
  origins: readonly string[],
): Promise<(Row | undefined)[]> {
  const entries = await source.findMany(ROWS, 'origin', origins);
  const found = entries.map((entry) => entry && unpack(entry.value));
  const missing = origins.filter((_, at) => found[at] === undefined);
  const ids = missing.length === 0 ? [] : await source.getMany(WAYS, missing);
  if (ids.every((id) => id === undefined)) return found;
  const byOther = new Map(missing.map((origin, at) => [origin, ids[at]]));
  const rows = await getRows(
    source,
    origins.map((origin) => byOther.get(origin) ?? ''),
  );
  return found.map((row, at) => row ?? rows[at]);
}

/**
 * Rows by what they are known under everywhere ({@link homeOf}), in the order of `homes`.
 * @param as `former`: rows that were known so until they were kept as ours
 */
export async function findAtHome(
  source: Tx | Partition,
  homes: readonly (string | undefined)[],
  as: 'home' | 'former' = 'home',
): Promise<(Row | undefined)[]> {
  const named = homes.filter((home) => home !== undefined);
  if (named.length === 0) return homes.map(() => undefined);
  const entries = await source.findMany(ROWS, as, named);
  const found = new Map(named.map((home, at) => [home, entries[at]]));
  return homes.map((home) => {
    const entry = home === undefined ? undefined : found.get(home);
    return entry && unpack(entry.value);
  });
}

/** Up to `limit` rows in order of their ids, behind the row `after`. */
export async function pageRows(
  partition: Partition,
  limit: number,
  after: string | undefined,
): Promise<Row[]> {
  const page = await partition.page(ROWS, { limit, ...(after === undefined ? {} : { after }) });
  return page.map(({ value }) => unpack(value));
}

/** All rows in order of their ids, as they are stored; later changes do not show. */
export const storedRows = (partition: Partition): AsyncIterable<StoredBlock> => partition.stored(ROWS);

/** One of these rows. */
export function parseRow({ bytes, starts, ends }: StoredBlock, at: number): Row {
  return unpack(JSON.parse(bytes.toString('utf8', starts[at], ends[at])) as StoredRow);
}

/** Entries that are passed over at a time. */
const PASSED = 2000;

/** The id of the row at this place in the order of ids, from 1, in the bin or not; undefined before the first. Reads none. */
export async function idAt(partition: Partition, place: number): Promise<string | undefined> {
  const pause = createPause();
  let last: string | undefined;
  for (let passed = 0; passed < place;) {
    const limit = Math.min(PASSED, place - passed);
    const page = await partition.page(ROWS, { limit, ...(last === undefined ? {} : { after: last }) });
    if (page.length === 0) break;
    last = page.at(-1)?.key;
    passed += page.length;
    await pause();
  }
  return last;
}

/** Whether no row is in the bin, or was emptied from it. */
export async function isAllListed(partition: Partition, total: number): Promise<boolean> {
  return (await partition.count(ROWS)) === total;
}

/** A row is read when its entry's value is first looked at. */
export async function changedRows(
  partition: Partition,
  point: ChangePoint,
  limit: number,
): Promise<Entry<Row>[]> {
  const entries = await partition.changesSince(ROWS, point, limit);
  return entries.map((entry) => new RowEntry(entry));
}

/** Rows that changed behind this number, whatever became of them. */
export const countRows = (partition: Partition, afterSeq: number): Promise<number> =>
  partition.count(ROWS, afterSeq);

class RowEntry implements Entry<Row> {
  readonly key: string;
  readonly seq: number;
  readonly bytes: number;
  readonly #stored: Entry<StoredRow>;

  constructor(stored: Entry<StoredRow>) {
    this.key = stored.key;
    this.seq = stored.seq;
    this.bytes = stored.bytes;
    this.#stored = stored;
  }

  get value(): Row {
    return unpack(this.#stored.value);
  }
}

/** For the one place that writes rows: it keeps stamps and counts. */
export function putRow(tx: Tx, before: Row | undefined, row: Row): void {
  const [was, is] = [otherWays(before), otherWays(row)];
  for (const key of was) if (!is.includes(key)) tx.delete(WAYS, key);
  for (const key of is) if (!was.includes(key)) tx.put(WAYS, key, row.recordID);
  tx.put(ROWS, row.recordID, pack(row));
}

function otherWays(row: Row | undefined): readonly string[] {
  const others = row?.received?.ways?.slice(1) ?? [];
  return others.map(({ nodeID, recordID }) => originText(nodeID, recordID));
}

/** As {@link putRow}, for what is no change of the row that anybody has to hear of. */
export function amendRow(tx: Tx, row: Row): void {
  tx.amend(ROWS, row.recordID, pack(row));
}

function pack(row: Row): StoredRow {
  const { values, received, former } = row;
  if (former) {
    const rest = restOf(values, former);
    return rest ? { ...row, same: 1, former: { ...former, values: rest } } : row;
  }
  if (!received) return row;
  const { ways } = received;
  const stored: StoredRow = ways
    ? {
        ...row,
        received: omit(received, 'ways'),
        ways: ways.map((way) => (sameValues(way.values, received.values) ? omit(way, 'values') : way)),
      }
    : row;
  const rest = restOf(values, received);
  return rest ? { ...stored, same: 1, received: { ...omit(received, 'ways'), values: rest } } : stored;
}

/** The received values that a row does not have; undefined where it has any that was not received like this. */
function restOf(values: Values, received: Provenance): Values | undefined {
  for (const name in values) if (!isReceived(name, values, received)) return undefined;
  const rest: Record<string, readonly string[]> = {};
  for (const name in received.values) {
    if (!Object.hasOwn(values, name)) rest[name] = valuesOf(received.values, name);
  }
  return rest;
}

function isReceived(name: string, values: Values, { values: received }: Provenance): boolean {
  return Object.hasOwn(received, name) && sameTexts(valuesOf(values, name), valuesOf(received, name));
}

function unpack(stored: StoredRow): Row {
  const { received, former, same, ways } = stored;
  if (former && same) {
    const values = { ...former.values, ...stored.values };
    return { ...omit(stored, 'same'), former: { ...former, values } };
  }
  if (!received || (!same && !ways)) return stored;
  const values = same ? { ...received.values, ...stored.values } : received.values;
  const all = ways?.map((way) => ({ ...way, values: way.values ?? values }));
  return {
    ...omit(stored, 'same', 'ways'),
    received: { ...received, values, ...(all ? { ways: all } : {}) },
  };
}
