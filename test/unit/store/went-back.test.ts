import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { inspectStore } from '../../../server/store/recovery/inspect.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { StoreError, type StoreNotice } from '../../../server/store/store.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import { atNight, sampleOf } from '../../support/data/luck.ts';
import {
  groupEnds,
  makeOfficeStore,
  OFFICE_PARTS,
  officeContent,
  officeRows,
  withoutMarks,
  type OfficeStore,
  type Saved,
} from '../../support/faults/disk-office.ts';
import { copyFolder } from '../../support/faults/disk-sample.ts';

let folder: TemporaryFolder;
let office: OfficeStore;
beforeAll(async () => {
  folder = await temporaryFolderInMemory();
  office = await makeOfficeStore(folder.path, systemClock);
});
afterAll(() => folder.remove());

type Ending = 'killed' | 'closed';
const ENDINGS: readonly Ending[] = ['killed', 'closed'];

/** A way in which something else than Footbridge changes a file or a folder of a store. */
interface Harm {
  readonly how: string;
  readonly to: string;
  do(store: string): Promise<void>;
}

const savedIn = (part: string): readonly Saved[] => office.saved.get(part) ?? [];

/** What a store can be put to, one file or folder at a time. */
async function harms(ending: Ending): Promise<Harm[]> {
  const store = join(office[ending], 'store');
  const older = join(office.older, 'store');
  const found: Harm[] = [];
  const files = (await readdir(store, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(store.length + 1))
    .sort();
  for (const to of files) {
    const path = join(store, to);
    const bytes = await readFile(path);
    const write = (how: string, make: () => Buffer): void =>
      void found.push({ how, to, do: (target) => writeFile(join(target, to), make()) });
    found.push({ how: 'missing', to, do: (target) => rm(join(target, to)) });
    write('empty', () => Buffer.alloc(0));
    write('zeroed', () => Buffer.alloc(bytes.length));
    const before = await readFile(join(older, to)).catch(() => undefined);
    if (before && !before.equals(bytes)) write('older', () => before);
    if (!to.includes('-0')) continue;
    const ends = await groupEnds(path);
    for (const end of ends) {
      if (end < bytes.length) write(`cut at ${end}, behind a change`, () => bytes.subarray(0, end));
      write(`cut at ${end - 30}, inside a change`, () => bytes.subarray(0, end - 30));
    }
  }
  for (const part of OFFICE_PARTS) {
    const snapshots = files.filter((file) => file.startsWith(`${part}/snapshot-`));
    const [previous, newest] = snapshots.slice(-2);
    if (previous !== undefined && newest !== undefined) {
      const how = 'the previous snapshot under its name';
      found.push({ how, to: newest, do: (target) => cp(join(target, previous), join(target, newest)) });
    }
    found.push({ how: 'missing', to: part, do: (target) => rm(join(target, part), { recursive: true }) });
    found.push({ how: 'older', to: part, do: (target) => putBack(target, [part]) });
  }
  return found;
}

/** Puts the older copy of files and folders in the place of the newer ones. */
async function putBack(store: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await rm(join(store, name), { recursive: true, force: true });
    await cp(join(office.older, 'store', name), join(store, name), { recursive: true });
  }
}

interface Outcome {
  readonly refused: boolean;
  readonly notices: readonly StoreNotice[];
  /** By partition: how many changes that had been saved are not there any more. */
  readonly missing: ReadonlyMap<string, number>;
  readonly doctor: Awaited<ReturnType<typeof inspectStore>>;
}

/** Starts on what is left; then once more, when nothing may be told again or have changed. */
async function startOn(dataDir: string, what: string): Promise<Outcome> {
  const doctor = await inspectStore(dataDir);
  const missing = new Map<string, number>();
  let notices: readonly StoreNotice[];
  const contents = new Map<string, string>();
  try {
    const store = await openStore({ dataDir, clock: systemClock });
    // Everything must have been noticed by now: before anybody looks at a list.
    notices = [...store.notices()];
    for (const part of OFFICE_PARTS) {
      const content = await officeContent(store, part);
      contents.set(part, content);
      const saved = savedIn(part);
      const state = saved.findLast((one) => one.content === content);
      expect(state, `${what}: ${part} holds what never was`).toBeDefined();
      missing.set(part, (saved.at(-1)?.seq ?? 0) - (state?.seq ?? 0));
    }
    await store.close();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    expect(error.code, what).toBe('damaged');
    return { refused: true, notices: [], missing, doctor };
  }
  const again = await openStore({ dataDir, clock: systemClock });
  for (const part of OFFICE_PARTS)
    expect(await officeContent(again, part), `${what}, started again`).toBe(contents.get(part));
  await again.close();
  return { refused: false, notices, missing, doctor };
}

const told = (notices: readonly StoreNotice[], part: string): StoreNotice[] =>
  notices.filter(({ partition, code }) => partition === part && code !== 'stale-lock');

describe.each(ENDINGS)('a store that was %s, and one file or folder of it', (ending) => {
  it(
    'missing, empty, zeroed, cut or older: it is all there, or exactly what is missing is told at the start',
    {
      timeout: 120_000,
    },
    async () => {
      const all = sampleOf(await harms(ending), 8);
      const seen = { whole: 0, told: 0, refused: 0 };
      for (const harm of all) {
        const what = `${harm.to} ${harm.how}`;
        const dataDir = await copyFolder(office[ending], join(folder.path, 'harmed'));
        await harm.do(join(dataDir, 'store'));
        const { refused, notices, missing, doctor } = await startOn(dataDir, what);
        const lines = doctor.advice.filter((line) => !/no good backup|nearly full/.test(line)).join('\n');
        if (refused) {
          seen.refused++;
          expect(lines, `${what}: doctor`).toMatch(/restore/);
          continue;
        }
        for (const part of OFFICE_PARTS) {
          const lost = missing.get(part) ?? 0;
          const about = told(notices, part);
          if (lost === 0) {
            expect(
              about.flatMap(({ said }) => Object.values(said.with)),
              what,
            ).toEqual([]);
            continue;
          }
          expect(
            about.map(({ said }) => said.with),
            what,
          ).toEqual([{ n: lost }]);
          expect(about[0]?.message, what).toMatch(new RegExp(`missing, ${lost} in all\\. Look through`));
          const report = doctor.partitions.find(({ name }) => name === part);
          expect(report, `${what}: doctor`).toMatchObject({ state: 'damaged', missing: lost });
          expect(lines, `${what}: doctor`).toContain(`Part ${part}: The newest changes`);
        }
        const lost = [...missing.values()].some((count) => count > 0);
        if (lost) seen.told++;
        else seen.whole++;
        // Nothing is called missing, older or mixed where the data is all there.
        if (!lost && harm.to !== 'marks.json') {
          expect(notices.map(({ message }) => message).join(), what).not.toMatch(/missing,|older|may be/);
        }
      }
      console.log(`${ending}: ${all.length} kinds of harm`, seen);
      expect(Math.min(seen.whole, seen.told, seen.refused)).toBeGreaterThan(atNight(5, 0));
    },
  );

  it('without anything of it touched: says nothing', async () => {
    const dataDir = await copyFolder(office[ending], join(folder.path, 'untouched'));
    const { notices, missing, doctor } = await startOn(dataDir, 'untouched');
    expect(notices).toEqual([]);
    expect([...missing.values()]).toEqual([0, 0, 0]);
    expect(doctor.partitions.map(({ state }) => state)).toEqual(
      OFFICE_PARTS.map(() => (ending === 'killed' ? 'not-closed' : 'good')),
    );
  });

  it(
    'older than the others, in any mixture: told at the start, and by the doctor',
    { timeout: 120_000 },
    async () => {
      const names = [...OFFICE_PARTS, 'marks.json', 'partitions.json'];
      const mixtures = Array.from({ length: 2 ** names.length - 1 }, (_, at) => at + 1);
      for (const mixture of sampleOf(mixtures, 3)) {
        const older = names.filter((_, i) => mixture & (1 << i));
        // All of it older is a whole older folder: only the partners can tell.
        if (names.slice(0, -1).every((name) => older.includes(name))) continue;
        const what = `older: ${older.join(', ')}`;
        const dataDir = await copyFolder(office[ending], join(folder.path, 'mixed'));
        await putBack(join(dataDir, 'store'), older);
        const { refused, notices, missing, doctor } = await startOn(dataDir, what);
        expect(refused, what).toBe(false);
        const lost = OFFICE_PARTS.filter((part) => (missing.get(part) ?? 0) > 0);
        expect(lost, what).toEqual(OFFICE_PARTS.filter((part) => older.includes(part)));
        const mixed = notices.some(({ code }) => code === 'mixed-ages');
        expect(mixed, what).toBe(older.includes('marks.json'));
        for (const part of lost) {
          if (mixed) continue;
          expect(
            told(notices, part).map(({ said }) => said.with),
            what,
          ).toEqual([{ n: missing.get(part) }]);
        }
        if (lost.length > 0)
          expect(doctor.advice.join(), what).toMatch(/missing, \d+ in all|older than others/);
      }
    },
  );
});

describe('a store of a version that did not note how far it had come', () => {
  it('opens as it is, is noted from then on, and an older list is missed the next time', async () => {
    const before = await copyFolder(office.closed, join(folder.path, 'before'));
    await withoutMarks(join(before, 'store'));
    const dataDir = await copyFolder(before, join(folder.path, 'since'));
    const { notices, missing } = await startOn(dataDir, 'as it was');
    expect(notices).toEqual([]);
    expect([...missing.values()]).toEqual([0, 0, 0]);

    const store = await openStore({ dataDir, clock: systemClock });
    const row = { name: 'Kwiatkowska', town: 'Gdańsk', amount: 12.5, note: 'called on Monday' };
    await (await store.partition('system')).transaction((tx) => tx.put(officeRows, '7', row));
    await store.close();
    // Nobody wrote to this list since, and it is older all the same.
    await rm(join(dataDir, 'store', 'list-702'), { recursive: true });
    await cp(join(office.older, 'store', 'list-702'), join(dataDir, 'store', 'list-702'), {
      recursive: true,
    });
    const again = await openStore({ dataDir, clock: systemClock });
    expect(told(again.notices(), 'list-702')).toMatchObject([{ code: 'damaged-put-aside' }]);
    await again.close();
  });
});
