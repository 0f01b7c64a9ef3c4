import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { callsThrough, type Sent, type Spoken } from './calls.ts';
import { runBuilt, spawnBuilt, USUAL } from './program.ts';

const lineSchema = z.union([
  z.object({ event: z.literal('ready'), window: z.string() }),
  z.object({ event: z.literal('standby'), problem: z.string().optional() }),
]);

interface Process {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  /** Link into its window, while it serves. */
  window: string | undefined;
  isOnStandby: boolean;
}

/** Shorter than the default, so that a takeover after a kill takes no ten seconds. */
const LEASE = '4s';

/** Processes of the built app that serve one office out of a database, with a load balancer in front of them. */
export class HubProcesses {
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder: string;
  readonly #ports: readonly number[];
  readonly #balancer: Balancer;
  readonly #processes: (Process | undefined)[];
  #token = '';

  private constructor(env: NodeJS.ProcessEnv, folder: string, ports: readonly number[], balancer: Balancer) {
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
    const { child, said, exited } = spawnBuilt(
      [
        ...['serve', '--data', join(this.#folder, String(which)), '--port', String(this.#ports[which])],
        ...['--window-port', '0', '--public-url', this.#balancer.url, '--sync-interval', '2s'],
        ...['--lease', LEASE, '--label', 'Head office', ...USUAL],
      ],
      { env: this.#env },
    );
    child.stderr?.pipe(process.stderr);
    const started: Process = { child, exited, window: undefined, isOnStandby: false };
    this.#processes[which] = started;
    said.on('line', (text) => {
      const line = lineSchema.parse(JSON.parse(text));
      started.isOnStandby = line.event === 'standby';
      started.window = line.event === 'ready' ? line.window : undefined;
    });
  }

  /** Which one serves, once one does. */
  async serving(): Promise<number> {
    for (;;) {
      const which = this.#processes.findIndex((one) => one?.window !== undefined);
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
  async onStandby(which: number): Promise<void> {
    while (this.#processes[which]?.isOnStandby !== true) await pause();
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

  /** Asks it to end, as an update does. */
  async stop(which: number): Promise<void> {
    const one = this.#processes[which];
    this.#processes[which] = undefined;
    one?.child.kill('SIGTERM');
    await one?.exited;
  }

  /** Link into its window, once it serves. */
  async windowOf(which: number): Promise<URL> {
    for (;;) {
      const window = this.#processes[which]?.window;
      if (window !== undefined) return new URL(window);
      await pause();
    }
  }

  /** What its port for partners answers, past the load balancer. */
  direct(which: number, path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${String(this.#ports[which])}${path}`);
  }

  /** Runs `footbridge window` for one of them. */
  window(which: number): Promise<{ stdout: string; stderr: string }> {
    return runBuilt(['window', '--data', join(this.#folder, String(which)), '--no-open'], { env: this.#env });
  }

  /** The office, whichever process serves it: a call that finds none is made again. */
  readonly office: Spoken = {
    app: callsThrough(async (path, sent) => {
      for (;;) {
        const { origin } = await this.windowOf(await this.serving());
        const answer = await this.#ask(`${origin}${path}`, sent).catch(() => undefined);
        if (answer) return answer;
        await pause();
      }
    }),
  };

  /** What one process answers at its window. */
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

interface Balancer {
  readonly url: string;
  close(): void;
}

const CHECKED_EVERY_MS = 500;

/** Passes connections to the ports whose health check answers 200, as HAProxy does with `option httpchk GET /healthz`. */
async function balancerBefore(ports: readonly number[]): Promise<Balancer> {
  let healthy: readonly number[] = [];
  const check = async (): Promise<void> => {
    const found = await Promise.all(ports.map(async (port) => ((await isHealthy(port)) ? [port] : [])));
    healthy = [...new Set(found.flat())];
  };
  const checks = setInterval(() => void check(), CHECKED_EVERY_MS);
  const server = createServer((client) => {
    client.on('error', () => undefined);
    const [port] = healthy;
    if (port === undefined) {
      client.destroy();
      return;
    }
    const there = connect(port, '127.0.0.1');
    client.pipe(there).pipe(client);
    there.on('close', () => client.destroy());
    there.on('error', () => client.destroy());
    client.on('close', () => there.destroy());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close() {
      clearInterval(checks);
      server.close();
    },
  };
}

async function isHealthy(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(CHECKED_EVERY_MS);
  const answer = await fetch(`http://127.0.0.1:${String(port)}/healthz`, { signal }).catch(() => undefined);
  return answer?.status === 200;
}
