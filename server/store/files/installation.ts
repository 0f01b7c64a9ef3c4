import { randomBytes } from 'node:crypto';
import type { PartitionState } from '../engine/partition-state.ts';
import { entryOf } from '../engine/slot.ts';
import type { Partition, Table } from '../store.ts';

const INSTALLATION: Table<{ readonly id: string }> = { name: 'installation' };
const KEY = 'installation';

/**
 * The id of this data folder, made once. Rows carry it on their way, so that a circle of partners ends: with one that
 * two offices have by chance, each would take the other's rows for its own and none would arrive.
 */
export async function openInstallation(system: Partition): Promise<string> {
  return system.transaction(async (tx) => {
    const known = await tx.get(INSTALLATION, KEY);
    if (known) return known.id;
    const id = randomBytes(16).toString('hex');
    tx.put(INSTALLATION, KEY, { id });
    return id;
  });
}

/** The id in a partition `system` that is not in use. */
export function installationIn(system: PartitionState): string | undefined {
  const slot = system.table(INSTALLATION.name).byKey.get(KEY);
  return slot && entryOf<{ readonly id: string }>(slot).value.id;
}
