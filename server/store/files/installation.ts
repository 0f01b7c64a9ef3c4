import type { Ids } from '../../base/ids.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { entryOf } from '../engine/slot.ts';
import type { Partition, Table } from '../store.ts';

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

/** The id in a partition `system` that is not in use. */
export function installationIn(system: PartitionState): string | undefined {
  const slot = system.table(INSTALLATION.name).byKey.get(KEY);
  return slot && entryOf<{ readonly id: string }>(slot).value.id;
}
