import type { ChangePoint, Entry, Partition, Table, Tx } from '../store/store.ts';
import type { Provenance, Row, Values } from './model.ts';
import { omit } from './omit.ts';
import { seenSince } from './times.ts';
import { sameTexts, valuesOf } from './value-sets.ts';

/** Each list has a partition of its own, so that it loads, compacts and fails by itself. */
export function listPartition(moduleID: string): string {
  return `list-${moduleID}`;
}

/** What a received row is found under. */
export function originText(nodeID: string, recordID: string): string {
  return `${nodeID}/${recordID}`;
}

/**
 * A row as it is stored. Most received rows show exactly what was received: they hold their values once.
 * `same` says that each of the row's values was received like this; `received.values` then holds the rest.
 */
interface StoredRow extends Row {
  readonly same?: 1;
}

const ROWS: Table<StoredRow> = {
  name: 'row',
  indexes: {
    origin: (row) => row.received && originText(row.received.nodeID, row.received.recordID),
  },
  stamp: (row) => Date.parse(seenSince(row)),
};

export async function getRow(source: Tx | Partition, recordID: string): Promise<Row | undefined> {
  const stored = await source.get(ROWS, recordID);
  return stored && unpack(stored);
}

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
  return entries.map((entry) => entry && unpack(entry.value));
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

/** A row is read when its entry's value is first looked at. */
export async function changedRows(
  partition: Partition,
  point: ChangePoint,
  limit: number,
): Promise<Entry<Row>[]> {
  const entries = await partition.changesSince(ROWS, point, limit);
  return entries.map((entry) => new RowEntry(entry));
}

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
export function putRow(tx: Tx, row: Row): void {
  tx.put(ROWS, row.recordID, pack(row));
}

function pack(row: Row): StoredRow {
  const { values, received } = row;
  if (!received) return row;
  for (const name in values) if (!isReceived(name, values, received)) return row;
  const rest: Record<string, readonly string[]> = {};
  for (const name in received.values) {
    if (!Object.hasOwn(values, name)) rest[name] = valuesOf(received.values, name);
  }
  return { ...row, same: 1, received: { ...received, values: rest } };
}

function isReceived(name: string, values: Values, { values: received }: Provenance): boolean {
  return Object.hasOwn(received, name) && sameTexts(valuesOf(values, name), valuesOf(received, name));
}

function unpack(stored: StoredRow): Row {
  const { values, received, same } = stored;
  if (!same || !received) return stored;
  const whole = { ...received, values: { ...received.values, ...values } };
  return { ...omit(stored, 'same'), received: whole };
}
