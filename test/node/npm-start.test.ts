import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/harness/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
/** Two seconds are promised; a busy machine takes longer to end four processes. */
const ENDED_MS = 6_000;

let home: TemporaryFolder;
let npm: ChildProcess | undefined;
let output = '';
beforeEach(async () => {
  home = await temporaryFolder();
  output = '';
});
afterEach(async () => {
  for (const pid of started) if (isThere(pid)) process.kill(pid, 'SIGKILL');
  started = [];
  await home.remove();
});

let started: readonly number[] = [];

const statOf = (pid: number): readonly string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};
const isThere = (pid: number): boolean => !['Z', undefined].includes(statOf(pid)[0]);
const childOf = (pid: number): number | undefined =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((each) => Number(statOf(each)[1]) === pid);

/** npm; scripts/start.mjs, which takes the place of the shell that npm makes; and the program that it runs. */
async function startByNpm(args: readonly string[], ready: RegExp): Promise<Record<string, number>> {
  npm = spawn('npm', args, {
    cwd: ROOT,
    env: { ...process.env, FOOTBRIDGE_DATA: join(home.path, 'office'), TMPDIR: home.path, DISPLAY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  npm.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  npm.stderr?.on('data', (data: Buffer) => (output += data.toString()));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(ready);
  const chain = [npm.pid ?? 0];
  for (let next = childOf(chain[0] ?? 0); next !== undefined; next = childOf(next)) chain.push(next);
  started = chain;
  const [first = 0, start = 0, node = 0] = chain;
  expect(chain).toHaveLength(3);
  return { npm: first, 'scripts/start.mjs': start, node };
}

const allEnded = (): Promise<void> =>
  expect.poll(() => started.filter(isThere), { timeout: ENDED_MS, interval: 50 }).toEqual([]);

const START = ['start', '--', '--headless', '--no-open', '--port', '0', '--window-port', '0'];
const RUNNING = /Footbridge is running/;

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  // Each signal to one of the three, another one from signal to signal.
  for (const [at, signal] of (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const).entries())
    for (const target of sampleOf(['npm', 'scripts/start.mjs', 'node'], 3, at + 1)) {
      if (target === 'node' && signal === 'SIGKILL') continue;
      it(`ends in order after ${signal} to ${target}`, { timeout: 90_000 }, async () => {
        const pids = await startByNpm(START, RUNNING);
        process.kill(pids[target] ?? 0, signal);
        await allEnded();
        expect(existsSync(join(home.path, 'office', 'lock'))).toBe(false);
      });
    }

  it('ends in order when its terminal is closed', { tags: 'nightly-kills', timeout: 90_000 }, async () => {
    const { npm: leader = 0 } = await startByNpm(START, RUNNING);
    process.kill(-leader, 'SIGHUP');
    await allEnded();
    expect(existsSync(join(home.path, 'office', 'lock'))).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('npm run demo -- --stay', () => {
  const endings = [
    ['SIGINT', 'npm'],
    ['SIGTERM', 'npm'],
    ['SIGKILL', 'scripts/start.mjs'],
    ['SIGTERM', 'node'],
  ] as const;
  for (const [signal, target] of sampleOf(endings, 2, 0))
    it(
      `removes its folders after ${signal} to ${target}`,
      { tags: 'nightly-kills', timeout: 120_000 },
      async () => {
        const pids = await startByNpm(['run', 'demo', '--', '--stay'], /Ctrl\+C ends the demo/);
        expect(demoFolders()).toHaveLength(1);
        process.kill(pids[target] ?? 0, signal);
        await allEnded();
        expect(demoFolders()).toEqual([]);
      },
    );
});

const demoFolders = (): readonly string[] =>
  readdirSync(home.path).filter((name) => name.startsWith('footbridge-demo-'));
