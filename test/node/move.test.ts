import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import type { Activity, PartnerDetail } from '../../server/contract/app/overview.ts';
import { databaseEnd } from '../../server/node/moving/database-end.ts';
import { folderEnd, openLeavingFolder } from '../../server/node/moving/folder-end.ts';
import { moveOffice } from '../../server/node/moving/move.ts';
import { createFolderStorage } from '../../server/node/storage/folder-storage.ts';
import { makeTables } from '../../server/store/sql/schema.ts';
import { storageIn, TEST_SECRET } from '../support/harness/database-storage.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { customers } from '../support/data/office-lists.ts';
import { type NodeOffice, rowsOf, startNode, withBranch } from '../support/harness/node.ts';
import { pgliteDatabase } from '../support/harness/pglite-database.ts';

const COLUMNS = ['Name', 'City'];
const ROWS = customers({ rows: 60, seed: 8 }).rows.map(({ Name = '', City = '' }) => ({ Name, City }));

it(
  'no partner notices that an office has moved into a database, and back into a folder',
  { tags: 'nightly-orders', timeout: 150_000 },
  async () => {
    const [folder, lite] = await Promise.all([temporaryFolder(), pgliteDatabase()]);
    const [first, process, second] = ['first', 'process', 'second'].map((name) => join(folder.path, name));
    const fence = { check: () => Promise.resolve() };
    const end = async (): ReturnType<typeof databaseEnd> => {
      await makeTables(lite.open());
      const close = (): Promise<void> => Promise.resolve();
      return databaseEnd({
        database: lite.open(),
        fence,
        secret: TEST_SECRET,
        name: 'postgres://db/office',
        close,
      });
    };
    const inFolder = (dataDir = ''): Promise<NodeOffice> =>
      startNode('Hub', {
        ...(hub ? { port: hub.port } : {}),
        dataDir,
        storage: createFolderStorage({ dataDir, clock: systemClock }),
      });
    let hub: NodeOffice | undefined;
    hub = await inFolder(first);
    const { branch, mine, theirs, pair, sent, received } = await withBranch(hub, COLUMNS, ROWS);

    /** What arrived at each in all, once a row was added at either end: each row once, and none for nothing. */
    let rounds = 0;
    async function goOn(now: NodeOffice, round: string): Promise<void> {
      const settled = async (office: NodeOffice, partner: string): Promise<void> => {
        await office.app('POST', `/app/partners/${partner}/sync`);
        await expect
          .poll(async () => (await office.app<PartnerDetail>('GET', `/app/partners/${partner}`)).reason)
          .toMatch(/has everything/);
        const { entries } = await office.app<{ entries: Activity[] }>(
          'GET',
          `/app/partners/${partner}/activity?perPage=100`,
        );
        const sum = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 };
        for (const { kind, counts } of entries)
          if (kind === 'pull' && counts)
            for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
        expect(sum).toEqual({ created: 30 + rounds, updated: 0, deleted: 0, unchanged: 0, failed: 0 });
      };
      rounds++;
      await now.app('POST', `/app/lists/${mine}/rows`, { values: { Name: [`Here ${round}`] } });
      await branch.app('POST', `/app/lists/${theirs}/rows`, { values: { Name: [`There ${round}`] } });
      await settled(branch, pair.atInvited);
      await settled(now, pair.atInviter);
      const names = async (office: NodeOffice, list: string): Promise<unknown> =>
        (await rowsOf(office, list)).map(({ Name, City }) => [Name, City]).sort();
      expect(await names(branch, sent.list)).toEqual(await names(now, mine));
      expect(await names(now, received.list)).toEqual(await names(branch, theirs));
    }

    await goOn(hub, 'before');
    await hub.stop();
    const leaving = await openLeavingFolder(first ?? '', systemClock);
    await moveOffice({ from: leaving, to: await end(), clock: systemClock });
    await leaving.close();
    hub = await startNode('Hub', {
      ...{ dataDir: process ?? '', port: hub.port },
      storage: await storageIn(() => lite.open(), process ?? ''),
    });
    await goOn(hub, 'in the database');
    await hub.stop();
    const coming = await folderEnd(second ?? '', systemClock);
    await moveOffice({ from: await end(), to: coming, clock: systemClock });
    await coming.close();
    hub = await inFolder(second);
    await goOn(hub, 'back');
    await expect(inFolder(first)).rejects.toThrow('This office has moved to postgres://db/office');
    await Promise.all([hub.stop(), branch.stop()]);
    await folder.remove();
  },
);
