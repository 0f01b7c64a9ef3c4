import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import type { DiskStore } from '../../server/store/engine/disk-store.ts';
import { openStore } from '../../server/store/engine/open-store.ts';
import { StoreError, type Table } from '../../server/store/store.ts';
import { atNight, seedOf } from '../support/data/luck.ts';
import { faultyDisk, type Fault, type FaultyDisk } from '../support/faults/disk-faults.ts';
import { temporaryFolderInMemory } from '../support/harness/temporary-folder.ts';

const table: Table<{ n: number; text: string }> = { name: 't', indexes: { n: (value) => String(value.n) } };
type Model = Map<string, { n: number; text: string }>;

let folders: { remove: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(folders.map((folder) => folder.remove()));
  folders = [];
});
async function newFolder(): Promise<string> {
  const folder = await temporaryFolderInMemory();
  folders.push(folder);
  return folder.path;
}

const CODES: Record<Fault, StoreError['code'][]> = {
  EIO: ['io'],
  ENOSPC: ['full'],
  EDQUOT: ['full'],
  EPERM: ['permission'],
  EBUSY: ['io'],
  'short write': ['full'],
};

async function expectSame(store: DiskStore, model: Model, when: string): Promise<void> {
  const part = await store.partition('p');
  const entries = await part.page(table, { limit: 1000 });
  expect(new Map(entries.map(({ key, value }) => [key, value])), when).toEqual(model);
  expect(await part.count(table), when).toBe(model.size);
  for (const n of [0, 1, 2]) {
    const keys = (await part.find(table, 'n', String(n))).map(({ key }) => key).sort();
    expect(keys, when).toEqual(
      [...model]
        .filter(([, value]) => value.n === n)
        .map(([key]) => key)
        .sort(),
    );
  }
  const changes = await part.changesSince(table, { afterSeq: 0 }, 1000);
  expect(new Map(changes.map(({ key, value }) => [key, value])), when).toEqual(model);
}

/** Fills, changes, compacts and closes a store; every step that is refused must have changed nothing. */
async function scenario(dataDir: string, disk: FaultyDisk, fault: Fault): Promise<Model> {
  const model: Model = new Map();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      expect(CODES[fault]).toContain(error.code);
    }
  };
  const open = async (): Promise<DiskStore> => {
    for (let tries = 0; ; tries++) {
      try {
        return await openStore({ dataDir, clock: systemClock, disk, limits: { compactFloor: 1e9 } });
      } catch (error) {
        expect(error).toBeInstanceOf(StoreError);
        expect((error as StoreError).code, disk.lastFailed()).not.toBe('damaged');
        if (tries > 2) throw error;
      }
    }
  };
  for (let round = 0; round < 2; round++) {
    const store = await open();
    for (let step = 0; step < 5; step++) {
      const value = { n: step % 3, text: `${round}/${step} ${'x'.repeat(50)}` };
      await attempt(async () => {
        const part = await store.partition('p');
        await part.transaction((tx) => {
          tx.put(table, `k${step}`, value);
          tx.put(table, `r${round}-${step}`, value);
          if (step === 3) tx.delete(table, 'k1');
        });
        model.set(`k${step}`, value).set(`r${round}-${step}`, value);
        if (step === 3) model.delete('k1');
      });
      await attempt(() => expectSame(store, model, `after ${disk.lastFailed()}`));
      if (step === 2) await attempt(() => store.compact('p'));
    }
    await attempt(() => store.close());
  }
  return model;
}

/** Meets one of so many calls. EPERM is taken as EBUSY is and has another name. */
const FAULTS: readonly (readonly [Fault, every: number])[] = [
  ['EIO', atNight(1, 7)],
  ['ENOSPC', atNight(1, 7)],
  ['EPERM', atNight(3, 21)],
  ['EBUSY', atNight(1, 7)],
  ['short write', atNight(1, 7)],
];

describe.each(FAULTS)('R2: the disk answers %s', (fault, every) => {
  it(
    'to the N-th call, whichever that is: memory and disk are the state before or after',
    { timeout: 120_000 },
    async () => {
      let reached = false;
      for (let n = 1 + (seedOf(0) % every); !reached; n += every) {
        const dataDir = await newFolder();
        const disk = faultyDisk(n, fault);
        const model = await scenario(dataDir, disk, fault);
        const store = await openStore({ dataDir, clock: systemClock });
        await expectSame(store, model, `reopened after ${disk.lastFailed()}, call ${n}`);
        expect(store.notices().map(({ code }) => code)).not.toContain('damaged-put-aside');
        await store.close();
        reached = disk.calls() < n;
      }
    },
  );
});
