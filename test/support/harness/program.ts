import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Office } from '../../../server/commands/demo-office.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const ready = z.object({ federation: z.string(), window: z.string(), dataDir: z.string(), pid: z.number() });

/** The built app, running headless as a process of its own. */
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
  if (!existsSync(CLI)) throw new Error('There is no build in dist/. Run npm run build first.');
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'footbridge-served-')));
  const args = ['--port', '0', '--window-port', '0', '--allow-loopback-partners', '--json', '--no-open'];
  const command = [...(options.nodeArgs ?? []), CLI, 'serve', '--data', dataDir];
  const child = spawn(process.execPath, [...command, ...args, ...(options.args ?? [])], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const errors: string[] = [];
  child.stderr?.on('data', (data: Buffer) => errors.push(data.toString()));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await Promise.race([
    new Promise<string>((resolve) =>
      createInterface(z.instanceof(Readable).parse(child.stdout)).once('line', resolve),
    ),
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

/** Calls the window's own API, `{response}` already unwrapped. */
export type AppCall = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** The window's API of the built app, spoken to with a token of its command line. */
export function appCalls(served: Served, token = userTokenOf(served)): AppCall {
  return async (method, path, body) => {
    const answer = await fetch(`${new URL(served.window).origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return z.object({ response: z.unknown() }).parse({ response: undefined, ...(JSON.parse(text) as object) })
      .response;
  };
}

/** An office of the built app, spoken to with a token of its command line. */
export async function officeOf(served: Served, name: string, token = userTokenOf(served)): Promise<Office> {
  // Until the first run is done, every address leads there.
  await appCalls(served, token)('PATCH', '/app/settings', { firstRunDone: true });
  return new Office(name, { userToken: () => token, windowLink: () => served.window }, served);
}
