import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { callsThrough, type Sent, type Spoken } from './calls.ts';
import { runBuilt, spawnBuilt, USUAL } from './program.ts';

const lineSchema = z.union([
  z.object({ event: z.literal('ready'), window: z.string() }),
  z.object({ event: z.literal('waiting') }),
  z.object({ event: z.literal('answering'), window: z.string() }),
]);

interface Process {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  /** Link into its window, while it serves or answers for the one that does. */
  window: string | undefined;
  serves: boolean;
  standsBy: boolean;
}

/** Processes of the built app that serve one office out of a database, with a load balancer before them. */
export class HubProcesses {
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder: string;
  readonly #ports: readonly number[];
  readonly #balancer: Server;
  readonly #processes: (Process | undefined)[];
  #token = '';
  #asked = 0;

  private constructor(env: NodeJS.ProcessEnv, folder: string, ports: readonly number[], balancer: Server) {
    this.#env = env;
    this.#folder = folder;
    this.#ports = ports;
    this.#balancer = balancer;
    this.#processes = ports.map(() => undefined);
  }

  /** None of them runs yet. */
  static async over(
    store: string,
    secret: string,
    count: number,
    { onePort = false }: { readonly onePort?: boolean } = {},
  ): Promise<HubProcesses> {
    const own = await Promise.all(Array.from({ length: count }, freePort));
    const ports = onePort ? own.map(() => own[0] ?? 0) : own;
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-hub-'));
    const env = {
      ...{ FOOTBRIDGE_LOG: 'error', ...process.env },
      ...{ FOOTBRIDGE_STORE: store, FOOTBRIDGE_SECRET: secret },
    };
    return new HubProcesses(env, folder, ports, await balancerBefore(ports));
  }

  start(which: number): void {
    const balancer = (this.#balancer.address() as AddressInfo).port;
    const { child, said, exited } = spawnBuilt(
      [
        ...['serve', '--data', join(this.#folder, String(which)), '--port', String(this.#ports[which])],
        ...['--window-port', '0', '--public-url', `http://127.0.0.1:${balancer}`, '--sync-interval', '2s'],
        ...['--label', 'Head office', ...USUAL],
      ],
      { env: this.#env },
    );
    child.stderr?.pipe(process.stderr);
    const started: Process = { child, exited, window: undefined, serves: false, standsBy: false };
    this.#processes[which] = started;
    said.on('line', (text) => {
      const line = lineSchema.parse(JSON.parse(text));
      started.serves = line.event === 'ready';
      started.standsBy = !started.serves;
      started.window = 'window' in line ? line.window : undefined;
    });
  }

  /** Which one serves, once one does. */
  async serving(): Promise<number> {
    for (;;) {
      const which = this.#processes.findIndex((one) => one?.serves === true);
      if (which >= 0) return which;
      await pause();
    }
  }

  /** The most memory that it has taken so far, in MiB; NaN where the system does not say. */
  async mostMemory(which: number): Promise<number> {
    const pid = this.#processes[which]?.child.pid ?? 0;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** Resolves once it has found that another one serves. */
  async standingBy(which: number): Promise<void> {
    while (this.#processes[which]?.standsBy !== true) await pause();
  }

  hasEnded(which: number): boolean {
    return this.#processes[which]?.child.exitCode !== null;
  }

  pidOf(which: number): number | undefined {
    return this.#processes[which]?.child.pid;
  }

  /** As a power cut would. */
  async kill(which: number): Promise<void> {
    const one = this.#processes[which];
    this.#processes[which] = undefined;
    one?.child.kill('SIGKILL');
    await one?.exited;
  }

  /** Where its window is, once it serves or answers for the one that does. */
  async windowOf(which: number): Promise<URL> {
    for (;;) {
      const window = this.#processes[which]?.window;
      if (window !== undefined) return new URL(window);
      await pause();
    }
  }

  /** The office, whoever serves it, asked at one process after the other: a call that finds nobody is made at the next. */
  readonly office: Spoken = {
    app: callsThrough(async (path, sent) => {
      for (;;) {
        this.#asked = (this.#asked + 1) % this.#processes.length;
        const window = this.#processes[this.#asked]?.window;
        const answer =
          window === undefined
            ? undefined
            : await this.#ask(`${new URL(window).origin}${path}`, sent).catch(() => undefined);
        if (answer) return answer;
        await pause();
      }
    }),
  };

  /** What one process answers. */
  async at(which: number, path: string, sent: Partial<Sent> = {}): Promise<Response> {
    return this.#ask(`${(await this.windowOf(which)).origin}${path}`, sent);
  }

  async end(): Promise<void> {
    for (const which of this.#processes.keys()) await this.kill(which);
    this.#balancer.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #ask(url: string, { headers, ...sent }: Partial<Sent>): Promise<Response> {
    if (this.#token === '')
      this.#token = (await runBuilt(['token', '--data', this.#folder], { env: this.#env })).stdout.trim();
    return fetch(url, { ...sent, headers: { authorization: `Bearer ${this.#token}`, ...headers } });
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Gives each connection to the next of those that listen, as load balancers do that look for them by connecting. */
async function balancerBefore(ports: readonly number[]): Promise<Server> {
  let turn = 0;
  const server = createServer((client) => {
    turn = (turn + 1) % ports.length;
    const tryNext = ([port, ...others]: readonly number[]): void => {
      if (port === undefined) {
        client.destroy();
        return;
      }
      const there = connect(port, '127.0.0.1');
      there.once('connect', () => {
        client.pipe(there).pipe(client);
        there.on('close', () => client.destroy());
        client.on('close', () => there.destroy());
      });
      there.once('error', () => {
        if (there.bytesWritten === 0) tryNext(others);
        else client.destroy();
      });
    };
    client.on('error', () => undefined);
    tryNext([...ports.slice(turn), ...ports.slice(0, turn)]);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}
