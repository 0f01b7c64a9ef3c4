import { createHmac, hash, type KeyObject } from 'node:crypto';
import type { Row, RowOrigin, RowSource } from '../../lists/definitions/model.ts';
import { lastChangeTime } from '../../lists/values/times.ts';
import type { Partition, Table } from '../../store/store.ts';
import { storedKey } from './stored-key.ts';

const NAMING: Table<string> = { name: 'row-naming' };
const NAME_LENGTH = 22;

/** Identifies our rows at all offices (docs/rings.md). */
export interface RowOrigins {
  /** Returns the source's origin, by default ours. */
  get(row: Row, source?: RowSource): RowOrigin;
  /** Returns our own row's id of origin. */
  nameOf(recordID: string): string;
}

/**
 * Opens the naming of rows by origin, by which any office recognises a row that comes back. Ours are HMACs with a
 * stored key, as row ids could be guessed.
 */
export async function openRowOrigins(system: Partition): Promise<RowOrigins> {
  const hmac = createHmacFunction(await storedKey(system, NAMING));
  const nameOf = (recordID: string): string => hmac(recordID).slice(0, NAME_LENGTH);
  return {
    get: (row, source) => source?.origin ?? { id: nameOf(row.recordID), at: lastChangeTime(row) },
    nameOf,
  };
}

/** Bytes of SHA-256's blocks and result. */
const BLOCK = 64;
const DIGEST = 32;
const ROOM = 60;

/**
 * Creates a function that returns HMAC-SHA-256 in base64url with a key of at most one block (RFC 2104), by two
 * digests in one call each: a `createHmac` object for each row takes twice as long and costs much garbage collection.
 */
export function createHmacFunction(key: KeyObject): (text: string) => string {
  const bytes = key.export();
  const padded = (byte: number): Uint8Array =>
    Buffer.alloc(BLOCK, byte).map((each, at) => each ^ (bytes[at] ?? 0));
  const inner = Buffer.concat([padded(0x36), Buffer.alloc(ROOM)]);
  const outer = Buffer.concat([padded(0x5c), Buffer.alloc(DIGEST)]);
  /** Reused, as most have the same length. */
  let message = inner;
  return (text) => {
    if (3 * text.length > ROOM) return createHmac('sha256', key).update(text).digest('base64url');
    const end = BLOCK + inner.write(text, BLOCK);
    if (message.length !== end) message = inner.subarray(0, end);
    outer.write(hash('sha256', message, 'binary'), BLOCK, 'binary');
    return hash('sha256', outer, 'base64url');
  };
}
