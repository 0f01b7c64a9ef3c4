import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Partition, Table } from '../../store/store.ts';

const KEY = 'key';

/** Returns the table's key of 32 random bytes; makes it if missing. HMACs are slower with plain bytes. */
export async function storedKey(system: Partition, table: Table<string>): Promise<KeyObject> {
  return system.transaction(async (tx) => {
    const known = await tx.get(table, KEY);
    const made = known ?? randomBytes(32).toString('hex');
    if (known === undefined) tx.put(table, KEY, made);
    return createSecretKey(made, 'hex');
  });
}
