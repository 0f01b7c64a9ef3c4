import { createInstallation, type InstallationKey } from '../../base/installation-key.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { entryOf } from '../engine/record-ref.ts';
import type { Partition, Table } from '../store.ts';

/** A data folder's number, and the key that the number was made of; older folders have none. */
export interface Installation {
  readonly id: string;
  readonly key?: InstallationKey;
}

const INSTALLATION: Table<Installation> = { name: 'installation' };
const KEY = 'installation';

/**
 * Returns the id of this data folder, and its key, made and stored at the first call. Rows carry the id on their
 * path, which ends circles of partners: if two offices had the same one, each would take the other's rows for its
 * own. A restored folder on a new computer keeps both and is the same office.
 */
export async function openInstallation(system: Partition): Promise<Installation> {
  return system.transaction(async (tx) => {
    const known = await tx.get(INSTALLATION, KEY);
    if (known) return known;
    const made = createInstallation();
    tx.put(INSTALLATION, KEY, made);
    return made;
  });
}

/** Returns the id in a partition `system` that is not open. */
export function installationIn(system: PartitionState): string | undefined {
  const slot = system.table(INSTALLATION.name).byKey.get(KEY);
  return slot && entryOf<Installation>(slot).value.id;
}
