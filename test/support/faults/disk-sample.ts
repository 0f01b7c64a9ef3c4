import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../server/base/clock.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import type { HighWaterMark } from '../../../server/store/recovery/high-water-mark.ts';
import type { Table } from '../../../server/store/store.ts';

export interface Sample {
  readonly n: number;
  readonly text: string;
}
/** The table that the sample store is made of. */
export const samples: Table<Sample> = { name: 'samples', indexes: { n: (value) => String(value.n) } };
/** Its only partition. */
export const SAMPLE_PARTITION = 'p';

/** Content of the sample table by key. */
export type Content = Record<string, Sample>;

/**
 * Fills a store so that it has two snapshots and three journals, the last of them with changes in it, and
 * closes it. Gives the content after every transaction, oldest first, beginning with nothing.
 */
export async function makeSampleStore(dataDir: string): Promise<Content[]> {
  const states: Content[] = [{}];
  const store = await openStore({ dataDir, clock: systemClock, limits: { compactFloor: 1e9 } });
  const part = await store.partition(SAMPLE_PARTITION);
  for (let step = 0; step < 9; step++) {
    const content = { ...states.at(-1) };
    await part.transaction((tx) => {
      for (const key of [`k${step % 4}`, `ü${step}`]) {
        content[key] = { n: step % 3, text: `step ${step}` };
        tx.put(samples, key, content[key]);
      }
      if (step % 4 === 3) {
        tx.delete(samples, 'k0');
        delete content.k0;
      }
    });
    states.push(content);
    if (step % 3 === 2 && step < 8) await store.compact(SAMPLE_PARTITION);
  }
  await store.close();
  return states;
}

/** All that a store holds of the sample table, by key and the same once more by change order and index. */
export async function contentOf(store: DiskStore): Promise<Content> {
  const part = await store.partition(SAMPLE_PARTITION);
  const entries = await part.page(samples, { limit: 1000 });
  const byKey = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  const changes = await part.changesSince(samples, { afterSeq: 0 }, 1000);
  const byChange = Object.fromEntries(changes.map(({ key, value }) => [key, value]));
  const found = (await Promise.all(['0', '1', '2'].map((n) => part.find(samples, 'n', n)))).flat();
  const byIndex = Object.fromEntries(found.map(({ key, value }) => [key, value]));
  for (const other of [byChange, byIndex]) {
    if (JSON.stringify(sorted(other)) !== JSON.stringify(sorted(byKey))) {
      throw new Error('Key order, change order and index do not hold the same.');
    }
  }
  return byKey;
}

/** The same content as text, whatever the order of its keys. */
export function sorted(content: Content): [string, Sample][] {
  return Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Copies a data folder as it lies there. */
export async function copyFolder(from: string, to: string): Promise<string> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true });
  return to;
}

/** Names and bytes of the files of the sample partition. */
export async function sampleFiles(dataDir: string): Promise<Map<string, Buffer>> {
  const folder = join(dataDir, 'store', SAMPLE_PARTITION);
  const files = new Map<string, Buffer>();
  for (const name of (await readdir(folder)).sort()) files.set(name, await readFile(join(folder, name)));
  return files;
}

/** What can be noted of a journal: one mark for its beginning, one behind each change. */
export function marksOf(bytes: Buffer, journal: number): HighWaterMark[] {
  const lines = bytes.toString('latin1').matchAll(/^\{.*?"(?:last|after)":(\d+).*"crc":"(\w{8})"\}\n/gm);
  return [...lines].map((line) => ({
    journal,
    bytes: line.index + line[0].length,
    crc: Number.parseInt(line[2] ?? '', 16),
    last: Number(line[1]),
  }));
}
