import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseAway } from '../../server/store/sql/database.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { storageIn } from '../support/harness/database-storage.ts';
import { customers } from '../support/data/office-lists.ts';
import { type NodeOffice, pairNodes, rowsOf, startNode, withBranch } from '../support/harness/node.ts';
import { testDatabase, type TestDatabase } from '../support/harness/test-database.ts';

const COLUMNS = ['Name', 'City'];
const ROWS = customers({ rows: 120, seed: 31 }).rows.map(({ CompanyName: Name = '', City = '' }) => ({
  Name,
  City,
}));

let db: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  [db, folder] = await Promise.all([testDatabase(), temporaryFolder()]);
});
afterAll(async () => {
  await folder.remove();
});

const startHub = async (port = 0, connect = () => db.open()): Promise<NodeOffice> =>
  startNode('Hub', {
    dataDir: folder.path,
    port,
    storage: await storageIn(connect, folder.path),
  });

it('an office in a database shares, receives, edits and searches as any other, and finds all of it again when it starts', async () => {
  let hub = await startHub();
  const { branch, mine, theirs, pair, sent, received } = await withBranch(hub, COLUMNS, ROWS);
  const names = async (office: NodeOffice, list: string): Promise<(string | undefined)[]> =>
    (await rowsOf(office, list)).map(({ Name }) => Name).sort();
  expect(await names(branch, sent.list)).toEqual(await names(hub, mine));
  expect(await names(hub, received.list)).toEqual(await names(branch, theirs));

  await hub.stop();
  hub = await startHub(hub.port);
  expect(await names(hub, received.list)).toEqual(await names(branch, theirs));
  const [first] = await rowsOf(hub, mine);
  await hub.app('PATCH', `/app/lists/${mine}/rows/${first?.recordID}`, { values: { City: ['Ærøskøbing'] } });
  await hub.app('DELETE', `/app/lists/${mine}/rows/${(await rowsOf(hub, mine))[1]?.recordID}`);
  await branch.app('POST', `/app/partners/${pair.atInvited}/sync`);
  const there = await rowsOf(branch, sent.list);
  expect(there).toHaveLength(59);
  expect(there.find(({ Name }) => Name === first?.Name)?.City).toBe('Ærøskøbing');
  const found = await hub.app<{ total: number }>(
    'GET',
    `/app/lists/${mine}/rows?search=rosk%C3%B8b&sort=Name`,
  );
  expect(found.total).toBe(1);
  await Promise.all([hub.stop(), branch.stop()]);
});

it(
  'an office whose database gives no answer listens no more as soon as it is to stop',
  { tags: 'nightly-waits' },
  async () => {
    let isSilent = false;
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const answered = async <R>(work: () => Promise<R>): Promise<R> => {
      if (!isSilent) return work();
      isAsked();
      await ended;
      throw new DatabaseAway();
    };
    const hub = await startHub(0, () => {
      const database = db.open();
      return {
        read: (statement, values) => answered(() => database.read(statement, values)),
        transaction: (work) => answered(() => database.transaction(work)),
        snapshot: () => answered(() => database.snapshot()),
        close: () => database.close(),
      };
    });
    const branch = await startNode('Branch');
    const pair = await pairNodes(hub, branch);
    isSilent = true;
    hub.app('POST', `/app/partners/${pair.atInviter}/sync`).catch(() => undefined);
    await asked;
    const stopped = hub.stop();
    await expect.poll(() => listens(hub.port)).toBe(false);
    end();
    await Promise.all([stopped, branch.stop()]);
  },
);

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
