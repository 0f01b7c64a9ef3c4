import { beforeAll, describe, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import type { Database } from '../../../../server/store/sql/database.ts';
import { openPgDatabase } from '../../../../server/store/sql/pg-database.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import { openSqlStore } from '../../../../server/store/sql/sql-store.ts';
import type { Store } from '../../../../server/store/store.ts';
import { IS_NIGHTLY, NIGHTLY_ONLY } from '../../../support/data/luck.ts';
import { pgliteDatabase } from '../../../support/harness/pglite-database.ts';
import { NO_POSTGRES, sharedServer } from '../../../support/harness/postgres-server.ts';
import { describeStoreConformance } from '../conformance.ts';

async function openOn(database: Database): Promise<Store> {
  await makeTables(database);
  const fence = { check: () => Promise.resolve() };
  return openSqlStore({ database, fence, clock: systemClock, dataDir: '' });
}

const server = await sharedServer();

describe('within the process', () => {
  if (server && !IS_NIGHTLY) {
    it('Store conformance: a database within the process', ({ skip }) => skip(NIGHTLY_ONLY));
    return;
  }
  let lite: Awaited<ReturnType<typeof pgliteDatabase>>;
  beforeAll(async () => {
    lite = await pgliteDatabase();
  });

  describeStoreConformance('a database within the process', {
    async make() {
      await lite.ask('DROP SCHEMA IF EXISTS public CASCADE');
      await lite.ask('CREATE SCHEMA public');
      return { open: () => openOn(lite.open()), remove: () => Promise.resolve() };
    },
  });
});

if (server) {
  describe('PostgreSQL', () => {
    describeStoreConformance('a PostgreSQL server', {
      async make() {
        const address = await server.newDatabase();
        return { open: () => openOn(openPgDatabase(address)), remove: () => Promise.resolve() };
      },
    });
  });
} else {
  it('Store conformance: a PostgreSQL server', ({ skip }) => skip(NO_POSTGRES));
}
