import { PGlite } from '@electric-sql/pglite';
import type { Ask, Database } from '../../../server/store/sql/database.ts';

/**
 * A PostgreSQL within this process, for tests without a server. It has one connection, so that a snapshot of it is a
 * copy. `ask` goes around the store.
 */
export async function pgliteDatabase(): Promise<{ open(): Database; ask: Ask; end(): Promise<void> }> {
  const lite = await PGlite.create();
  const asking =
    (on: Pick<PGlite, 'query'>): Ask =>
    async (statement, values = []) =>
      (await on.query<Record<string, unknown>>(statement, [...values])).rows;
  return {
    ask: asking(lite),
    end: () => lite.close(),
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
