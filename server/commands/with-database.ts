import { pino } from 'pino';
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { openDatabaseStorage } from '../node/storage/database-storage.ts';
import type { NodeStorage } from '../node/storage/storage.ts';
import { takenOverError, type Fence } from '../store/sql/commit.ts';
import type { Database } from '../store/sql/database.ts';
import { type Lease, acquireLease } from '../store/sql/lease.ts';
import { openPgDatabase } from '../store/sql/pg-database.ts';
import { hasOffice } from '../store/sql/partitions.ts';
import { migrateTables, makeTables } from '../store/sql/schema.ts';
import { CommandFailure } from './failure.ts';
import { hubSecret } from './hub-secret.ts';

interface DatabaseOffice {
  readonly storage: NodeStorage;
}

/**
 * Runs `work` beside the processes that serve an office in a database: lists can't be written. Throws `CommandFailure`
 * if the database has no office, `DatabaseAway`, `StoreError`.
 */
export async function withDatabase<T>(
  address: string,
  dataDir: string,
  work: (office: DatabaseOffice) => Promise<T>,
): Promise<T> {
  return withConnection(address, async (database) => {
    const fence = { check: () => Promise.reject(takenOverError()) };
    return work({ storage: await storageOf({ address, database, dataDir, fence }) });
  });
}

/** Runs `work` while no process serves the office, so that all can be written. Throws `CommandFailure` if one does. */
export async function withDatabaseAlone<T>(
  address: string,
  dataDir: string,
  work: (office: DatabaseOffice) => Promise<T>,
): Promise<T> {
  const { database, fence, close } = await connectExclusively(address);
  try {
    return await work({ storage: await storageOf({ address, database, dataDir, fence }) });
  } finally {
    await close();
  }
}

interface DatabaseAlone {
  readonly database: Database;
  readonly fence: Fence;
  readonly close: () => Promise<void>;
}

/** Another command may be ending. */
const PATIENCE_MS = 8_000;

/**
 * Connects to a database, takes its lease and updates its tables. Throws `CommandFailure` if another process has the
 * lease for 8 seconds; `DatabaseAway`, `StoreError`.
 */
export async function connectExclusively(address: string): Promise<DatabaseAlone> {
  const database = openPgDatabase(address);
  let lease: Lease | undefined;
  /** Releases the lease, if it was taken, and disconnects. */
  const releaseAndClose = async (): Promise<void> => {
    await lease?.release();
    await database.close();
  };
  try {
    await makeTables(database);
    lease = await acquireLease(database, systemClock, {
      onWaiting() {
        process.stderr.write('A process serves this office, or did until a moment ago. Waiting …\n');
      },
      patienceMs: PATIENCE_MS,
    });
    if (!lease)
      throw new CommandFailure(
        'A process serves this office. Stop all that do, and those that stand by, and try again.',
      );
    await migrateTables(database);
    return { database, fence: lease, close: releaseAndClose };
  } catch (error) {
    await releaseAndClose();
    throw error;
  }
}

/**
 * Runs `work` with a connection, after making missing tables; then disconnects. Throws `CommandFailure` if the database
 * has no office, `DatabaseAway`.
 */
export async function withConnection<T>(
  address: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openPgDatabase(address);
  try {
    if (!(await hasOffice(database.read)))
      throw new CommandFailure(
        'There is no Footbridge office in this database. Check the address; footbridge serve makes a new office.',
      );
    await makeTables(database);
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * Returns the storage of the database's office, without watching for tokens added later. Throws `StoreError` for a
 * wrong secret.
 */
async function storageOf(place: {
  readonly address: string;
  readonly database: Database;
  readonly dataDir: string;
  readonly fence: Fence;
}): Promise<NodeStorage> {
  return openDatabaseStorage({
    ...{ database: place.database, fence: place.fence, secret: await hubSecret(), clock: systemClock },
    dataDir: resolve(place.dataDir),
    connect: () => openPgDatabase(place.address),
    isOver: () => true,
  });
}

export const quiet = pino({ level: 'silent' });
