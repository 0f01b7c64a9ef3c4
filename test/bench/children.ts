import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { pin } from './pinning.ts';

/** Loaded into a process that is to be watched. */
export const WATCH = fileURLToPath(new URL('figures.mjs', import.meta.url));

const figures = z.object({
  cpuMs: z.number(),
  stallMs: z.number(),
  stallP99Ms: z.number(),
  residentMiB: z.number(),
  /** The most that it ever had. */
  peakMiB: z.number(),
  /** The longest turn of the event loop and the 99th percentile, where these were measured (figures.mjs says how). */
  turnMs: z.number().optional(),
  turnP99Ms: z.number().optional(),
});

/** What a process has done between `begin` and `end`, measured inside of it, and the memory that it has at the end. */
export type Figures = z.infer<typeof figures>;

/** A process whose processor time and event loop can be watched. */
export interface Watched {
  /** Begins to count processor time. */
  begin(): Promise<void>;
  /** The same, and watches the event loop, which takes processor time as well. */
  watch(): Promise<void>;
  /** Begins to measure each turn of the event loop; Linux only. */
  turns(): Promise<void>;
  end(): Promise<Figures>;
}

/** @param child started with {@link WATCH} and a channel to speak over */
export function watched(child: ChildProcess): Watched {
  return {
    async begin() {
      await answer(child, 'begin');
    },
    async watch() {
      await answer(child, 'watch');
    },
    async turns() {
      await answer(child, 'turns');
    },
    end: async () => figures.parse(await answer(child, 'end')),
  };
}

/** @throws when the process ends before it answers */
function answer(child: ChildProcess, message: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('The process has ended.'));
    child.once('exit', ended);
    child.once('message', (said) => {
      child.off('exit', ended);
      resolve(said);
    });
    child.send(message, (error) => {
      if (error) reject(error);
    });
  });
}

/** A script of this folder as a process of its own that serves until it is stopped. */
export interface Server extends Watched {
  readonly address: string;
  stop(): Promise<void>;
}

/** Where a script of this folder runs: in which folder, and on which core. */
export interface Place {
  readonly cwd?: string;
  readonly core?: number;
}

/** Starts a script that says its address in its first message. @throws what it says on standard error */
export async function startServer(
  script: string,
  args: readonly string[],
  place: Place = {},
): Promise<Server> {
  const child = forked(script, args, place);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const errors: Buffer[] = [];
  child.stderr?.on('data', (data: Buffer) => errors.push(data));
  const address = await Promise.race([
    new Promise((resolve) => child.once('message', resolve)),
    exited.then(() => Promise.reject(new Error(Buffer.concat(errors).toString()))),
  ]);
  return {
    ...watched(child),
    address: z.string().parse(address),
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** Runs a script of this folder in a process of its own; answers its first message. @throws as {@link startServer} */
export async function runScript(
  script: string,
  args: readonly string[],
  place: Place = {},
): Promise<unknown> {
  const child = forked(script, args, place);
  const errors: Buffer[] = [];
  child.stderr?.on('data', (data: Buffer) => errors.push(data));
  let said: unknown;
  child.once('message', (message) => (said = message));
  await new Promise((resolve) => child.once('close', resolve));
  if (said === undefined) throw new Error(Buffer.concat(errors).toString());
  return said;
}

function forked(script: string, args: readonly string[], { cwd, core }: Place): ChildProcess {
  const tsx = fileURLToPath(import.meta.resolve('tsx'));
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [...args], {
    execArgv: ['--max-old-space-size=4096', '--import', `file://${tsx}`, '--import', WATCH],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (core !== undefined) pin(child.pid, core);
  return child;
}
