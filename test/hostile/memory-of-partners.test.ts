import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  GREEDY_PAGES,
  greedyPartner,
  packed,
  type GreedyPartner,
} from '../support/partners/greedy-partner.ts';
import { officeOf, serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';

/**
 * What SECURITY.md states: the whole process, whatever its partners answer all at once, apart from the rows that it
 * keeps of it. FOOTBRIDGE_GREEDY_PARTNERS=20 is the whole case, of ten minutes.
 */
const MAX_MEGABYTES = 700;
const PARTNERS = Number(process.env.FOOTBRIDGE_GREEDY_PARTNERS ?? 3);
/** What keeps next to nothing of what it sends, and costs the most on the way. */
const SHORT = ['long values', 'one row of 30 MiB', 'different names'];
const PAGES = PARTNERS === 3 ? SHORT : Object.keys(GREEDY_PAGES);

let served: Served | undefined;
let partners: GreedyPartner[] = [];
afterEach(async () => {
  for (const partner of partners) await partner.close();
  partners = [];
  await served?.remove();
});

async function megabytes(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? NaN) / 1024);
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

describe.skipIf(process.platform !== 'linux')('H2, S7: memory under greedy partners', () => {
  it(
    `stays below ${MAX_MEGABYTES} MB when ${PARTNERS} of them answer with the worst pages at once, and goes on`,
    { timeout: 900_000, tags: 'nightly-sizes' },
    async () => {
      served = await serveBuilt();
      const token = userTokenOf(served);
      const office = await officeOf(served, 'Bergen', token);
      for (let at = 0; at < PARTNERS; at++) partners.push(await greedyPartner(served, office, token));
      const pages = PAGES.map((name) => ({ name, page: GREEDY_PAGES[name]?.() ?? Buffer.alloc(0) }));
      const told: string[] = [];
      for (let round = 0; round < (PARTNERS === 3 ? 1 : pages.length); round++) {
        partners.forEach((partner, at) => {
          partner.rows = packed(pages[(at + round) % pages.length]?.page ?? Buffer.alloc(0));
        });
        await Promise.all(partners.map(({ nodeID }) => office.syncNow(nodeID).catch(() => undefined)));
        const { now, peak } = await megabytes(served.pid);
        told.push(`${now} MB (${peak} MB at most)`);
      }
      console.log(`memory under ${PARTNERS} greedy partners: ${told.join(', ')}`);
      expect((await megabytes(served.pid)).peak).toBeLessThan(MAX_MEGABYTES);
      expect((await fetch(`${served.federation}/healthz`)).status).toBe(200);
    },
  );
});
