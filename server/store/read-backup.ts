import type { Disk } from './disk.ts';
import { upgrade, type Migrations } from './migrations.ts';
import { createPartitionState, type PartitionState } from './partition-state.ts';
import { readStoreFile } from './reader.ts';
import { StoreError } from './store.ts';

/**
 * Reads and checks a whole backup file: the states of its partitions by name, or only that of `wanted`.
 * Throws StoreError `damaged` when the file is not whole or no backup at all, `newer-version`, or the disk's.
 */
export async function readBackup(
  disk: Disk,
  file: string,
  migrations: Migrations,
  wanted?: string,
): Promise<Map<string, PartitionState>> {
  const states = new Map<string, PartitionState>();
  let current: PartitionState | undefined;
  let entries = 0;
  let promised = -1;
  const { header, closed } = await readStoreFile(disk, file, {
    group(operations, control, { footbridge, version }) {
      if (footbridge !== 'backup') return false;
      if ('partition' in control) {
        current = undefined;
        if (wanted !== undefined && control.partition !== wanted) return true;
        current = createPartitionState();
        current.skipTo(control.last);
        states.set(control.partition, current);
      } else if ('ops' in control) {
        entries += operations.length;
        current?.replay(upgrade(operations, version, migrations), control.last);
      } else {
        promised = control.entries;
      }
      return true;
    },
  });
  if (header?.footbridge !== 'backup' || !closed || promised !== entries) {
    throw new StoreError(
      'damaged',
      header?.footbridge === 'backup'
        ? 'This backup file is damaged or not complete. Choose another one.'
        : 'This file is not a backup of Footbridge. Choose another one.',
    );
  }
  return states;
}
