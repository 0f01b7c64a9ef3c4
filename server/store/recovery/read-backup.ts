import type { Disk } from '../files/disk.ts';
import { upgrade, type Migrations } from '../engine/migrations.ts';
import type { Operation } from '../engine/operation.ts';
import { createPartitionState, type PartitionState } from '../engine/partition-state.ts';
import { readStoreFile, type GroupBounds } from '../files/reader.ts';
import { compareKeys } from '../../base/sorted.ts';
import { StoreError } from '../store.ts';
import { said } from '../../words/said.ts';

/** A backup file that was read to its end and found whole. */
export interface CheckedBackup {
  readonly file: string;
  /** In the order in which they stand there. */
  readonly partitions: readonly PartitionBackedUp[];
  readonly entries: number;
}

export interface PartitionBackedUp {
  readonly name: string;
  /** The number of the last change in it. */
  readonly last: number;
}

/** Is given what a backup holds, a stretch at a time. */
export interface BackupSink {
  /** What follows is of this partition. */
  partition(partition: PartitionBackedUp): void;
  /** Entries by table, and of each table in the order of their keys. */
  entries(operations: readonly Operation[]): void;
  /** See {@link readStoreFile}. */
  caughtUp?(): Promise<void>;
}

/**
 * A backup may come from anywhere. It is read in pieces of 256 KiB on the main thread, with pauses between them: nothing of
 * it is kept, so that a worker thread would save no memory. Our own groups are about 128 KiB, or a block of 512 entries
 * where those are large.
 */
const BOUNDS: GroupBounds = { bytes: 512 * 1024 * 1024, entries: 50_000 };

/** So far no store comes, and behind it there is room for the numbers of all changes that follow. */
const MOST_CHANGES = 2 ** 52;

/**
 * Reads and checks a whole backup file, of whatever size, in the memory that a stretch of it takes. Throws
 * StoreError `damaged` when the file is not whole or no backup at all, `newer-version`, or the disk's; what the sink
 * was given until then may be wrong.
 */
export async function walkBackup(
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
    bounds: BOUNDS,
    group(operations, control, { footbridge, version }) {
      if (footbridge !== 'backup') return false;
      if ('partition' in control) {
        if (partitions.some(({ name }) => name === control.partition)) return false;
        if (control.last > MOST_CHANGES) return false;
        const found = { name: control.partition, last: control.last };
        partitions.push(found);
        order.begin();
        sink.partition(found);
      } else if ('ops' in control) {
        const { last } = partitions.at(-1) ?? {};
        if (last === undefined) return false;
        if (!operations.every((each) => order.holds(each) && each.slot.seq <= last)) return false;
        entries += operations.length;
        sink.entries(upgrade(operations, version, migrations));
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

/** Reads a whole backup without keeping anything of it; throws as {@link walkBackup}. */
export function checkBackup(disk: Disk, file: string, migrations: Migrations): Promise<CheckedBackup> {
  return walkBackup(disk, file, migrations, { partition: () => undefined, entries: () => undefined });
}

/** The state of one partition, undefined where the backup does not have it; throws as {@link walkBackup}. */
export async function readBackup(
  disk: Disk,
  file: string,
  migrations: Migrations,
  wanted: string,
): Promise<PartitionState | undefined> {
  let found: PartitionState | undefined;
  let current: PartitionState | undefined;
  let last = 0;
  await walkBackup(disk, file, migrations, {
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

/** Entries come once each: by table, and in the order of their keys. */
function createOrderCheck(): { begin(): void; holds(operation: Operation): boolean } {
  let tables = new Set<string>();
  let table: string | undefined;
  let key = '';
  return {
    begin() {
      tables = new Set();
      table = undefined;
    },
    holds({ table: of, deletes, slot }) {
      const isNext = of === table ? compareKeys(key, slot.key) < 0 : !tables.has(of);
      table = of;
      tables.add(of);
      ({ key } = slot);
      return isNext && !deletes;
    },
  };
}
