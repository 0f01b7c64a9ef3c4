import { StoreError } from '../store.ts';

/**
 * A key in bytes that every database orders as the store does: shorter keys first, then by code unit. Texts would be
 * ordered by the database's own rules, and cannot hold every key.
 */
export function keyBytes(key: string): Buffer {
  const bytes = Buffer.allocUnsafe(LENGTH + 2 * key.length);
  bytes.writeUInt32BE(key.length);
  for (let at = 0; at < key.length; at++) bytes.writeUInt16BE(key.charCodeAt(at), LENGTH + 2 * at);
  return bytes;
}

/** Longer ones do not go into an index of PostgreSQL: an entry of one has a third of a page. */
const LONGEST = 1_200;

/** The same of a key that is to be stored. @throws StoreError where it is too long for that */
export function keyBytesToStore(key: string): Buffer {
  if (key.length <= LONGEST) return keyBytes(key);
  throw new StoreError(
    'io',
    `A key of ${key.length} letters cannot be stored in a database, ${LONGEST} is the most: ${key.slice(0, 60)}…`,
  );
}

/** The key that these bytes were made of. */
export function keyOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(LENGTH)).swap16().toString('utf16le');
}

const LENGTH = 4;
