import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSettings, revocableSettings } from '../../../server/app/settings.ts';
import type { Settings, SettingsChange } from '../../../server/contract/app/settings.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { notesFileIn } from '../../../server/store/recovery/withdrawals/revocations-file.ts';
import { RevocationLog } from '../../../server/store/recovery/withdrawals/revocation-log.ts';
import type { Partition } from '../../../server/store/store.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';

const OPEN = { relay: 'relay.example:7422', partnerRelays: true, reverse: true, mapPort: true, carry: true };
const SHUT = { relay: '', partnerRelays: false, reverse: false, mapPort: false, carry: false };

let system: Partition;
let begin: () => RevocationLog;
beforeEach(async () => {
  const { path: dataDir, remove } = await temporaryFolder();
  const clock = manualClock('2026-11-28T09:00:00Z');
  const store = await openStore({ dataDir, clock });
  system = await store.partition('system');
  begin = () =>
    new RevocationLog({ notes: notesFileIn({ dataDir, clock }), clock, rules: [revocableSettings] });
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
});

const change = async (at: Partition, part: SettingsChange): Promise<Settings> =>
  (await openSettings(at, {}, () => undefined)).change(part);

/** The settings at a start with data in which they are `older`, though our user had changed them to `newer` since. */
async function settingsAfter(older: SettingsChange, newer: SettingsChange): Promise<Settings> {
  const withdrawals = begin();
  await withdrawals.reapply(system, () => undefined);
  const guarded = withdrawals.guardPartition(system);
  await change(guarded, older);
  await change(guarded, newer);
  await change(system, older);
  await begin().reapply(system, () => undefined);
  return (await openSettings(system, {}, () => undefined)).current();
}

describe('consents to routes around the router, when older data comes back', () => {
  it.each(['partnerRelays', 'reverse', 'mapPort', 'carry'] as const)(
    '%s stays off once our user switched it off',
    async (consent) => {
      expect(await settingsAfter(OPEN, { [consent]: false })).toMatchObject({ ...OPEN, [consent]: false });
    },
  );

  it('all of them stay off, and no relay is contacted that our user removed', async () => {
    expect(await settingsAfter(OPEN, SHUT)).toMatchObject(SHUT);
  });

  it('the relay is the newest one', async () => {
    const { relay } = await settingsAfter(OPEN, { relay: 'other.example:443' });
    expect(relay).toBe('other.example:443');
  });

  it('none is switched on that the older data had off', async () => {
    expect(await settingsAfter(SHUT, OPEN)).toMatchObject(SHUT);
  });
});
