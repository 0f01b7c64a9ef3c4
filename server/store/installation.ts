import type { Ids } from './ids.ts';
import type { Partition, Table } from './store.ts';

const INSTALLATION: Table<{ readonly id: string }> = { name: 'installation' };
const KEY = 'installation';

/** The id of this data folder, made once. Rows carry it on their way, so that a circle of partners ends. */
export async function openInstallation(system: Partition, ids: Ids): Promise<string> {
  return system.transaction(async (tx) => {
    const known = await tx.get(INSTALLATION, KEY);
    if (known) return known.id;
    const id = ids.next();
    tx.put(INSTALLATION, KEY, { id });
    return id;
  });
}
