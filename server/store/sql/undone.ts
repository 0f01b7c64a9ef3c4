import { createMutex } from '../../base/concurrency/mutex.ts';
import type { Ask, Database } from './database.ts';

/**
 * So often something is asked, as a trial may think for long between two questions: of a process that says nothing, as one
 * whose computer lost its power, the database undoes all within seconds (`pg-database.ts`), and others wait for that.
 */
const ASKED_EVERY_MS = 2_000;

class Undo extends Error {}

/**
 * Lets `work` do with a database what it likes: nobody else sees any of it, and all of it is undone in the end, also
 * where this process is ended.
 */
export async function undone(database: Database, work: (trial: Database) => Promise<void>): Promise<void> {
  await database
    .transaction(async (ask) => {
      const trial = trialOf(ask);
      let asked: Promise<unknown> = Promise.resolve();
      const asking = setInterval(() => {
        asked = trial.read('SELECT 1 AS one').catch(() => undefined);
      }, ASKED_EVERY_MS);
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
