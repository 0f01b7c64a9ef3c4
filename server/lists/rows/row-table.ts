import type {
  ChangePoint,
  Entry,
  Partition,
  SharedTemplate,
  StoredBlock,
  Table,
  TemplateEntries,
  Tx,
} from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { batchByBytes } from '../../base/batches.ts';
import { lastChangeTime } from '../values/times.ts';
import { ROW_CODEC } from './row-codec.ts';
import { originKey } from './sources.ts';

/** Returns the name of the list's partition. */
export function listPartition(moduleID: string): string {
  return `list-${moduleID}`;
}

export const isOfList = (partition: string): boolean => partition.startsWith(listPartition(''));

/** Returns a partner's row as key of the index by source. */
export function receivedKey(nodeID: string, recordID: string): string {
  return `${nodeID}/${recordID}`;
}

const ROWS: Table<Row> = {
  name: 'row',
  form: ROW_CODEC,
  indexes: {
    received: (row) => row.received && receivedKey(row.received.nodeID, row.received.recordID),
    origin: (row) => row.received && originKey(row.received),
    former: (row) => row.former && originKey(row.former),
  },
  stamp: (row) => Date.parse(lastChangeTime(row)),
};

export const ROW_TABLE = ROWS.name;

/** Row ids by further sources. Key: {@link receivedKey}. */
const WAYS: Table<string> = { name: 'row-way' };

/** Returns a row, also a deleted or purged one; undefined for an unknown id. */
export async function getRow(source: Tx | Partition, recordID: string): Promise<Row | undefined> {
  return source.get(ROWS, recordID);
}

/** Returns the greatest id, tombstones included. */
export const newestRow = async (partition: Partition): Promise<string | undefined> =>
  (await partition.page(ROWS, { limit: 1, reverse: true }))[0]?.key;

/** Returns rows in this order; undefined for missing ones. */
export async function getRows(
  source: Tx | Partition,
  recordIDs: readonly string[],
): Promise<(Row | undefined)[]> {
  return source.getMany(ROWS, recordIDs);
}

/** Returns rows in this order, undefined for missing ones; each is parsed on first access. */
export async function rowEntries(
  partition: Partition,
  recordIDs: readonly string[],
): Promise<(Entry<Row> | undefined)[]> {
  return partition.entries(ROWS, recordIDs);
}

/** Finds rows of any source, in the order of {@link receivedKey}s; undefined for missing ones. */
export async function getRowsByReceivedKey(
  source: Tx | Partition,
  keys: readonly string[],
): Promise<(Row | undefined)[]> {
  const entries = await source.findMany(ROWS, 'received', keys);
  const found = entries.map((entry) => entry?.value);
  const missing = keys.filter((_, at) => found[at] === undefined);
  const ids = missing.length === 0 ? [] : await source.getMany(WAYS, missing);
  if (ids.every((id) => id === undefined)) return found;
  const byOther = new Map(missing.map((key, at) => [key, ids[at]]));
  const rows = await getRows(
    source,
    keys.map((key) => byOther.get(key) ?? ''),
  );
  return found.map((row, at) => row ?? rows[at]);
}

/**
 * Finds for each {@link originKey} the first row by id, tombstones included; undefined for missing ones.
 * @param as `former`: rows that had this origin until they became ours
 */
export async function getRowsByOriginKey(
  source: Tx | Partition,
  keys: readonly (string | undefined)[],
  as: 'origin' | 'former' = 'origin',
): Promise<(Row | undefined)[]> {
  const named = keys.filter((key) => key !== undefined);
  if (named.length === 0) return keys.map(() => undefined);
  const entries = await source.findMany(ROWS, as, named);
  let next = 0;
  return keys.map((key) => (key === undefined ? undefined : entries[next++]?.value));
}

/** Returns rows by id behind `after`, up to `limit`: fewer if large, none only at the end. */
export const pageRows = async (
  partition: Partition,
  limit: number,
  after: string | undefined,
): Promise<Row[]> => (await pageEntries(partition, limit, after)).map(({ value }) => value);

/** Returns rows by id behind `after`, binned ones too, up to `limit`: fewer if large, none only at the end. */
export async function pageEntries(
  partition: Partition,
  limit: number,
  after: string | undefined,
): Promise<readonly Entry<Row>[]> {
  const page = await partition.page(ROWS, { limit, ...(after === undefined ? {} : { after }) });
  const [rows = []] = batchByBytes(page);
  return rows;
}

export const rowOfTexts = (template: SharedTemplate, texts: readonly string[]): Row =>
  ROW_CODEC.decode(template.fill(texts));

/** Yields rows by id in blocks of bytes, as stored at the call. */
export const storedRows = (partition: Partition): AsyncIterable<StoredBlock> => partition.stored(ROWS);

export const parseRow = (block: StoredBlock, at: number): Row => ROW_CODEC.decode(JSON.parse(block.json(at)));

/**
 * Returns the id of the row at this position, by id from 1, bin included; the last id beyond the end, undefined below
 * 1.
 */
export async function idAt(partition: Partition, place: number): Promise<string | undefined> {
  if (place < 1) return undefined;
  return (await partition.keyAt(ROWS, place - 1)) ?? newestRow(partition);
}

/** Returns whether the rows outside the bin (`total`) are all that is stored. */
export async function isAllListed(partition: Partition, total: number): Promise<boolean> {
  return (await partition.count(ROWS)) === total;
}

/** Returns up to `limit` rows changed since `point`, in the order of change; each is parsed on first access. */
export async function changedRows(
  partition: Partition,
  point: ChangePoint,
  limit: number,
): Promise<Entry<Row>[]> {
  return partition.changesSince(ROWS, point, limit);
}

/** Counts greater sequence numbers, tombstones included. */
export const countRows = (partition: Partition, afterSeq: number): Promise<number> =>
  partition.count(ROWS, afterSeq);

/** Writes a row under a new sequence number, and its further sources' keys. Times and counts are left to the caller. */
export function putRow(tx: Tx, before: Row | undefined, row: Row): void {
  updateFurtherKeys(tx, before, row);
  tx.put(ROWS, row.recordID, row);
}

/** Writes the keys of the row's further sources, and deletes those it had before. */
function updateFurtherKeys(tx: Tx, before: Row | undefined, row: Row): void {
  const [was, is] = [furtherKeys(before), furtherKeys(row)];
  for (const key of was) if (!is.includes(key)) tx.delete(WAYS, key);
  for (const key of is) if (!was.includes(key)) tx.put(WAYS, key, row.recordID);
}

export interface NewRowsAsStored extends TemplateEntries {
  /** Local id of the bringing partner; undefined: none. */
  readonly nodeID: string | undefined;
}

/** Gives new sequence numbers. */
export const putNewRows = (tx: Tx, rows: NewRowsAsStored): void => tx.putFromTemplate(ROWS, rows);

/** Returns keys of a row's sources except the leading one. */
function furtherKeys(row: Row | undefined): readonly string[] {
  const others = row?.received?.ways?.slice(1) ?? [];
  return others.map(({ nodeID, recordID }) => receivedKey(nodeID, recordID));
}

/** Writes a row under its present sequence number, and its further sources' keys. Counts are left to the caller. */
export function amendRow(tx: Tx, before: Row, row: Row): void {
  updateFurtherKeys(tx, before, row);
  tx.amend(ROWS, row.recordID, row);
}
