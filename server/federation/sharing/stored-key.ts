import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Partition, Table } from '../../store/store.ts';

const KEY = 'key';

/**
 * Returns the stored key of 32 random bytes; makes and stores it if missing. It is part of the data folder and its
 * backups. A `KeyObject`, as on Node 24 an HMAC with a plain-bytes key costs seven times as much.
 */
export async function storedKey(system: Partition, table: Table<string>): Promise<KeyObject> {
  return system.transaction(async (tx) => {
    const known = await tx.get(table, KEY);
    const made = known ?? randomBytes(32).toString('hex');
    if (known === undefined) tx.put(table, KEY, made);
    return createSecretKey(made, 'hex');
  });
}
