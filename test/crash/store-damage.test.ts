import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { openStore } from '../../server/store/engine/open-store.ts';
import { StoreError, type StoreNotice } from '../../server/store/store.ts';
import { atNight } from '../support/data/luck.ts';
import { temporaryFolderInMemory, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import {
  contentOf,
  copyFolder,
  makeSampleStore,
  SAMPLE_PARTITION,
  sampleFiles,
  sorted,
  type Content,
} from '../support/faults/disk-sample.ts';

interface Outcome {
  /** Index of the state that was found; undefined when opening was refused. */
  readonly state: number | undefined;
  readonly notices: readonly StoreNotice['code'][];
}

let folder: TemporaryFolder;
let original: string;
let files: Map<string, Buffer>;
let states: string[];

beforeAll(async () => {
  folder = await temporaryFolderInMemory();
  original = join(folder.path, 'original');
  states = (await makeSampleStore(original)).map(asText);
  files = await sampleFiles(original);
});
afterAll(() => folder.remove());

const asText = (content: Content): string => JSON.stringify(sorted(content));

/** Opens what `change` made of the store, twice, and once more after writing: nothing may change on the way. */
async function outcomeOf(name: string, change: (partition: string) => Promise<void>): Promise<Outcome> {
  const dataDir = await copyFolder(original, join(folder.path, 'changed'));
  const partition = join(dataDir, 'store', SAMPLE_PARTITION);
  await change(partition);
  const before = await sampleFiles(dataDir);
  try {
    const store = await openStore({ dataDir, clock: systemClock });
    const found = asText(await contentOf(store));
    const notices = store.notices().map(({ code }) => code);
    await store.close();
    const again = await openStore({ dataDir, clock: systemClock });
    expect(asText(await contentOf(again)), `${name}, opened again`).toBe(found);
    expect(again.notices(), `${name}, opened again`).toEqual([]);
    await again.close();
    const state = states.indexOf(found);
    expect(state, `${name}: a state that never was`).toBeGreaterThanOrEqual(0);
    return { state, notices };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // A header in which the version has become a higher one is refused as such, which is honest as well.
    expect(['damaged', 'newer-version'], name).toContain(error.code);
    expect(await sampleFiles(dataDir), `${name}: refused, so nothing may be touched`).toEqual(before);
    return { state: undefined, notices: [] };
  }
}

/**
 * One byte of so many is tried, and those beside the ends of lines; every one by FOOTBRIDGE_BYTES=1. Odd, so that each
 * of the eight bits of a byte has its turn.
 */
const EVERY = Number(process.env.FOOTBRIDGE_BYTES ?? atNight(2, 37));
const NEWLINE = 0x0a;
function placesIn(bytes: Buffer): number[] {
  return [...bytes.keys()].filter(
    (at) => at % EVERY === 0 || bytes[at] === NEWLINE || bytes[at - 1] === NEWLINE,
  );
}

/** Damage is never passed over in silence: all is there, or the user is told, or the store does not open. */
function expectHonest({ state, notices }: Outcome, what: string): void {
  if (state !== undefined && state < states.length - 1) {
    expect(notices.length, `${what}: state ${state} of ${states.length - 1}, silently`).toBeGreaterThan(0);
  }
}

describe('R3: a store that was closed, damaged afterwards', () => {
  it('is made of the generations that the other tests damage', () => {
    expect([...files.keys()]).toEqual([
      'journal-000002.jsonl',
      'journal-000003.jsonl',
      'snapshot-000002.jsonl',
      'snapshot-000003.jsonl',
    ]);
  });

  it('cut anywhere in every file: loses nothing that stands elsewhere, and tells what is lost', async () => {
    const last = states.length - 1;
    const seen = new Map<string, Set<number | undefined>>();
    for (const [name, bytes] of files) {
      for (const size of placesIn(bytes)) {
        const what = `${name} cut to ${size}`;
        const outcome = await outcomeOf(what, (partition) =>
          writeFile(join(partition, name), bytes.subarray(0, size)),
        );
        expectHonest(outcome, what);
        if (name !== 'journal-000003.jsonl') expect(outcome.state, what).toBe(last);
        if (name === 'snapshot-000003.jsonl') {
          expect(outcome.notices, what).toEqual(['restored-from-backup']);
        }
        seen.set(name, (seen.get(name) ?? new Set()).add(outcome.state));
      }
    }
    // The last journal holds the last three transactions: every number of them is left by some cut.
    expect([...(seen.get('journal-000003.jsonl') ?? [])].sort()).toEqual([
      last - 3,
      last - 2,
      last - 1,
      last,
    ]);
  });

  it('one bit turned anywhere in every file: none is accepted silently', async () => {
    for (const [name, bytes] of files) {
      for (const at of placesIn(bytes)) {
        const turned = Buffer.from(bytes);
        turned[at] = (turned[at] ?? 0) ^ (1 << (at % 8));
        const what = `${name}, bit of byte ${at}`;
        expectHonest(await outcomeOf(what, (partition) => writeFile(join(partition, name), turned)), what);
      }
    }
  });

  const contents: Record<string, (bytes: Buffer) => Buffer> = {
    'zero-filled': (bytes) => Buffer.alloc(bytes.length),
    empty: () => Buffer.alloc(0),
    null: () => Buffer.from('null'),
    '[]': () => Buffer.from('[]'),
    '{}': () => Buffer.from('{}\n'),
    'with a byte order mark': (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    'a web page': () => Buffer.from('<!doctype html>\n<title>404</title>\n'),
    'another partition’s': (bytes) =>
      Buffer.from(bytes.toString().replace('"partition":"p"', '"partition":"q"')),
  };
  for (const [how, make] of Object.entries(contents)) {
    it(`each file ${how}: what is left is used and told`, async () => {
      for (const [name, bytes] of files) {
        const outcome = await outcomeOf(`${name} ${how}`, (partition) =>
          writeFile(join(partition, name), make(bytes)),
        );
        expectHonest(outcome, `${name} ${how}`);
        expect(outcome.state, name).toBeGreaterThanOrEqual(states.length - 4);
      }
    });

    it(`all files ${how}: the store does not open, and nothing is touched`, async () => {
      const outcome = await outcomeOf(`all ${how}`, async (partition) => {
        for (const [name, bytes] of files) await writeFile(join(partition, name), make(bytes));
      });
      expect(outcome.state).toBeUndefined();
    });
  }

  it('a damaged file is kept beside the store as it was found', async () => {
    const dataDir = await copyFolder(original, join(folder.path, 'kept'));
    const partition = join(dataDir, 'store', SAMPLE_PARTITION);
    await writeFile(join(partition, 'snapshot-000003.jsonl'), 'garbage');
    const store = await openStore({ dataDir, clock: systemClock });
    await store.close();
    const aside = (await readdir(partition)).filter((name) => name.includes('.damaged-'));
    expect(aside).toHaveLength(1);
    expect(await readFile(join(partition, aside[0] ?? ''), 'utf8')).toBe('garbage');
  });
});
