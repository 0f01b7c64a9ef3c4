import { StoreError } from '../store.ts';

/** Returns a key as bytes. Every database sorts them as the store sorts keys: shorter keys first, then by code unit. */
export function keyBytes(key: string): Buffer {
  const bytes = Buffer.allocUnsafe(LENGTH + 2 * key.length);
  bytes.writeUInt32BE(key.length);
  for (let at = 0; at < key.length; at++) bytes.writeUInt16BE(key.charCodeAt(at), LENGTH + 2 * at);
  return bytes;
}

/** The limit of a PostgreSQL index entry, a third of a page. */
const MAX_KEY_BYTES = 1_200;

/** Returns {@link keyBytes} of a key to be stored. Throws StoreError `io` for a key of more than 1,200 letters. */
export function keyBytesToStore(key: string): Buffer {
  if (key.length <= MAX_KEY_BYTES) return keyBytes(key);
  throw new StoreError(
    'io',
    `A key of ${key.length} letters cannot be stored in a database, ${MAX_KEY_BYTES} is the most: ${key.slice(0, 60)}…`,
  );
}

/** Returns the key that {@link keyBytes} encoded. */
export function keyOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(LENGTH)).swap16().toString('utf16le');
}

const LENGTH = 4;
