import { installPeers } from './install.ts';
import { measureHub } from './hub.ts';
import { measureImport } from './import.ts';
import { measureFeed } from './feed.ts';
import { measureLarge } from './large.ts';
import { describeMachine } from './machine.ts';
import { measureMany } from './many.ts';
import type { Measured } from './measured.ts';
import { measurePull, type PullPlan } from './pull.ts';
import { measureStart } from './start.ts';
import { measureStore } from './store.ts';
import { asTable, putIntoPage } from './table.ts';

/**
 * `npm run bench -- [--json] [--docs] [--quick] [--only start|store|pull|feed|large|many|hub|import]`: measures the built app, and
 * prints one table of ratios, each against its reference in the same run. `--docs` puts it into docs/benchmarks.md as
 * well. `--quick` goes through all of it with few rows, to see that it runs: its numbers mean nothing. With
 * FOOTBRIDGE_BENCH_PROFILE set to a folder, the nodes leave profiles of their processors there.
 */
const args = process.argv.slice(2);
const quick = args.includes('--quick');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const PULLS: readonly PullPlan[] = [
  { rows: 10_000, rounds: 5, pouchRounds: 5, toReach: 0.5 },
  { rows: 100_000, rounds: 5, pouchRounds: 3, toReach: 0.7 },
  { rows: 100_000, letters: 'ascii', rounds: 5, pouchRounds: 0, toReach: 0.7 },
  { rows: 1_000_000, rounds: 3, pouchRounds: 1, toReach: 0.7 },
];

const MANY = { together: 10, rows: 20_000, crowd: 50, each: 5000, lists: 1000 };

const parts: Record<string, () => Promise<Measured[]>> = {
  start: () => (quick ? measureStart(1, 0) : measureStart(9, 30_000)),
  store: () => (quick ? measureStore([1000], 1) : measureStore([100_000, 1_000_000], 3)),
  pull: () => measurePull(quick ? [{ rows: 1000, rounds: 1, pouchRounds: 1, toReach: 0.5 }] : PULLS),
  feed: () => (quick ? measureFeed(1000, 4) : measureFeed(10_000, 400)),
  large: () => (quick ? measureLarge(500, 1000, 3) : measureLarge(10_000, 1_000_000, 40)),
  many: () =>
    quick ? measureMany({ together: 2, rows: 500, crowd: 3, each: 200, lists: 20 }) : measureMany(MANY),
  import: () => measureImport(quick ? 2000 : 500_000),
  hub: () => (quick ? measureHub(200, 1) : measureHub(10_000, 3)),
};

if (only !== undefined && !(only in parts)) {
  say(`There is no part "${only}". There are: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
// The reference of the hub is a package that is here; the import and the start have none.
if (!quick && !['hub', 'import', 'start'].includes(only ?? '')) installPeers(say);

const machine = describeMachine();
const wanted = Object.entries(parts).filter(([name]) => only === undefined || name === only);
const measured: Measured[] = [];
const measure = async ([name, part]: (typeof wanted)[number]): Promise<void> => {
  say(`Measuring: ${name} …`);
  measured.push(...(await part()));
};
// Numbers that mean nothing may disturb each other.
if (quick) await Promise.all(wanted.map(measure));
else for (const part of wanted) await measure(part);
if (args.includes('--docs')) await putIntoPage(asTable(machine, measured));
process.stdout.write(
  args.includes('--json')
    ? `${JSON.stringify({ machine, measured }, undefined, 2)}\n`
    : asTable(machine, measured),
);
