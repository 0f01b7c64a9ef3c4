import type { Disk } from '../../../server/store/files/disk.ts';
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openSlewedClock } from '../../../server/store/engine/slewed-clock.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { StoreError, type Partition, type Table } from '../../../server/store/store.ts';
import {
  putPosition,
  readPosition,
  type LogPosition,
} from '../../../server/store/recovery/withdrawals/log-position.ts';
import {
  findTrustedSource,
  type Evidence,
} from '../../../server/store/recovery/withdrawals/trusted-source.ts';
import { revocable } from '../../../server/store/recovery/withdrawals/revocable.ts';
import { notesFileIn } from '../../../server/store/recovery/withdrawals/revocations-file.ts';
import { RevocationLog } from '../../../server/store/recovery/withdrawals/revocation-log.ts';
import { faultyDisk } from '../../support/faults/disk-faults.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

interface Door {
  readonly open: boolean;
}
const DOORS: Table<Door> = { name: 'door' };
const KEYS: Table<Door> = { name: 'key' };
const note = z.boolean();
const noted = (before: Door | undefined, after: Door | undefined): boolean | undefined =>
  before?.open === after?.open ? undefined : (after?.open ?? false);
const reapply = (door: Door, open: boolean): Door => (door.open && !open ? { open } : door);
const RULES = [
  revocable({ table: DOORS, note, noteForChange: noted, reapply }),
  revocable({ table: KEYS, note, noteForChange: noted, reapply, useful: 86_400_000 }),
];

const clock = manualClock('2026-05-04T09:00:00Z');
let dataDir: string;
let store: DiskStore;
let system: Partition;
const file = (): string => join(dataDir, 'withdrawn.jsonl');

beforeEach(async () => {
  const { path, remove } = await temporaryFolderInMemory();
  dataDir = path;
  store = await openStore({ dataDir, clock });
  system = await store.partition('system');
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
});

const begin = (disk?: Disk): RevocationLog =>
  new RevocationLog({ notes: notesFileIn({ dataDir, clock, disk }), clock, rules: RULES });

/** What is done again at a start, by key. */
async function again(): Promise<string[]> {
  const kept: string[] = [];
  await begin().reapply(system, (_tx, { kept: all }) => {
    kept.push(...all.map(({ key }) => key));
  });
  return kept.sort();
}

async function put(withdrawals: RevocationLog, key: string, open: boolean, table = DOORS): Promise<void> {
  await withdrawals.guardPartition(system).transaction((tx) => tx.put(table, key, { open }));
}

/** As older data does that takes the place of newer. */
async function putBack(key: string, table = DOORS): Promise<void> {
  const reach = await readPosition(system);
  await system.transaction((tx) => {
    tx.put(table, key, { open: true });
    if (reach) putPosition(tx, { ...reach, no: 0 });
  });
}

describe('what was taken back', () => {
  it('is taken back again at the start, where older data does not know of it', async () => {
    const now = begin();
    await put(now, 'front', true);
    await put(now, 'back', true);
    await put(now, 'front', false);
    expect(await again()).toEqual([]);
    await putBack('front');
    expect(await again()).toEqual(['front']);
    expect(await system.get(DOORS, 'front')).toEqual({ open: false });
    expect(await system.get(DOORS, 'back')).toEqual({ open: true });
  });

  it('and given again stays open', async () => {
    const now = begin();
    for (const open of [true, false, true]) await put(now, 'front', open);
    await putBack('front');
    expect(await again()).toEqual([]);
  });

  it.each(['open change', 'truncate', 'write', 'sync'])(
    'is noted before it is done: where it cannot be, nothing is changed (%s)',
    async (kind) => {
      const faulty = faultyDisk();
      await put(begin(), 'front', true);
      const now = begin(faulty);
      await now.reapply(system, () => undefined);
      faulty.failNext(kind, 'ENOSPC', 1);
      await expect(put(now, 'front', false)).rejects.toMatchObject({ code: 'full' });
      expect(await system.get(DOORS, 'front')).toEqual({ open: true });
      await put(now, 'front', false);
      await putBack('front');
      expect(await again()).toEqual(['front']);
    },
  );

  it('is not taken back by the next start where the change found no room, nor then told as older data', async () => {
    const now = begin();
    await put(now, 'front', true);
    await put(now, 'back', true);
    await now.reapply(system, () => undefined);
    const full: Partition = {
      ...system,
      transaction: (body) =>
        system.transaction(async (tx) => {
          await body(tx);
          throw new StoreError('full', 'The disk is full.');
        }),
    };
    const closing = now.guardPartition(full).transaction((tx) => tx.put(DOORS, 'front', { open: false }));
    await expect(closing).rejects.toMatchObject({ code: 'full' });
    expect(await again()).toEqual([]);
    expect(await system.get(DOORS, 'front')).toEqual({ open: true });
    await put(now, 'back', false);
    await putBack('back');
    expect(await again()).toEqual(['back']);
  });

  it.each(['open create', 'write', 'sync', 'close', 'rename', 'syncFolder'])(
    'is noted although there was no room for the file at the start: %s',
    async (kind) => {
      await putBack('side');
      const faulty = faultyDisk();
      const now = begin(faulty);
      faulty.failNext(kind, 'ENOSPC', 1);
      await now.reapply(system, () => undefined);
      await put(now, 'side', false);
      await putBack('side');
      expect(await again()).toContain('side');
      expect((await readFile(file(), 'utf8')).split('\n')[0]).toContain('"footbridge":"withdrawn"');
    },
  );

  it('is known behind a torn end and a line that cannot be read', async () => {
    const now = begin();
    await put(now, 'front', true);
    await put(now, 'front', false);
    await appendFile(file(), 'no line of ours\n{"at":"2026-05-04T09:00:01.000Z","table":"door","key":"ba');
    await putBack('front');
    const next = begin();
    await next.reapply(system, () => undefined);
    expect(await system.get(DOORS, 'front')).toEqual({ open: false });
    // As a write leaves it that failed half-way.
    await appendFile(file(), 'left behind '.repeat(40));
    // The very next note, as those behind it would be read whatever became of it.
    await putBack('side');
    await put(next, 'side', false);
    await putBack('side');
    expect(await readFile(file(), 'utf8')).not.toContain('left behind');
    expect(await again()).toEqual(['side']);
  });

  it('is forgotten when it could not be used any more, and the file stays small', async () => {
    const now = begin();
    for (let turn = 0; turn < 700; turn++) {
      await put(now, `key-${turn}`, true, KEYS);
      await put(now, `key-${turn}`, false, KEYS);
    }
    await put(now, 'front', true);
    await put(now, 'front', false);
    const large = (await stat(file())).size;
    const believed = await openSlewedClock(system, clock);
    clock.advance(40 * 3_600_000);
    await believed.advance();
    const full = faultyDisk();
    full.full(true);
    await begin(full).reapply(system, () => undefined);
    expect((await stat(file())).size).toBe(large);
    await putBack('key-3', KEYS);
    await putBack('front');
    expect(await again()).toEqual(['front']);
    expect((await stat(file())).size).toBeLessThan(large / 100);
    expect((await stat(file())).mode & 0o077).toBe(0);
    expect((await readFile(file(), 'utf8')).split('\n')).toHaveLength(3);
  });

  it('counts still where a clock stands days ahead at a start, and was never right for long enough', async () => {
    const now = begin();
    const believed = await openSlewedClock(system, clock);
    clock.advance(40 * 3_600_000);
    await believed.advance();
    await put(now, 'key', true, KEYS);
    await put(now, 'key', false, KEYS);
    clock.set(clock.now() + 3 * 86_400_000);
    await putBack('key', KEYS);
    expect(await again()).toEqual(['key']);
    clock.set(clock.now() - 3 * 86_400_000);
  });

  it(
    'takes no more room however often the same changes in one run',
    { tags: 'nightly-sizes', timeout: 120_000 },
    async () => {
      const now = begin();
      await now.reapply(system, () => undefined);
      for (let turn = 0; turn < 1500; turn++) await put(now, `door-${turn % 7}`, turn % 2 === 0);
      const lines = (await readFile(file(), 'utf8')).split('\n').length;
      expect(lines).toBeLessThan(1100);
      for (let turn = 0; turn < 2500; turn++) await put(now, `door-${turn % 7}`, turn % 2 === 0);
      expect((await readFile(file(), 'utf8')).split('\n').length).toBeLessThan(1100);
      await put(now, 'front', true);
      await put(now, 'front', false);
      for (const key of ['front', 'door-0', 'door-1']) await putBack(key);
      expect(await again()).toEqual(['door-0', 'door-1', 'front']);
    },
  );

  it('in a form that only a newer version knows is not passed over', async () => {
    await writeFile(file(), '{"footbridge":"withdrawn","version":2}\n');
    await expect(again()).rejects.toMatchObject({ code: 'newer-version' });
  });
});

describe('what can be relied on of what was taken back', () => {
  const at = (no: number, book = 'a'): LogPosition => ({ book, no });
  const sound = (no: number, book = 'a', isAll = true): Evidence['file'] => ({
    state: 'sound',
    reach: at(no, book),
    isAll,
  });
  const none: Evidence['file'] = { state: 'none', reach: at(0, ''), isAll: false };
  const damaged: Evidence['file'] = { ...sound(9), state: 'damaged' };
  const anew: Evidence['file'] = { ...sound(0, 'b', false), from: at(9) };

  it.each<[string, Evidence, ReturnType<typeof findTrustedSource>]>([
    ['a new folder', { file: none, system: undefined, noted: undefined, wentBack: false }, 'file'],
    ['all is well', { file: sound(9), system: at(9), noted: at(9), wentBack: false }, 'file'],
    ['a kill behind the note', { file: sound(10), system: at(9), noted: at(9), wentBack: false }, 'file'],
    [
      'a kill behind the very first note',
      { file: sound(1), system: undefined, noted: undefined, wentBack: false },
      'file',
    ],
    ['older data alone', { file: sound(9), system: at(4), noted: at(9), wentBack: true }, 'file'],
    [
      'older data of before there were notes',
      { file: sound(9), system: undefined, noted: at(9), wentBack: true },
      'file',
    ],
    ['the file older alone', { file: sound(4), system: at(9), noted: at(9), wentBack: false }, 'system'],
    ['the file gone alone', { file: none, system: at(9), noted: at(9), wentBack: false }, 'system'],
    ['the file damaged alone', { file: damaged, system: at(9), noted: at(9), wentBack: false }, 'system'],
    [
      'a kill behind a file made anew',
      { file: anew, system: at(0, 'b'), noted: at(9), wentBack: false },
      'file',
    ],
    [
      'a kill before the data knew of it',
      { file: anew, system: at(9), noted: at(9), wentBack: false },
      'system',
    ],
    ['both older', { file: sound(4), system: at(4), noted: at(9), wentBack: false }, 'nothing'],
    ['older data, the file gone', { file: none, system: at(4), noted: at(9), wentBack: true }, 'nothing'],
    [
      'older data, the file damaged',
      { file: damaged, system: at(4), noted: at(9), wentBack: true },
      'nothing',
    ],
    [
      'older data, nothing noted beside',
      { file: sound(9), system: at(4), noted: at(0, ''), wentBack: true },
      'nothing',
    ],
    [
      'data of before the file was made anew',
      { file: sound(3, 'b', false), system: at(9), noted: at(3, 'b'), wentBack: true },
      'nothing',
    ],
    [
      'a backup of this folder',
      { file: sound(9), system: at(4), noted: { ...at(9), restored: true }, wentBack: false },
      'file',
    ],
    [
      'a backup that does not say how far it knows',
      { file: sound(9), system: undefined, noted: { ...at(9), restored: true }, wentBack: false },
      'nothing',
    ],
    [
      'a backup that says that it knows more than there is',
      { file: sound(9), system: at(99), noted: { ...at(9), restored: true }, wentBack: false },
      'nothing',
    ],
    [
      'a backup in another folder',
      { file: none, system: at(4), noted: at(0, ''), wentBack: false },
      'nothing',
    ],
  ])('%s', (_, evidence, expected) => {
    expect(findTrustedSource(evidence)).toBe(expected);
  });
});
