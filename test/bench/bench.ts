import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './measured.ts';
import { measureStore } from './store.ts';

/**
 * `npm run bench [-- --json] [-- --only store]`: measures, and prints one table of ratios, each against its
 * reference in the same run. What we compare with is installed here, beside the bench, on first use.
 */
const parts: Record<string, () => Promise<Measured[]>> = {
  store: () => measureStore(),
};

const args = process.argv.slice(2);
const json = args.includes('--json');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const say = (text: string): void => void process.stderr.write(`${text}\n`);

if (only !== undefined && !(only in parts)) {
  say(`There is no part "${only}". There are: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  say('Installing what we compare with (better-sqlite3 is built from source where there is no ready one) …');
  const done = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) say('Not all of it could be installed; its rows will say so.');
}

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  /** Above the number of cores, other programs were measured as well. */
  loadBefore: Number(loadavg()[0]?.toFixed(1)),
};
const measured: Measured[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (only !== undefined && name !== only) continue;
  say(`Measuring: ${name} …`);
  measured.push(...(await measure()));
}

if (json) {
  process.stdout.write(`${JSON.stringify({ machine, measured }, undefined, 2)}\n`);
} else {
  const { cpu, cores, memoryGiB, node, platform, loadBefore } = machine;
  console.log(
    `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${platform}, Node ${node}, load before: ${loadBefore}\n`,
  );
  console.log(
    '| What | Ours | Reference | Its | Ratio | To reach | |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
  for (const { what, ours, reference, theirs, ratio, toReach, reached } of measured) {
    const verdict = reached === undefined ? '' : reached ? 'reached' : 'missed';
    const times = ratio === undefined ? '' : `${ratio.toFixed(2)}×`;
    console.log(`| ${[what, ours, reference, theirs, times, toReach, verdict].join(' | ')} |`);
  }
}
