import { createMutex } from '../../base/concurrency/mutex.ts';
import type { Ask, Database } from './database.ts';

/** The database ends silent transactions. */
const KEEP_ALIVE_MS = 2_000;

class Undo extends Error {}

/**
 * Runs `work` in a transaction that nobody else sees and that is always rolled back; rethrows its error. Statements
 * keep the connection alive meanwhile.
 */
export async function inRolledBackTransaction(
  database: Database,
  work: (trial: Database) => Promise<void>,
): Promise<void> {
  await database
    .transaction(async (ask) => {
      const trial = createTrialDatabase(ask);
      let asked: Promise<unknown> = Promise.resolve();
      const asking = setInterval(() => {
        asked = trial.read('SELECT 1 AS one').catch(() => undefined);
      }, KEEP_ALIVE_MS);
      try {
        await work(trial);
      } finally {
        clearInterval(asking);
        await asked;
      }
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
}

/** Returns a database within the transaction `ask`; its own transactions are savepoints. */
function createTrialDatabase(ask: Ask): Database {
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
