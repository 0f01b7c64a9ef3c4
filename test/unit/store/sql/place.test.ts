import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { takeLease, acquireLease } from '../../../../server/store/sql/lease.ts';
import { makeTables } from '../../../../server/store/sql/schema.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';
import { testDatabase, type TestDatabase } from '../../../support/harness/test-database.ts';

describe('the place of the process that serves, wanted by a command', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    await db.ask('DROP SCHEMA IF EXISTS public CASCADE');
    await db.ask('CREATE SCHEMA public');
    await makeTables(db.open());
  });
  const served = { isOver: () => false, onWaiting: () => undefined };
  const heldFor = (seconds: number): Promise<unknown> =>
    db.ask(
      `UPDATE footbridge_lease SET held_until = clock_timestamp() + interval '${String(seconds)} seconds'`,
    );

  it('is waited for where that one was killed just now, however long it had served meanwhile', async () => {
    // Its clock stands still, so that it says nothing any more.
    const killed = await takeLease(db.open(), manualClock(), served);
    let isTold = false;
    const taking = acquireLease(db.open(), systemClock, {
      onWaiting: () => (isTold = true),
      patienceMs: 1_000,
    });
    await expect.poll(() => isTold).toBe(true);
    // It was there until the last moment of the patience.
    await new Promise((resolve) => setTimeout(resolve, 900));
    await heldFor(5);
    const lease = await taking;
    expect(lease).toBeDefined();
    await Promise.all([killed?.release(), lease?.release()]);
  });

  it('is not waited for without end where that one goes on', async () => {
    const serving = await takeLease(db.open(), systemClock, served);
    const taken = await acquireLease(db.open(), systemClock, { onWaiting: () => undefined, patienceMs: 0 });
    expect(taken).toBeUndefined();
    await serving?.release();
  });
});
