import { installPeers } from './install.ts';
import { measureFeed } from './feed.ts';
import { measureIdle } from './idle.ts';
import { describeMachine } from './machine.ts';
import type { Measured } from './measured.ts';
import { measurePull } from './pull.ts';
import { measureStore } from './store.ts';
import { asTable, putIntoReadme } from './table.ts';

/**
 * `npm run bench -- [--json] [--readme] [--quick] [--only store|pull|feed|idle]`: measures the built app, and
 * prints one table of ratios, each against its reference in the same run. `--readme` puts it into the README as
 * well. `--quick` goes through all of it with few rows, to see that it runs: its numbers mean nothing. With
 * FOOTBRIDGE_BENCH_PROFILE set to a folder, the nodes leave profiles of their processors there.
 */
const args = process.argv.slice(2);
const quick = args.includes('--quick');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const parts: Record<string, () => Promise<Measured[]>> = {
  store: () => (quick ? measureStore([1000], 1) : measureStore([100_000, 1_000_000], 3)),
  pull: () => (quick ? measurePull([1000], 1) : measurePull([10_000, 100_000], 3)),
  feed: () => (quick ? measureFeed(1000, 4) : measureFeed(10_000, 400)),
  idle: () => (quick ? measureIdle(500, 1000, 3) : measureIdle(1000, 1_000_000, 40)),
};

if (only !== undefined && !(only in parts)) {
  say(`There is no part "${only}". There are: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
if (!quick) installPeers(say);

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
if (args.includes('--readme')) await putIntoReadme(asTable(machine, measured));
process.stdout.write(
  args.includes('--json')
    ? `${JSON.stringify({ machine, measured }, undefined, 2)}\n`
    : asTable(machine, measured),
);
