import { randomBytes } from 'node:crypto';
import type { Partition, Table } from '../../store/store.ts';

const KEY = 'key';

/** A key of 32 random bytes, made when there is none; it stays with the data folder, its backups included. */
export async function storedKey(system: Partition, table: Table<string>): Promise<Buffer> {
  return system.transaction(async (tx) => {
    const known = await tx.get(table, KEY);
    const made = known ?? randomBytes(32).toString('hex');
    if (known === undefined) tx.put(table, KEY, made);
    return Buffer.from(made, 'hex');
  });
}
