import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { MUTATIONS, type Mutation } from './list.ts';

/**
 * `npm run mutations -- [--unchanged] [words]`: applies each mutation to a copy of the program, runs the tests that have to
 * fail, and prints which of them did, and why. Fails if a mutation survives, no longer applies or takes too long. `words` chooses
 * the mutations whose name or files contain them; `--unchanged` runs the same tests without a mutation: they have to pass.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_MS = 10 * 60_000;
/** Folders at the top that no test reads, and the packages, which the copy shares with the original. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'test-output', 'release']);

const args = process.argv.slice(2);
const isUnchanged = args.includes('--unchanged');
const words = args.filter((arg) => arg !== '--unchanged');
const isChosen = ({ name, file, tests }: Mutation): boolean =>
  words.length === 0 || words.some((word) => [name, file, ...tests].some((text) => text.includes(word)));

const reportSchema = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

interface Outcome {
  readonly passed: number;
  /** Names of tests, each with the first line of its error. */
  readonly failed: readonly string[];
}

function copyOfProgram(): string {
  const copy = mkdtempSync(join(tmpdir(), 'footbridge-mutations-'));
  const isCopied = (path: string): boolean => !LEFT_OUT.has(relative(ROOT, path).split(sep)[0] ?? '');
  cpSync(ROOT, copy, { recursive: true, filter: isCopied });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function build(folder: string): void {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--app', '--logLevel', 'error'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status !== 0) throw new Error('The program cannot be built.');
}

/** Runs test files up to the first failure. Returns undefined if they did not come to an end. */
function outcomeOf(folder: string, { tests, only }: Mutation): Outcome | undefined {
  const report = join(folder, 'mutation-report.json');
  rmSync(report, { force: true });
  const projects = new Set(tests.map((path) => path.split('/')[1] ?? ''));
  spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...[...projects].flatMap((project) => ['--project', project]),
      ...(only === undefined ? [] : ['--testNamePattern', only]),
      ...['--tags-filter=!nightly-*', '--bail', '1', '--maxWorkers', '1'],
      ...['--reporter', 'json', '--outputFile', report],
      ...tests,
    ],
    { cwd: folder, stdio: 'ignore', timeout: MAX_MS, env: { ...process.env, CI: 'true' } },
  );
  const read = reportSchema.safeParse(jsonIn(report));
  if (!read.success) return undefined;
  const results = read.data.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages: [error = ''] }) => `${fullName}: ${error.split('\n')[0]}`);
  return { passed: read.data.numPassedTests, failed };
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Runs the tests of one mutation. Returns true if they did as they should. */
function tryOne(folder: string, mutation: Mutation): boolean {
  const { name, file, from, to, isBuilt = false } = mutation;
  const path = join(folder, file);
  const whole = readFileSync(path, 'utf8');
  const say = (verdict: string, more = ''): void =>
    console.log(`${verdict.padEnd(9)} ${name} (${file})${more}`);
  if (whole.split(from).length !== 2) {
    say('STALE', ': what it replaces is not there exactly once');
    return false;
  }
  const began = performance.now();
  try {
    if (!isUnchanged)
      writeFileSync(
        path,
        whole.replace(from, () => to),
      );
    if (isBuilt) build(folder);
    const outcome = outcomeOf(folder, mutation);
    const took = `, ${((performance.now() - began) / 1000).toFixed(0)} s`;
    const [first] = outcome?.failed ?? [];
    if (!outcome || (outcome.passed === 0 && first === undefined)) say('NO RESULT', took);
    else if (first === undefined) say(isUnchanged ? 'passed' : 'SURVIVED', took);
    else say(isUnchanged ? 'FAILED' : 'killed', `${took}, by: ${first}`);
    return (
      outcome !== undefined &&
      isUnchanged === (first === undefined) &&
      outcome.passed + outcome.failed.length > 0
    );
  } finally {
    writeFileSync(path, whole);
  }
}

const folder = copyOfProgram();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const chosen = MUTATIONS.filter(isChosen);
if (chosen.length === 0) throw new Error(`No mutation is called “${words.join(' ')}”.`);
const wrong = chosen.filter((mutation) => !tryOne(folder, mutation));
console.log(
  `${chosen.length - wrong.length} of ${chosen.length} ${isUnchanged ? 'pass unchanged' : 'killed'}`,
);
process.exit(wrong.length === 0 ? 0 : 1);
