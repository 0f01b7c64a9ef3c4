import { pino } from 'pino';
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { databaseStorage } from '../node/storage/database-storage.ts';
import type { NodeStorage } from '../node/storage/storage.ts';
import { takenOver, type Fence } from '../store/sql/commit.ts';
import type { Database } from '../store/sql/database.ts';
import type { Lease } from '../store/sql/lease.ts';
import { openPgDatabase } from '../store/sql/pg-database.ts';
import { hasOffice } from '../store/sql/partitions.ts';
import { acquireLease } from '../store/sql/acquire-lease.ts';
import { bringUpToDate, makeTables } from '../store/sql/schema.ts';
import { CommandFailure } from './failure.ts';
import { hubSecret } from './hub-secret.ts';

/** Returns whether the text is an address of a PostgreSQL database. */
export const isDatabaseAddress = (text: string): boolean =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);

/** An office in a database, used by a command beside the processes that serve it. */
interface DatabaseOffice {
  readonly storage: NodeStorage;
}

/**
 * Runs `work` with the storage of an office in a database while other processes may serve it; lists can't be
 * written. Throws `DatabaseAway`, `StoreError`, or `CommandFailure` if the database has no office.
 */
export async function withDatabase<T>(
  address: string,
  dataDir: string,
  work: (office: DatabaseOffice) => Promise<T>,
): Promise<T> {
  return withConnection(address, async (database) => {
    const fence = { check: () => Promise.reject(takenOver()) };
    return work({ storage: await storageOf({ address, database, dataDir, fence }) });
  });
}

/**
 * Runs `work` like {@link withDatabase} while no other process serves the office, so that everything can be
 * written. Throws `CommandFailure` if another one serves it.
 */
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

/** A database that no other process serves until it is closed. */
interface DatabaseAlone {
  readonly database: Database;
  readonly fence: Fence;
  readonly close: () => Promise<void>;
}

/** Another command may be ending. */
const PATIENCE_MS = 8_000;

/**
 * Connects to the database, takes its lease and updates its tables. Waits up to 8 seconds for another process, then
 * throws `CommandFailure`; also throws `DatabaseAway` and `StoreError`.
 */
export async function connectExclusively(address: string): Promise<DatabaseAlone> {
  const database = openPgDatabase(address);
  let lease: Lease | undefined;
  /** Releases the lease and closes the connection. */
  const close = async (): Promise<void> => {
    await lease?.release();
    await database.close();
  };
  try {
    await makeTables(database);
    lease = await acquireLease(database, systemClock, {
      /** Prints that another process serves the office. */
      onWaiting() {
        process.stderr.write('A process serves this office, or did until a moment ago. Waiting …\n');
      },
      patienceMs: PATIENCE_MS,
    });
    if (!lease)
      throw new CommandFailure(
        'A process serves this office. Stop all that do, and those that stand by, and try again.',
      );
    await bringUpToDate(database);
    return { database, fence: lease, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Runs `work` with a connection to the database and closes it. Throws `CommandFailure` if the database has no
 * office: a mistyped name must not create one.
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
 * Returns the storage of the office in the database, opened with the secret of the environment. Throws `StoreError`
 * for a wrong secret.
 */
async function storageOf(place: {
  readonly address: string;
  readonly database: Database;
  readonly dataDir: string;
  readonly fence: Fence;
}): Promise<NodeStorage> {
  return databaseStorage({
    ...{ database: place.database, fence: place.fence, secret: await hubSecret(), clock: systemClock },
    dataDir: resolve(place.dataDir),
    connect: () => openPgDatabase(place.address),
    isOver: () => true,
  });
}

export const quiet = pino({ level: 'silent' });
