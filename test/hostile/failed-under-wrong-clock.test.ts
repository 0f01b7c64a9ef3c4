import { expect, it } from 'vitest';
import { FAILED } from '../../server/sync/tables.ts';
import { manualClock } from '../support/harness/manual-clock.ts';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { idOf, matched } from '../support/partners/matched.ts';
import { soon } from '../support/harness/soon.ts';

const HOUR = 3_600_000;

it('T1: a row that failed while our clock stood a year ahead is tried again by itself once that is right', async () => {
  const clock = manualClock('2026-11-25T08:00:00Z');
  const right = clock.now();
  const origin = madeUpOrigin();
  origin.now = () => right;
  clock.set(right + 365 * 24 * HOUR);
  const fields = [{ kind: 'Number', name: 'Name' }] as const;
  const { office, nodeID, moduleID } = await matched(
    origin,
    { footbridge: true, dialect: 'shape1' },
    { clock, fields },
  );
  origin.put(idOf(1), { Name: ['no number'] });
  await office.sync.syncNow(nodeID);
  const partition = await office.store.partition(`list-${moduleID}`);
  const triedAt = async (): Promise<string | undefined> =>
    (await partition.page(FAILED, { limit: 2 }))[0]?.value.triedAt;
  expect(await triedAt()).toMatch(/^2027/);

  clock.set(right + HOUR);
  // On schedule: who asks has all tried again in any case.
  await soon(async () => {
    clock.advance(10 * 60_000);
    await office.sync.whenIdle(nodeID);
    expect(await triedAt()).toMatch(/^2026/);
  });
});
