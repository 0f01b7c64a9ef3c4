// Asks the registry for known holes in what ships, and fails if there is one. If the registry can't be asked, it fails
// only with `--strict`, for releases: a build must not depend on another's server. It always checks the lockfile
// itself.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findDoubts, findHoles, shippedPlaces, type BundledDev } from './audit-report.ts';

const BUNDLED: readonly BundledDev[] = [
  { name: 'electron', withDependencies: false },
  { name: 'svelte', withDependencies: true },
  { name: 'bits-ui', withDependencies: true },
  { name: 'lean-qr', withDependencies: true },
];

const say = (text: string): void => void process.stdout.write(`${text}\n`);

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const lock = parseJSON(readFileSync('package-lock.json', 'utf8'));
const shipped = shippedPlaces(lock, BUNDLED);
const run = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  timeout: 60_000,
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
});
const holes = findHoles(parseJSON(run.stdout), shipped);

if (holes === undefined) {
  const reason = /"message": "([^"]*)"/.exec(run.stdout)?.[1] ?? run.error?.message ?? 'no answer';
  say(
    `DEPENDENCIES NOT AUDITED: the registry could not be asked for known holes (${reason}).\n` +
      `Of holes nothing is known about the ${shipped.size} packages that ship. Run \`npm run audit\` where it can be asked.`,
  );
  process.exitCode = process.argv.includes('--strict') ? 1 : 0;
} else if (holes.length > 0) {
  for (const { name, severity, advisories } of holes) say(`${name} (${severity}): ${advisories.join('; ')}`);
  say(`${holes.length} of the ${shipped.size} packages that ship have known holes. Update or replace them.`);
  process.exitCode = 1;
} else {
  say(`No known holes in the ${shipped.size} packages that ship.`);
}

const doubts = findDoubts(lock, shipped);
for (const doubt of doubts) say(doubt);
if (doubts.length > 0) process.exitCode = 1;
else say('The lockfile says nothing against them: none is given up, runs a program or lacks a digest.');
