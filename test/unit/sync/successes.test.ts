import { expect, it } from 'vitest';
import { openSuccesses } from '../../../server/sync/schedule/successes.ts';
import { openOwnStore } from '../../support/harness/parts.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

it('a check that went well under a clock ahead is not shown for a year after a kill: the next one is noted at once', async () => {
  const clock = manualClock('2027-01-01T08:00:00Z');
  const { store, close } = await openOwnStore({ clock });
  const system = await store.partition('system');
  const successes = await openSuccesses(system, clock);
  await successes.recordSuccess('700');
  clock.set('2026-01-01T08:00:00Z');
  await successes.recordSuccess('700');
  // As after a kill, which flushes nothing.
  expect((await openSuccesses(system, clock)).lastSuccess('700')).toBe('2026-01-01T08:00:00.000Z');
  await close();
});
