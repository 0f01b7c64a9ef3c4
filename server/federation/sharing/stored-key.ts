import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Partition, Table } from '../../store/store.ts';

const KEY = 'key';

/**
 * Returns a key of 32 random bytes, made when there is none; it stays with the data folder, its backups included. As a
 * `KeyObject`, because on Node 24 each HMAC with a key of plain bytes costs seven times as much.
 */
export async function storedKey(system: Partition, table: Table<string>): Promise<KeyObject> {
  return system.transaction(async (tx) => {
    const known = await tx.get(table, KEY);
    const made = known ?? randomBytes(32).toString('hex');
    if (known === undefined) tx.put(table, KEY, made);
    return createSecretKey(made, 'hex');
  });
}
