import { makeInstallation, type InstallationKey } from '../../base/installation-key.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { entryOf } from '../engine/slot.ts';
import type { Partition, Table } from '../store.ts';

/** A data folder: its number and, unless it is of before there were keys, the key that this was made of. */
export interface Installation {
  readonly id: string;
  readonly key?: InstallationKey;
}

const INSTALLATION: Table<Installation> = { name: 'installation' };
const KEY = 'installation';

/**
 * The number of this data folder, made once. Rows carry it on their way, so that a circle of partners ends: with one that
 * two offices have by chance, each would take the other's rows for its own and none would arrive. It stays with the
 * folder, its backups included, and so does its key: what is restored on a new computer is the same office.
 */
export async function openInstallation(system: Partition): Promise<Installation> {
  return system.transaction(async (tx) => {
    const known = await tx.get(INSTALLATION, KEY);
    if (known) return known;
    const made = makeInstallation();
    tx.put(INSTALLATION, KEY, made);
    return made;
  });
}

/** The id in a partition `system` that is not in use. */
export function installationIn(system: PartitionState): string | undefined {
  const slot = system.table(INSTALLATION.name).byKey.get(KEY);
  return slot && entryOf<Installation>(slot).value.id;
}
