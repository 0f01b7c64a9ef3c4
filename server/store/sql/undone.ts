import { createMutex } from '../../base/concurrency/mutex.ts';
import type { Ask, Database } from './database.ts';

/** So long a trial may think between two questions, before the database takes its process for one that was stopped. */
const SILENT = '300s';

class Undo extends Error {}

/**
 * Lets `work` do with a database what it likes: nobody else sees any of it, and all of it is undone in the end, also
 * where this process is ended.
 */
export async function undone(database: Database, work: (trial: Database) => Promise<void>): Promise<void> {
  await database
    .transaction(async (ask) => {
      await ask(`SET LOCAL idle_in_transaction_session_timeout = '${SILENT}'`);
      await work(trialOf(ask));
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
}

/** One connection for all, on which one thing is done after the other. */
function trialOf(ask: Ask): Database {
  const oneStatement = createMutex();
  const oneTransaction = createMutex();
  const read: Ask = (statement, values) => oneStatement(() => ask(statement, values));
  return {
    read,
    transaction: (work) =>
      oneTransaction(async () => {
        await read('SAVEPOINT step');
        try {
          const result = await work(read);
          await read('RELEASE SAVEPOINT step');
          return result;
        } catch (error) {
          await read('ROLLBACK TO SAVEPOINT step');
          throw error;
        }
      }),
    snapshot: () => Promise.resolve({ read, end: () => Promise.resolve() }),
    close: () => Promise.resolve(),
  };
}
