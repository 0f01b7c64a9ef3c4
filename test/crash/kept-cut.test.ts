import { expect, it } from 'vitest';
import { listPartition } from '../../server/lists/rows/row-table.ts';
import { systemDisk } from '../../server/store/files/disk.ts';
import { REJECTED_DELETIONS } from '../../server/sync/tables.ts';
import { cuttableDisk } from '../support/faults/disk-cut.ts';
import { manualClock } from '../support/harness/manual-clock.ts';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, idOf, matched } from '../support/partners/matched.ts';
import type { ReceivingOffice } from '../support/harness/pulling-parts.ts';

const DAY = 24 * 3_600_000 + 1000;

it(
  'R1: the power goes while the partner’s new word comes on a row that was kept: the word counts, or the row is still kept',
  { timeout: 120_000 },
  async () => {
    const clock = manualClock('2026-03-02T08:00:00Z');
    const origin = madeUpOrigin();
    origin.now = () => clock.now();
    fill(origin, 0, 12);
    const {
      office: first,
      nodeID,
      moduleID,
      sharedModuleID,
    } = await matched(origin, { dialect: 'shape1' }, { clock });
    let office: ReceivingOffice = first;
    const city = async (): Promise<string | undefined> =>
      (await office.received(moduleID)).get(idOf(4))?.City;
    const isKept = async (): Promise<boolean> => {
      const partition = await office.store.partition(listPartition(moduleID));
      return (await partition.find(REJECTED_DELETIONS, 'shared', sharedModuleID)).length > 0;
    };
    const again = async (disk?: Parameters<ReceivingOffice['restart']>[0]): Promise<void> => {
      office = await office.restart(disk);
    };

    clock.advance(60_000);
    await office.sync.syncNow(nodeID);
    const ends = new Set<string>();
    for (let calls = 1, isThrough = false; !isThrough; calls++) {
      if (!(await isKept())) {
        origin.lose(idOf(4));
        clock.advance(DAY);
        await office.sync.syncNow(nodeID);
        expect(await office.sync.decisions.decide(nodeID, sharedModuleID, 'keep')).toBe(1);
      }
      const word = `Harbour ${calls}`;
      const before = await city();
      clock.advance(60_000);
      origin.put(idOf(4), { Name: ['Strand'], City: [word] });
      const disk = cuttableDisk();
      await again(disk);
      disk.cutAfter(calls);
      await office.sync.syncNow(nodeID).catch(() => undefined);
      isThrough = !disk.isCut;
      await again(systemDisk);
      const end = `${(await city()) === word ? 'the new word' : String((await city()) === before)}, ${(await isKept()) ? 'kept' : 'not kept'}`;
      ends.add(end);
    }
    await office.close();
    expect([...ends].sort()).toEqual(['the new word, not kept', 'true, kept']);
  },
);
