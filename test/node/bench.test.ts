import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { atNight } from '../support/data/luck.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const line = z.object({ what: z.string(), ours: z.string(), theirs: z.string(), reference: z.string() });
const report = z.object({
  machine: z.object({ cores: z.number(), node: z.string() }),
  measured: z.array(line),
});

/** The rows of one part of the benchmarks, which runs with every change. */
const FEED: readonly (readonly [what: RegExp, reference: RegExp])[] = [
  [/^CPU a request, feed of shape 1/, /node:http/],
  [/^CPU a request, change feed/, /node:http/],
];

/** Every row that the table must have, whatever its number. */
const ROWS: readonly (readonly [what: RegExp, reference: RegExp])[] = [
  [/^growing to/, /better-sqlite3/],
  [/^random page of 500/, /better-sqlite3/],
  [/^open/, /better-sqlite3/],
  [/^memory per row/, /the row itself/],
  [/^pull of/, /undici/],
  [/^pull of/, /PouchDB/],
  [/^CPU a row of that pull/, /the least/],
  [/^longest event-loop stall of the puller/, /–/],
  ...FEED,
  [/^memory of .* received rows after a restart/, /–/],
  [/^ready with/, /–/],
  [/^first look at the lists/, /–/],
  [/^first page of the grid/, /–/],
  [/^sort by text/, /better-sqlite3/],
  [/^sort by number/, /better-sqlite3/],
  [/^search/, /better-sqlite3/],
  [/^an open, sorted grid/, /the same/],
  [/^sync with nothing new/, /the same/],
  [/partners pulled at once/, /one partner/],
  [/^memory at the end of .* pulls at once/, /–/],
  [/^the overview with/, /the same/],
  [/^a partner's page/, /the same/],
  [/in a database/, /pg/],
];

test(
  'the benchmarks still run, row by row, or say why one does not; no number is looked at',
  { tags: 'nightly-sizes', timeout: 300_000 },
  async () => {
    const [part, expected] = atNight([[], ROWS] as const, [['--only', 'feed'], FEED] as const);
    const args = ['--import', 'tsx', 'test/bench/bench.ts', '--quick', '--json', ...part];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    const { machine, measured } = report.parse(JSON.parse(stdout));
    expect(machine.node).toBe(process.version);
    for (const [what, reference] of expected) {
      const rows = measured.filter((row) => what.test(row.what) && reference.test(row.reference));
      expect(rows, `a row for ${what.source}`).not.toHaveLength(0);
      for (const { theirs } of rows) expect(theirs).toMatch(/^–$|\d|^not measured: /);
    }
  },
);
