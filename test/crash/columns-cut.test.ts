import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCK_FILE } from '../../server/store/files/lock.ts';
import {
  COLUMN_CHANGES,
  HIDDEN,
  leaves,
  makeSharing,
  openSharing,
  told,
  type ColumnChange,
  type SharingOffice,
  type Told,
} from '../support/worlds/column-changes.ts';
import { atNight, seedOf } from '../support/data/luck.ts';
import { cuttableDisk } from '../support/faults/disk-cut.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { copyFolder } from '../support/faults/disk-sample.ts';

/** Rows of the list; more by the environment. */
const ROWS = Number(process.env.FOOTBRIDGE_ROWS ?? 1200);
/** The power goes at one of so many calls to the disk. */
const EVERY = atNight(1, 6);

let folder: TemporaryFolder;
let office: string;
let ids: Awaited<ReturnType<typeof makeSharing>>;
beforeAll(async () => {
  folder = await temporaryFolderInMemory();
  office = join(folder.path, 'office');
  ids = await makeSharing(office, ROWS);
}, 60_000);
afterAll(() => folder.remove());

async function change(of: SharingOffice, { change: asNow }: ColumnChange): Promise<void> {
  const { fields } = await of.lists.module(ids.list);
  await of.lists.updateModule(ids.list, { fields: asNow(fields) });
  await of.settled();
}

/** What there is before and after the whole change. */
async function bothOf(step: ColumnChange): Promise<readonly [Told, Told]> {
  const whole = await openSharing(await copyFolder(office, join(folder.path, 'whole')));
  const before = await told(whole, ids);
  await change(whole, step);
  const after = await told(whole, ids);
  await whole.store.close();
  return [before, after];
}

describe('R1: the power goes in the middle of a change of columns of a shared list', () => {
  it.each(COLUMN_CHANGES)(
    '$what: at any call to the disk the list is old or new, and only what was chosen leaves',
    { timeout: 300_000 },
    async (step) => {
      const both = await bothOf(step);
      expect(both[1].list).not.toBe(both[0].list);
      for (const each of both) expect(each.leaves).not.toContain(HIDDEN);
      const ends = new Set<number>();
      for (let calls = 1 + (seedOf(0) % EVERY), isThrough = false; !isThrough; calls += EVERY) {
        const dataDir = await copyFolder(office, join(folder.path, 'cut'));
        const disk = cuttableDisk();
        const working = await openSharing(dataDir, disk);
        disk.cutAfter(calls);
        await change(working, step).catch(() => undefined);
        isThrough = !disk.isCut;
        // What is asked for while the disk is gone and the program still runs.
        const meanwhile = await leaves(working.federation, ids.share).catch(() => both[0].leaves);
        expect(
          both.some((each) => each.leaves === meanwhile),
          `meanwhile, call ${calls}`,
        ).toBe(true);
        await working.store.close().catch(() => undefined);
        await rm(join(dataDir, LOCK_FILE), { force: true });

        const again = await openSharing(dataDir);
        const found = await told(again, ids);
        const end = both.findIndex(({ list }) => list === found.list);
        expect(end, `the list, call ${calls}`).toBeGreaterThanOrEqual(0);
        expect(found.leaves === both[end]?.leaves, `what leaves, call ${calls}`).toBe(true);
        ends.add(end);
        await again.store.close();
      }
      expect(ends, 'some cuts must come too early for the change, and some too late').toEqual(
        new Set([0, 1]),
      );
    },
  );
});
