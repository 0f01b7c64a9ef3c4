import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { Office } from '../../../server/commands/demo-office.ts';
import { callsByToken, type AppCall } from './calls.ts';

/** The built command line. */
export const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const ready = z.object({ federation: z.string(), window: z.string(), dataDir: z.string(), pid: z.number() });

/** Says what a partner on this computer has to be allowed for, and what a process is read by that no user looks at. */
export const USUAL = ['--allow-loopback-partners', '--json', '--no-open'];

/** A process of the built app. */
export interface Spawned {
  readonly child: ChildProcess;
  /** What it says, line by line. */
  readonly said: Interface;
  /** Its exit code; null after a signal. */
  readonly exited: Promise<number | null>;
}

/** @param nodeArgs for Node itself */
export function spawnBuilt(
  args: readonly string[],
  { nodeArgs = [], env = process.env }: { nodeArgs?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Spawned {
  if (!existsSync(CLI)) throw new Error('There is no build in dist/. Run npm run build first.');
  const child = spawn(process.execPath, [...nodeArgs, CLI, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, exited, said: createInterface(z.instanceof(Readable).parse(child.stdout)) };
}

/** Runs a command of the built app to its end. Answers what it wrote. */
export async function runBuilt(
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv } = {},
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [CLI, ...args], options);
}

/**
 * The third of the three ways in which a test has an office: the built program, headless in a process of its own, which
 * can be killed, and has a window (desk.ts).
 */
export interface Served extends z.infer<typeof ready> {
  readonly process: ChildProcess;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, as a power cut would. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Starts `footbridge serve` on free ports and waits until it is ready. Give `dataDir` to start one again;
 * `nodeArgs` are for Node itself.
 */
export async function serveBuilt(
  options: { dataDir?: string; args?: readonly string[]; nodeArgs?: readonly string[] } = {},
): Promise<Served> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'footbridge-served-')));
  const args = [
    'serve',
    '--data',
    dataDir,
    '--port',
    '0',
    '--window-port',
    '0',
    ...USUAL,
    ...(options.args ?? []),
  ];
  const { child, said, exited } = spawnBuilt(args, options);
  const errors: string[] = [];
  child.stderr?.on('data', (data: Buffer) => errors.push(data.toString()));
  const line = await Promise.race([
    new Promise<string>((resolve) => said.once('line', resolve)),
    exited.then((code) => {
      throw new Error(`footbridge serve ended with ${code ?? 'a signal'}: ${errors.join('')}`);
    }),
  ]);
  return {
    ...ready.parse(JSON.parse(line)),
    process: child,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async remove() {
      child.kill('SIGKILL');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A token for the built app's interface, from its command line. */
export function userTokenOf(served: Served): string {
  return execFileSync(process.execPath, [CLI, 'token', '--data', served.dataDir]).toString().trim();
}

/** The window's API of the built app, spoken to with a token of its command line. */
export function appCalls(served: Served, token = userTokenOf(served)): AppCall {
  return callsByToken(served.window, () => token);
}

/** An office of the built app, spoken to with a token of its command line. */
export async function officeOf(served: Served, name: string, token = userTokenOf(served)): Promise<Office> {
  // Until the first run is done, every address leads there.
  await appCalls(served, token)('PATCH', '/app/settings', { firstRunDone: true });
  return new Office(name, { userToken: () => token, windowLink: () => served.window }, served);
}
