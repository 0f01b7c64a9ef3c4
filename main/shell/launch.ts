import { spawn, type ChildProcess } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PARENT_PID_VARIABLE, watchParent, windowsParentOf } from '../../server/base/parent-process.ts';
import { defaultDataFolder } from './data-folder.ts';
import { findElectron, obtainElectron } from './electron-binary.ts';
import { failedToStart, planLaunch } from './launch-plan.ts';

/*
 * Starts Footbridge from its sources (`npm start`): the desktop app, or the headless node with a browser
 * window; for `npm run demo` the demo. Exits with that program's code.
 */

const root = join(import.meta.dirname, '..', '..');
const args = process.argv.slice(2);
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly afterMs: number;
}

/**
 * Runs a program in this terminal, passes SIGINT, SIGTERM and SIGHUP to it, and resolves with its end: code 127 if it
 * can't be started. Ends it when npm, if that started us, has ended.
 */
function runProgram(program: string, programArgs: readonly string[]): Promise<End> {
  return new Promise((resolve) => {
    const began = performance.now();
    const env = { ...process.env, [PARENT_PID_VARIABLE]: String(process.pid) };
    const child = spawn(program, programArgs, { stdio: 'inherit', env });
    /** Passes a signal to the program, except on Windows, where every process of the console gets it. */
    const forwardSignal = (signal: NodeJS.Signals): void => {
      // Windows signals all processes of a console, and kills hard.
      if (process.platform !== 'win32') child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, forwardSignal);
    const endWatch = isOfNpm ? watchParent(process.ppid, () => endWithParent(child), npm) : () => undefined;
    /** Stops watching signals and parent, and resolves with the program's end. */
    const resolveEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, forwardSignal);
      endWatch();
      resolve({ code, signal, afterMs: performance.now() - began });
    };
    child.on('error', () => resolveEnd(127, null));
    child.on('exit', resolveEnd);
  });
}

/** Ends the program as its parent has ended; on Windows ends this process, which the program watches. */
function endWithParent(child: ChildProcess): void {
  if (process.platform === 'win32') process.exit(0);
  child.kill('SIGTERM');
}

/** Runs the desktop app, and downloads a missing Electron; undefined if the app can't start. */
async function runDesktop(): Promise<End | undefined> {
  const program = findElectron(root) ?? (await obtainElectron(root, say));
  if (program === undefined) return undefined;
  const end = await runProgram(program, [root, ...args]);
  if (!failedToStart(end.code, end.signal, end.afterMs)) return end;
  say('The desktop app did not come up.');
  return undefined;
}

/** Runs the node without a desktop, or shows one already running; in the default data folder unless one is given. */
async function runHeadless(): Promise<End> {
  say('Starting without a desktop; the window opens in a browser.');
  const own = args.filter((arg) => arg !== '--headless' && arg !== '--hidden');
  const data = own.some((arg) => arg === '--data' || arg.startsWith('--data='))
    ? []
    : ['--data', defaultDataFolder({ platform: process.platform, home: homedir(), env: process.env })];
  return runProgram(process.execPath, [join(root, 'dist', 'cli.js'), 'serve', '--or-show', ...data, ...own]);
}

const isOfNpm = process.env.npm_lifecycle_event !== undefined;
// The parent is npm, or on Windows its shell, which outlives it.
const shellParent = isOfNpm && process.platform === 'win32' ? await windowsParentOf(process.ppid) : undefined;
const npm = shellParent === undefined ? [] : [shellParent];
if (args[0] === 'demo') {
  const { code } = await runProgram(process.execPath, [join(root, 'dist', 'cli.js'), ...args]);
  process.exit(code ?? 0);
}
const plan = planLaunch({ platform: process.platform, env: process.env, uid: process.getuid?.(), args });
if (plan.run === 'headless' && plan.why !== '') say(plan.why);
const end = (plan.run === 'desktop' ? await runDesktop() : undefined) ?? (await runHeadless());
process.exitCode = end.code ?? (end.signal === 'SIGINT' || end.signal === 'SIGTERM' ? 0 : 1);
