import type { Clock } from '../../base/clock.ts';
import { systemDisk } from '../files/disk.ts';
import { writeBackup } from '../recovery/backup.ts';
import type { Noted, LogPosition } from '../recovery/withdrawals/log-position.ts';
import { StoreError, type Store } from '../store.ts';
import { exportEntries } from './export-entries.ts';
import { commitChanges, type Fence } from './commit.ts';
import { asStoreTerms, type Ask, type Database, type Isolation } from './database.ts';
import { readNotedReach, writeNotedReach } from './own-values.ts';
import { SqlPartitions } from './partitions.ts';
import { unusedRankings, removeRankings } from './sort-indexes.ts';
import { createReachability } from './reachability.ts';
import type { Changes } from './transaction.ts';

export interface SqlStoreOptions {
  readonly database: Database;
  readonly fence: Fence;
  readonly clock: Clock;
  /** This process's own, without lists. */
  readonly dataDir: string;
  readonly log?: { warn(details: object, message: string): void };
  /** Called when the database stops or starts accepting changes. */
  readonly onWritability?: () => void;
}

export interface SqlStore extends Store {
  revocationPosition(): Noted | undefined;
  advanceRevocationPosition(reach: LogPosition): void;
  announce(): Promise<void>;
}

/**
 * Opens the store in a migrated database; removes in the background what ended processes left. It has no notices and no
 * unreadable partitions. Closing it closes the connections.
 */
export async function openSqlStore(options: SqlStoreOptions): Promise<SqlStore> {
  const { clock, database, dataDir, fence, log } = options;
  const reachability = createReachability(clock, database, options.onWritability);
  let closing: Promise<void> | undefined;
  /** Throws StoreError `closed` once `close` was called. */
  const throwIfClosed = (): void => {
    if (closing) throw new StoreError('closed', 'The store has been closed.');
  };
  /** Runs `work` unless closing, and converts errors to those the store's callers expect. */
  const whileOpen = async <R>(work: () => R | Promise<R>): Promise<R> => {
    throwIfClosed();
    try {
      return await work();
    } catch (error) {
      throw asStoreTerms(error);
    }
  };
  /** Runs `work` in a transaction that fails if another process has taken the lease. */
  const writeFenced = <R>(work: (ask: Ask) => Promise<R>, isolation?: Isolation): Promise<R> =>
    database.transaction(async (ask) => {
      await fence.check(ask);
      return work(ask);
    }, isolation);
  const commit = (id: number, after: number, changes: Changes): Promise<number> =>
    reachability.runTracked(() => commitChanges(options, { id, after, changes }));
  const partitions = new SqlPartitions({ database, write: writeFenced, commit, throwIfClosed });
  let noted = await whileOpen(() => readNotedReach(database.read));
  const useless = await whileOpen(() => unusedRankings(database));
  let tidying: Promise<void> = partitions
    .removeDropped()
    .then(() => removeRankings(writeFenced, useless))
    .catch(logFailure('remove what was dropped'));

  /** Returns a handler that logs what failed in the background. */
  function logFailure(what: string): (error: unknown) => void {
    return (error) => log?.warn({ err: error }, `The store could not ${what}.`);
  }

  return {
    dataDir,
    partition: (name) => whileOpen(() => partitions.get(name)),
    isUnreadable: () => whileOpen(() => false),
    salvage: () => whileOpen(() => undefined),
    partitions: () => whileOpen(() => partitions.names()),
    release: (name) => whileOpen(() => partitions.release(name)),
    drop: (name) => whileOpen(() => partitions.drop(name)),
    notices: () => [],
    unwritable: () => reachability.unwritable(),
    backup: (file, number = 0) =>
      whileOpen(async () =>
        writeBackup(
          { disk: systemDisk, clock },
          { file, number },
          await partitions.names(),
          (name, writer) => exportEntries(database, name, writer),
          () => closing !== undefined,
        ),
      ),
    revocationPosition: () => noted,
    /** Stores the revocation log's position in the background; a failure is logged. */
    advanceRevocationPosition(reach) {
      noted = reach;
      tidying = tidying
        .then(() => writeFenced((ask) => writeNotedReach(ask, reach)))
        .catch(logFailure('note what was withdrawn'));
    },
    announce: () => whileOpen(() => undefined),
    /** Ends the probes, waits for running work, and closes the connections; works once. */
    close() {
      closing ??= (async () => {
        reachability.close();
        await partitions.finish();
        await tidying;
        await database.close();
      })();
      return closing;
    },
  };
}
