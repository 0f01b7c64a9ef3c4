// Asks the registry for known holes in what ships, and fails when there is one. Where the registry cannot be
// asked it says so, loudly, and does not fail: a build must not depend on somebody else's server. `--strict`
// fails then as well; use it before a release. What the lockfile itself says against a package is looked at in any case.
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

/** Returns the parsed text; undefined if it isn't JSON. */
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
