// The test command of the README: makes sure of a browser, builds, runs every suite, and closes with one plain line
// that says how many tests passed, failed and were skipped.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { findBrowser, installBrowser } = await import('./browser.mjs');
const { ensurePackages } = await import('./packages.mjs');

const run = (args, env = {}) =>
  spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

// `npm run nightly` runs every test, with whole matrices and long property runs (test/support/data/luck.ts).
const isNightly = process.argv.includes('--nightly');
const given = process.argv.slice(2).filter((arg) => arg !== '--nightly');

if (!ensurePackages()) process.exit(1);
if (!findBrowser()) {
  console.log('No Chromium found; installing the one that the system packages …');
  if (!installBrowser()) {
    console.error(
      'The browser tests need Chromium. Install it (Debian, Ubuntu: sudo apt-get install chromium), or set\n' +
        'FOOTBRIDGE_CHROMIUM to the path of a Chrome or Chromium, and run the tests again.',
    );
    process.exit(1);
  }
}

if (run(['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'warn']) !== 0) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'footbridge-test-'));
const report = join(folder, 'report.json');
// Each suite is a project with transformed modules of its own; in a shared cache each is made once.
const modules = [
  '--experimental.fsModuleCache',
  `--experimental.fsModuleCachePath=${join(folder, 'modules')}`,
];
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...modules];
const status = run(
  [
    ...vitest,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(isNightly ? [] : ['--tags-filter=!nightly-*']),
    ...given,
  ],
  { FOOTBRIDGE_CHROMIUM: findBrowser(), ...(isNightly ? { FOOTBRIDGE_NIGHTLY: '1' } : {}) },
);

/**
 * Runs the suites without a browser on other versions of Node.js that `engines` allows, which come from npm. Returns a
 * function that returns the major versions with an outcome: passed, failed or not there.
 */
function runOnOtherNodes(majors) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const own = process.versions.node.split('.')[0];
  const projects = ['unit', 'node', 'alone'].flatMap((name) => ['--project', name]);
  const suites = [...vitest, '--tags-filter=!nightly-*', ...projects];
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  const others = majors.filter((major) => major !== own);
  const outcomes = others.map((major) => {
    const node = ['exec', '--yes', `--package=node-${platform}-${process.arch}@${major}`, '--', 'node'];
    const succeeds = (args) => spawnSync('npm', [...node, ...args], options).status === 0;
    return [major, !succeeds(['--version']) ? 'not there' : succeeds(suites) ? 'passed' : 'failed'];
  });
  return (wanted) => outcomes.filter(([, outcome]) => outcome === wanted).map(([major]) => major);
}
const majorsThat = runOnOtherNodes(isNightly && given.length === 0 ? ['20', '22', '24', '26'] : []);
const [passedOn, failedOn, missing] = ['passed', 'failed', 'not there'].map(majorsThat);

let totals = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
try {
  totals = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error('The test run ended without a report.');
}
rmSync(folder, { recursive: true, force: true });
const tests = totals.testResults.flatMap((file) => file.assertionResults);
// A test that passed when it was tried again keeps its first failure.
const second = tests.filter((test) => test.status === 'passed' && test.failureMessages.length > 0);
for (const { fullName, failureMessages } of second) {
  console.log(`\n*** PASSED AT THE SECOND TRY ONLY: ${fullName} ***\n${failureMessages.join('\n')}`);
}
const kinds = JSON.parse(readFileSync(new URL('nightly.json', import.meta.url), 'utf8'));
const left = tests.filter(({ tags = [] }) => !isNightly && kinds.some(({ name }) => tags.includes(name)));
if (left.length > 0) console.log(`\nLeft for \`npm run nightly\`: ${left.length} tests`);
for (const { name, description } of kinds) {
  const count = left.filter(({ tags }) => tags.includes(name)).length;
  if (count > 0) console.log(`  ${count} that ${description}`);
}
if (passedOn.length > 0)
  console.log(`The suites without a browser passed on Node.js ${passedOn.join(', ')} as well`);
const skipped = totals.numPendingTests + totals.numTodoTests - left.length;
console.log(`\n${totals.numPassedTests} passed, ${totals.numFailedTests} failed, ${skipped} skipped`);
if (failedOn.length > 0) console.log(`Failed on Node.js ${failedOn.join(', ')}`);
if (missing.length > 0) console.log(`*** NOT RUN on Node.js ${missing.join(', ')}: npm did not get it ***`);
process.exit(status === 0 && totals.numPassedTests > 0 && failedOn.length === 0 ? 0 : 1);
