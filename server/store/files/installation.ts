import { createInstallation, type InstallationKey } from '../../base/installation-key.ts';
import type { PartitionState } from '../engine/partition-state.ts';
import { entryOf } from '../engine/record-ref.ts';
import type { Partition, Table } from '../store.ts';

/** A data folder's id and its key, which older folders lack. */
export interface Installation {
  readonly id: string;
  readonly key?: InstallationKey;
}

const INSTALLATION: Table<Installation> = { name: 'installation' };
const ENTRY_KEY = 'installation';

/** Returns this data folder's installation, made at the first start and kept by a restore. */
export async function loadOrCreateInstallation(system: Partition): Promise<Installation> {
  return system.transaction(async (tx) => {
    const known = await tx.get(INSTALLATION, ENTRY_KEY);
    if (known) return known;
    const made = createInstallation();
    tx.put(INSTALLATION, ENTRY_KEY, made);
    return made;
  });
}

/** Returns the installation id, if any, in an unopened partition `system`. */
export function installationIn(system: PartitionState): string | undefined {
  const slot = system.table(INSTALLATION.name).byKey.get(ENTRY_KEY);
  return slot && entryOf<Installation>(slot).value.id;
}
