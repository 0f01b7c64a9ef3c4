import { StoreError } from '../store.ts';

/** Returns a key as bytes that every database sorts as the store does: shorter keys first, then by code unit. */
export function keyBytes(key: string): Buffer {
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + 2 * key.length);
  bytes.writeUInt32BE(key.length);
  for (let at = 0; at < key.length; at++) bytes.writeUInt16BE(key.charCodeAt(at), LENGTH_BYTES + 2 * at);
  return bytes;
}

/** PostgreSQL limits index entries to a third of a page. */
const MAX_KEY_LENGTH = 1_200;

/** Returns a key to store as bytes. Throws StoreError `io` for more than 1,200 characters. */
export function keyBytesToStore(key: string): Buffer {
  if (key.length <= MAX_KEY_LENGTH) return keyBytes(key);
  throw new StoreError(
    'io',
    `A key of ${key.length} letters cannot be stored in a database, ${MAX_KEY_LENGTH} is the most: ${key.slice(0, 60)}…`,
  );
}

/** Returns the key of {@link keyBytes}. */
export function keyOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(LENGTH_BYTES)).swap16().toString('utf16le');
}

const LENGTH_BYTES = 4;
