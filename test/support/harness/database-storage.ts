import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../server/base/clock.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { openDatabaseStorage } from '../../../server/node/storage/database-storage.ts';
import type { NodeStorage } from '../../../server/node/storage/storage.ts';
import type { Database } from '../../../server/store/sql/database.ts';
import { openPgDatabase } from '../../../server/store/sql/pg-database.ts';
import { makeTables } from '../../../server/store/sql/schema.ts';
import { NO_POSTGRES, postgresServer, type PostgresServer } from './postgres-server.ts';

/** Keys of offices of tests are sealed by it. */
export const TEST_SECRET = randomBytes(24).toString('base64');

/** An office in a database, with nobody else who serves it. Closing its store closes what `connect` gave. */
export async function storageIn(
  connect: () => Database,
  dataDir: string,
  clock: Clock = systemClock,
): Promise<NodeStorage> {
  const database = connect();
  await makeTables(database);
  const fence = { check: () => Promise.resolve() };
  return openDatabaseStorage({
    connect,
    database,
    fence,
    secret: TEST_SECRET,
    clock,
    dataDir,
    isOver: () => false,
  });
}

let server: Promise<PostgresServer | undefined> | undefined;
const addresses = new Map<string, string>();

/**
 * For a run of tests with `FOOTBRIDGE_TEST_STORE=database`: each data folder stands for a database of a server of this
 * process, so that an office which starts again finds its own.
 */
export async function storageOfRun(dataDir: string, clock?: Clock): Promise<NodeStorage | undefined> {
  if (process.env.FOOTBRIDGE_TEST_STORE !== 'database') return undefined;
  const running = await (server ??= postgresServer());
  if (!running) throw new Error(NO_POSTGRES);
  const address = addresses.get(dataDir) ?? (await running.newDatabase());
  addresses.set(dataDir, address);
  return storageIn(() => openPgDatabase(address), dataDir, clock);
}
