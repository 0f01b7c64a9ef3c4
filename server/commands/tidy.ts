import { removeReplaced } from '../store/sql/restoring.ts';
import { CommandFailure } from './failure.ts';
import { withConnection } from './with-database.ts';

/**
 * `footbridge tidy`: deletes what restores into a database replaced, and prints how much. Throws
 * `CommandFailure` without a database.
 */
export async function tidy({ store }: { store?: string }): Promise<void> {
  if (store === undefined)
    throw new CommandFailure(
      'Give the database by --store or FOOTBRIDGE_STORE. A restore into a data folder leaves what it replaced in a folder beside it. Remove that folder as any other.',
      2,
    );
  const { restores, entries } = await withConnection(store, removeReplaced);
  process.stdout.write(
    restores === 0
      ? 'There is nothing in this database that a restore replaced.\n'
      : `What ${restores === 1 ? 'a restore' : `${restores} restores`} had replaced is removed: ${entries} entries.\n`,
  );
}
