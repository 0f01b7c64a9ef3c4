import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../server/store/clock.ts';
import { openStore } from '../../../server/store/open-store.ts';
import type { Table } from '../../../server/store/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/disk-folder.ts';

const rows: Table<{ n: number; text: string }> = {
  name: 'rows',
  indexes: { n: (row) => String(row.n % 1000) },
};
let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

describe('a very large transaction', () => {
  it(
    'shows itself whole or not at all while it is taken over step by step',
    { timeout: 60_000 },
    async () => {
      const store = await openStore({ dataDir: folder.path, clock: systemClock });
      const part = await store.partition('p');
      expect(await part.find(rows, 'n', '1')).toEqual([]);
      const all = 100_000;
      const writing = part.transaction(async (tx) => {
        for (let n = 0; n < all; n++) {
          tx.put(rows, String(n), { n, text: 'x'.repeat(100) });
          if (n % 500 === 0) await new Promise(setImmediate);
        }
      });
      const writer = { done: false };
      const ended = writing.then(() => (writer.done = true));
      const counts = new Set<number>();
      let looks = 0;
      while (!writer.done) {
        counts.add(await part.count(rows));
        const found = await part.find(rows, 'n', '7');
        expect([0, all / 1000]).toContain(found.length);
        expect([0, all]).toContain(await part.lastSeq());
        looks++;
        await new Promise(setImmediate);
      }
      await ended;
      counts.add(await part.count(rows));
      expect([...counts]).toEqual([0, all]);
      expect(looks).toBeGreaterThan(20);
      await store.close();
    },
  );
});

describe('compaction', () => {
  it('does not hold up the rest of the program', { timeout: 60_000 }, async () => {
    const store = await openStore({
      dataDir: folder.path,
      clock: systemClock,
      limits: { compactFloor: 1e9 },
    });
    const part = await store.partition('p');
    for (let page = 0; page < 100; page++) {
      await part.transaction((tx) => {
        for (let n = page * 500; n < page * 500 + 500; n++) {
          tx.put(rows, String(n), { n, text: 'x'.repeat(250) });
        }
      });
    }
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await store.compact('p');
    delay.disable();
    // What one step takes is measured on a busy machine too: half of all steps must be far below the limit.
    expect(delay.percentile(50) / 1e6).toBeLessThan(15);
    await store.close();
  });
});
