import { expect, it } from 'vitest';
import type { Database } from '../../server/store/sql/database.ts';
import { openPgDatabase } from '../../server/store/sql/pg-database.ts';
import { storageIn } from '../support/harness/database-storage.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { customers } from '../support/data/office-lists.ts';
import { type NodeOffice, rowsOf, startNode, withBranch } from '../support/harness/node.ts';
import { NO_POSTGRES, sharedServer } from '../support/harness/postgres-server.ts';

const server = await sharedServer();

const COLUMNS = ['Name', 'City'];
const ROWS = customers({ rows: 20, seed: 77 }).rows.map(({ Name = '', City = '' }) => ({ Name, City }));
/** Of a transaction so many statements fail at the most, each once: it is tried twenty times. */
const MOST = 15;

/**
 * Lets each statement of each transaction fail once, the first at the first try, the second at the second, its COMMIT at
 * last, as the database does where others changed the same at once.
 */
function failingOnce(database: Database, count: { failed: number }): Database {
  const refuse = (): never => {
    count.failed++;
    const problem = new Error('could not serialize access due to concurrent update');
    throw Object.assign(problem, { code: '40001' });
  };
  return {
    ...database,
    transaction(work) {
      let tries = 0;
      return database.transaction(async (ask) => {
        tries++;
        let at = 0;
        const result = await work((statement, values) =>
          ++at === tries && tries <= MOST ? refuse() : ask(statement, values),
        );
        return at + 1 === tries && tries <= MOST ? refuse() : result;
      });
    },
  };
}

it(
  'the main job goes on, with nothing lost and nothing twice, while each statement of each change is refused once',
  { timeout: 180_000, tags: 'nightly-kills' },
  async ({ skip }) => {
    if (!server) return skip(NO_POSTGRES);
    const folder = await temporaryFolder();
    const address = await server.newDatabase();
    const failing = { failed: 0 };
    const hub = await startNode('Hub', {
      dataDir: folder.path,
      storage: await storageIn(() => failingOnce(openPgDatabase(address), failing), folder.path),
    });
    const { branch, mine, theirs, pair, sent, received } = await withBranch(hub, COLUMNS, ROWS);
    await branch.app('POST', `/app/lists/${theirs}/rows`, { values: { Name: ['One more'] } });
    const [first] = await rowsOf(hub, mine);
    await hub.app('DELETE', `/app/lists/${mine}/rows/${first?.recordID}`);
    await hub.app('POST', `/app/partners/${pair.atInviter}/sync`);
    await branch.app('POST', `/app/partners/${pair.atInvited}/sync`);
    const names = async (office: NodeOffice, list: string): Promise<unknown> =>
      (await rowsOf(office, list)).map(({ Name, City }) => [Name, City]).sort();
    expect(await names(branch, sent.list)).toEqual(await names(hub, mine));
    expect(await names(hub, received.list)).toEqual(await names(branch, theirs));
    expect(await rowsOf(hub, received.list)).toHaveLength(11);
    expect(failing.failed).toBeGreaterThan(200);
    await Promise.all([hub.stop(), branch.stop()]);
    await folder.remove();
  },
);
