import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Clock } from '../../../server/base/clock.ts';
import { systemDisk } from '../../../server/store/files/disk.ts';
import { checkedLine } from '../../../server/store/files/format.ts';
import { LOCK_FILE } from '../../../server/store/files/lock.ts';
import { readMarks } from '../../../server/store/recovery/high-water-marks-file.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import type { Table } from '../../../server/store/store.ts';
import { copyFolder } from './disk-sample.ts';

/** A row as an office has them. */
interface OfficeRow {
  readonly name: string;
  readonly town: string;
  readonly amount: number;
  readonly note: string;
}
export const officeRows: Table<OfficeRow> = { name: 'row', indexes: { town: ({ town }) => town } };
/** The parts of the office's store: what it shares with whom, and two lists. */
export const OFFICE_PARTS = ['list-701', 'list-702', 'system'] as const;

/** A partition after one change that was called saved. */
export interface Saved {
  readonly seq: number;
  /** As text: every row by its key. */
  readonly content: string;
}

/** One store at three moments, each lying in a folder of its own, and all that was ever saved in it. */
export interface OfficeStore {
  /** Closed; it went on behind that. */
  readonly older: string;
  /** As a kill leaves it: all that was saved, and nothing closed. */
  readonly killed: string;
  /** The same, closed properly. */
  readonly closed: string;
  /** By partition, oldest first, beginning with nothing. */
  readonly saved: ReadonlyMap<string, readonly Saved[]>;
}

const NAMES = [
  'Ødegård',
  'Müller & Söhne',
  'O’Leary',
  'Łukasz Nowak',
  'Fontaine',
  '佐藤商店',
  'Brandt',
  'Ibáñez',
];
const TOWNS = ['Kiel', 'Århus', 'Gdańsk', 'Cork', 'Lyon', 'Porto', 'Malmö'];

/** Always the same numbers for the same beginning. */
function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

/** What a partition holds, as text. */
export async function officeContent(store: DiskStore, part: string): Promise<string> {
  const entries = await (await store.partition(part)).page(officeRows, { limit: 1000 });
  return JSON.stringify(entries.map(({ key, value }) => [key, value]));
}

/** Fills a store in two runs, with compactions between, and keeps copies of its folder. */
export async function makeOfficeStore(base: string, clock: Clock): Promise<OfficeStore> {
  const dataDir = join(base, 'working');
  const random = numbersFrom(20261122);
  const pick = <T>(list: readonly T[]): T | undefined => list[random() % list.length];
  const saved = new Map<string, Saved[]>(OFFICE_PARTS.map((part) => [part, [{ seq: 0, content: '[]' }]]));
  const row = (): OfficeRow => ({
    name: `${pick(NAMES)} ${random() % 1000}`,
    town: pick(TOWNS) ?? '',
    amount: (random() % 1_000_000) / 100,
    note: Array.from({ length: random() % 12 }, () => random().toString(36)).join(' '),
  });
  const open = (): Promise<DiskStore> => openStore({ dataDir, clock, limits: { compactFloor: 1e9 } });
  /** Some changes, as people make them: a row or two, a few that go, now and then a whole file that comes in. */
  const change = async (store: DiskStore, part: string, rows: number): Promise<void> => {
    const partition = await store.partition(part);
    const before = await partition.page(officeRows, { limit: 1000 });
    await partition.transaction((tx) => {
      for (let i = 0; i < rows; i++) tx.put(officeRows, String(100 + (random() % 60)), row());
      const gone = before.length > 8 && random() % 3 === 0 ? pick(before) : undefined;
      if (gone) tx.delete(officeRows, gone.key);
    });
    const content = await officeContent(store, part);
    saved.get(part)?.push({ seq: await partition.lastSeq(), content });
  };
  const work = async (store: DiskStore): Promise<void> => {
    for (const rows of [2, 30, 1]) for (const part of OFFICE_PARTS) await change(store, part, rows);
    await store.compact('list-701');
    await store.compact('system');
    for (const rows of [3, 1]) for (const part of OFFICE_PARTS) await change(store, part, rows);
  };

  const first = await open();
  await work(first);
  await first.close();
  const older = await copyFolder(dataDir, join(base, 'older'));
  const second = await open();
  await work(second);
  await untilNoted(dataDir, saved);
  const killed = await copyFolder(dataDir, join(base, 'killed'));
  await rm(join(killed, LOCK_FILE));
  await second.close();
  const closed = await copyFolder(dataDir, join(base, 'closed'));
  return { older, killed, closed, saved };
}

/** What is saved is noted a moment later, and nobody waits for it. */
async function untilNoted(dataDir: string, saved: ReadonlyMap<string, readonly Saved[]>): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const { marks } = await readMarks(systemDisk, join(dataDir, 'store'));
    if ([...saved].every(([part, all]) => marks.get(part)?.last === all.at(-1)?.seq)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('What was saved was not noted.');
}

/** The ends of everything in a journal that was written as a whole. */
export async function groupEnds(file: string): Promise<number[]> {
  const text = await readFile(file, 'latin1');
  return [...text.matchAll(/^\{.*\}\n/gm)].map((line) => line.index + line[0].length);
}

/** Makes of a store what a version would have left that noted nothing: the same lines without what is new in them. */
export async function withoutMarks(store: string): Promise<void> {
  await rm(join(store, 'marks.json'));
  for (const part of OFFICE_PARTS) {
    for (const name of await readdir(join(store, part))) {
      const path = join(store, part, name);
      const lines: Buffer[] = [];
      let crc = 0;
      for (const text of (await readFile(path, 'utf8')).split(/(?<=\n)/)) {
        const body = JSON.parse(text) as object;
        const bare = Object.entries(body).filter(([key]) => key !== 'round' && key !== 'crc');
        const operation = Buffer.from(text);
        const made = Array.isArray(body)
          ? { line: operation, crc: crc32(operation, crc) }
          : checkedLine(Object.fromEntries(bare), crc);
        lines.push(made.line);
        crc = made.crc;
      }
      await writeFile(path, Buffer.concat(lines));
    }
  }
}
