import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { openStore } from '../../server/store/engine/open-store.ts';
import { StoreError } from '../../server/store/store.ts';
import { journalName } from '../../server/store/engine/generations.ts';
import { systemDisk } from '../../server/store/files/disk.ts';
import { readMarks } from '../../server/store/recovery/high-water-marks-file.ts';
import { atNight } from '../support/data/luck.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';
import { checkKilled, KILL_PARTITION, WRITERS } from '../support/faults/disk-kill.ts';
import { copyFolder } from '../support/faults/disk-sample.ts';

/** More by the environment: FOOTBRIDGE_KILLS=500. */
const KILLS = Number(process.env.FOOTBRIDGE_KILLS ?? atNight(200, 2));
const CHILD = join(import.meta.dirname, 'store-kill-child.ts');

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** Lets a process write until some time after its first batch, kills it, and gives what it was told is saved. */
async function writeAndKill(dataDir: string, speed: 'slow' | 'fast'): Promise<Record<string, number>> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDir, speed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const saved: Record<string, number> = {};
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => {
    const [writer = '', batch] = line.split(' ');
    if (Object.keys(saved).length === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() ** 2 * 400);
    saved[writer] = Number(batch);
  });
  const read = once(lines, 'close');
  await exited;
  await read;
  return saved;
}

/**
 * Takes away the end of what a kill left, in a copy, as a cloud drive does that brings an older file back. Gives 1
 * when that lost what was noted, which must have been told then, or the store must not have opened. How far a part has come
 * is noted behind its change: what was saved in the last moment before the kill may be missing there.
 */
async function cutAndOpen(dataDir: string, saved: Record<string, number>): Promise<number> {
  const copy = await copyFolder(dataDir, `${dataDir}-cut`);
  const partition = join(copy, 'store', KILL_PARTITION);
  const last = (await readdir(partition))
    .filter((name) => /^journal-\d+\.jsonl$/.test(name))
    .sort()
    .at(-1);
  const journal = join(partition, last ?? '');
  const left = Math.floor((await stat(journal)).size * 0.6);
  await truncate(journal, left);
  const noted = (await readMarks(systemDisk, join(copy, 'store'))).marks.get(KILL_PARTITION);
  const isNoted = noted !== undefined && journalName(noted.journal) === last && noted.bytes > left;
  try {
    const store = await openStore({ dataDir: copy, clock: systemClock, limits: { compactFloor: 1e9 } });
    const codes = store.notices().map(({ code }) => code);
    const reached = await checkKilled(await store.partition(KILL_PARTITION));
    await store.close();
    const lost = WRITERS.some((writer) => (reached[writer] ?? 0) < (saved[writer] ?? 0));
    if (lost && isNoted) expect(codes).toContain('damaged-put-aside');
    return lost && isNoted ? 1 : 0;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    expect(error.code).toBe('damaged');
    return 1;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

describe('R1: SIGKILL at random moments, also in the middle of compactions', () => {
  it(
    `${KILLS} times: no batch that was called saved is lost, none is half there`,
    { timeout: 40_000 * KILLS },
    async () => {
      const dataDir = folder.path;
      let compactions = 0;
      let batches = 0;
      let torn = 0;
      let cuts = 0;
      // On a busy computer the moments that count may come late.
      for (let kill = 0; kill < KILLS || (kill < 4 * KILLS && (compactions === 0 || cuts === 0)); kill++) {
        const saved = await writeAndKill(dataDir, kill % 2 ? 'slow' : 'fast');
        expect(Object.keys(saved).length, 'the process must have begun to write').toBeGreaterThan(0);
        const left = await readdir(join(dataDir, 'store', KILL_PARTITION));
        if (kill % 3 === 0) cuts += await cutAndOpen(dataDir, saved);
        compactions += left.some((name) => name.endsWith('.tmp')) ? 1 : 0;
        const store = await openStore({ dataDir, clock: systemClock, limits: { compactFloor: 1e9 } });
        const reached = await checkKilled(await store.partition(KILL_PARTITION));
        for (const writer of WRITERS) {
          const told = saved[writer] ?? 0;
          const there = reached[writer] ?? 0;
          expect(there, `writer ${writer} was told ${told}`).toBeGreaterThanOrEqual(told);
          // One more may have been saved in the moment before the kill.
          if (told > 0) expect(there).toBeLessThanOrEqual(told + 1);
        }
        batches = Object.values(reached).reduce((sum, n) => sum + n, 0);
        const codes = store.notices().map(({ code }) => code);
        expect(codes.filter((code) => code !== 'stale-lock' && code !== 'torn-tail')).toEqual([]);
        torn += codes.includes('torn-tail') ? 1 : 0;
        await store.close();
        const names = await readdir(join(dataDir, 'store', KILL_PARTITION));
        expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
        expect(names.length).toBeLessThan(20);
      }
      console.log(`${KILLS} kills, ${batches} batches, ${compactions} in a compaction, ${torn} torn ends`);
      expect(compactions, 'some kills must hit a compaction').toBeGreaterThan(0);
      expect(cuts, 'some cuts must lose what was saved').toBeGreaterThan(0);
    },
  );
});
