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

/** The key that these bytes were made of. */
export function keyOf(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(LENGTH)).swap16().toString('utf16le');
}

const LENGTH = 4;
