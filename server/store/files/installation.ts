import { createInstallation, type InstallationKey } from '../../base/installation-key.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { entryOf } from '../engine/record-ref.ts';
import type { Partition, Table } from '../store.ts';

/** A data folder's number and the key that it is derived from; older folders have no key. */
export interface Installation {
  readonly id: string;
  readonly key?: InstallationKey;
}

const INSTALLATION: Table<Installation> = { name: 'installation' };
const KEY = 'installation';

/**
 * Returns this data folder's installation id and key; makes and stores them at the first start. A restored folder has
 * the same ones, as it is the same office.
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

/** Returns the id in a partition `system` that isn't open; undefined if it has none. */
export function installationIn(system: PartitionState): string | undefined {
  const slot = system.table(INSTALLATION.name).byKey.get(KEY);
  return slot && entryOf<Installation>(slot).value.id;
}
