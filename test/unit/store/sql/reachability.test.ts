import { expect, it } from 'vitest';
import type { Ask } from '../../../../server/store/sql/database.ts';
import { createReachability } from '../../../../server/store/sql/reachability.ts';
import { StoreError } from '../../../../server/store/store.ts';
import { manualClock } from '../../../support/harness/manual-clock.ts';
import { testDatabase } from '../../../support/harness/test-database.ts';

it('says that the database’s disk is full until there is room again, though it answers meanwhile', async () => {
  const db = await testDatabase();
  const database = db.open();
  const clock = manualClock(0);
  let isFull = true;
  let news = 0;
  const guarded = {
    ...database,
    transaction: <R>(work: (ask: Ask) => Promise<R>): Promise<R> =>
      isFull ? Promise.reject(new StoreError('full', 'no room')) : database.transaction(work),
  };
  const reachability = createReachability(clock, guarded, () => news++);
  const change = (): Promise<unknown> =>
    reachability.runTracked(() => guarded.transaction((ask) => ask('SELECT 1')));
  await expect(change()).rejects.toMatchObject({ code: 'full' });
  expect(reachability.unwritable()).toMatchObject({ code: 'full' });
  for (let tries = 0; tries < 3; tries++) {
    clock.advance(5_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(reachability.unwritable()).toMatchObject({ code: 'full' });
  }
  isFull = false;
  clock.advance(5_000);
  await expect.poll(() => reachability.unwritable()).toBeUndefined();
  expect(news).toBe(2);
  reachability.close();
}, 60_000);
