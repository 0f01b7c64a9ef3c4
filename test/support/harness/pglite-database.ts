import { PGlite } from '@electric-sql/pglite';
import type { Ask, Database } from '../../../server/store/sql/database.ts';

/** Test files that share a process share its database as well: making one takes seconds of a processor. */
let shared: Promise<PGlite> | undefined;

/**
 * Returns an empty PostgreSQL within this process, for tests without a server. It has one connection, so that a snapshot
 * of it is a copy. `ask` goes around the store. Tests that use it one after the other each start with an empty one.
 */
export async function pgliteDatabase(): Promise<{ open(): Database; ask: Ask }> {
  const lite = await (shared ??= PGlite.create());
  const asking =
    (on: Pick<PGlite, 'query'>): Ask =>
    async (statement, values = []) =>
      (await on.query<Record<string, unknown>>(statement, [...values])).rows;
  await lite.exec('DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public');
  return {
    ask: asking(lite),
    open: () => ({
      read: asking(lite),
      transaction: (work) =>
        lite.transaction(async (tx) => {
          await tx.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
          return work(asking(tx));
        }),
      async snapshot() {
        const copy = await lite.clone();
        return { read: asking(copy), end: () => copy.close() };
      },
      close: () => Promise.resolve(),
    }),
  };
}
