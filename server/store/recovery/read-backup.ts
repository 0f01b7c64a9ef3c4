import type { Disk } from '../files/disk.ts';
import { migrateOperations, type Migrations } from '../engine/migrations.ts';
import type { Operation } from '../engine/operation.ts';
import { createPartitionState, type PartitionState } from '../engine/partition-state.ts';
import { readStoreFile, type GroupBounds } from '../files/reader.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import { StoreError } from '../store.ts';
import { said } from '../../words/said.ts';

/** Read completely and intact. Partitions in file order. */
export interface CheckedBackup {
  readonly file: string;
  readonly partitions: readonly PartitionBackedUp[];
  readonly entries: number;
}

export interface PartitionBackedUp {
  readonly name: string;
  readonly last: number;
}

export interface BackupSink {
  partition(partition: PartitionBackedUp): void;
  /** By table, in key order. */
  entries(operations: readonly Operation[]): void;
  /** Called after each block; reading waits for it. */
  caughtUp?(): Promise<void>;
}

/** For foreign files; our groups have about 128 KiB, or 512 entries. */
const FOREIGN_BOUNDS: GroupBounds = { bytes: 512 * 1024 * 1024, entries: 50_000 };

/** No store counts this far, and numbers remain. */
const MAX_SEQ = 2 ** 52;

/**
 * Reads and checks a complete backup; what `sink` gets may prove wrong until this resolves. Throws StoreError
 * `damaged`, `newer-version`, or the disk's.
 */
export async function readBackupInto(
  disk: Disk,
  file: string,
  migrations: Migrations,
  sink: BackupSink,
): Promise<CheckedBackup> {
  const partitions: PartitionBackedUp[] = [];
  const order = createOrderCheck();
  let entries = 0;
  let promised = -1;
  const { header, closed } = await readStoreFile(disk, file, {
    bounds: FOREIGN_BOUNDS,
    /** Checks a group and passes it on. Returns false, which ends reading, for what no backup can contain. */
    receiveGroup(operations, control, { footbridge, version }) {
      if (footbridge !== 'backup') return false;
      if ('partition' in control) {
        if (partitions.some(({ name }) => name === control.partition)) return false;
        if (control.last > MAX_SEQ) return false;
        const found = { name: control.partition, last: control.last };
        partitions.push(found);
        order.beginPartition();
        sink.partition(found);
      } else if ('ops' in control) {
        const { last } = partitions.at(-1) ?? {};
        if (last === undefined) return false;
        if (!operations.every((each) => order.accept(each) && each.slot.seq <= last)) return false;
        entries += operations.length;
        sink.entries(migrateOperations(operations, version, migrations));
      } else {
        promised = control.entries;
      }
      return true;
    },
    caughtUp: async () => sink.caughtUp?.(),
  });
  if (header?.footbridge !== 'backup' || !closed || promised !== entries) {
    throw new StoreError(
      'damaged',
      header?.footbridge === 'backup' ? said('backup.damaged') : said('backup.foreign'),
    );
  }
  return { file, partitions, entries };
}

/** Reads and checks a complete backup. Throws StoreError `damaged`, `newer-version`, or the disk's. */
export function checkBackup(disk: Disk, file: string, migrations: Migrations): Promise<CheckedBackup> {
  return readBackupInto(disk, file, migrations, { partition: () => undefined, entries: () => undefined });
}

/**
 * Returns one partition's state from a backup; undefined if it isn't there. Throws StoreError `damaged`,
 * `newer-version`, or the disk's.
 */
export async function readPartitionFromBackup(
  disk: Disk,
  file: string,
  migrations: Migrations,
  wanted: string,
): Promise<PartitionState | undefined> {
  let found: PartitionState | undefined;
  let current: PartitionState | undefined;
  let last = 0;
  await readBackupInto(disk, file, migrations, {
    /** Begins the backup's next partition; reads only the wanted one. */
    partition(partition) {
      current = partition.name === wanted ? createPartitionState() : undefined;
      found ??= current;
      last = partition.last;
      current?.skipTo(last);
    },
    entries: (operations) => current?.replay(operations, last),
  });
  return found;
}

/** Creates a check of each partition's entries: tables must come once, keys ascend, and nothing be deleted. */
function createOrderCheck(): { beginPartition(): void; accept(operation: Operation): boolean } {
  let tables = new Set<string>();
  let table: string | undefined;
  let key = '';
  return {
    /** Begins the next partition, whose tables may be any. */
    beginPartition() {
      tables = new Set();
      table = undefined;
    },
    /** Remembers an entry and returns whether it may follow the previous one; a deletion never may. */
    accept({ table: of, deletes, slot }) {
      const isNext = of === table ? compareKeys(key, slot.key) < 0 : !tables.has(of);
      table = of;
      tables.add(of);
      ({ key } = slot);
      return isNext && !deletes;
    },
  };
}
