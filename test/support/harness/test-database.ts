import type { Ask, Database } from '../../../server/store/sql/database.ts';
import { openPgDatabase } from '../../../server/store/sql/pg-database.ts';
import { IS_NIGHTLY } from '../data/luck.ts';
import { pgliteDatabase } from './pglite-database.ts';
import { sharedServer } from './postgres-server.ts';

/** A database for tests. `ask` goes around the store. */
export interface TestDatabase {
  open(): Database;
  readonly ask: Ask;
}

let onServer: Promise<Database | undefined> | undefined;

/**
 * Returns an empty database, the same one for all test files of this process. It's on a PostgreSQL server, which takes a
 * fraction of the processor time; within the process where there is no server, and in the nightly run.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const database = IS_NIGHTLY ? undefined : await (onServer ??= openOnServer());
  if (!database) return pgliteDatabase();
  await database.read('DROP SCHEMA IF EXISTS public CASCADE');
  await database.read('CREATE SCHEMA public');
  // Closing a store closes its database, and the next test needs it.
  return { ask: database.read, open: () => ({ ...database, close: () => Promise.resolve() }) };
}

async function openOnServer(): Promise<Database | undefined> {
  const server = await sharedServer();
  return server && openPgDatabase(await server.newDatabase());
}
