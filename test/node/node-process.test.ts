import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppEvent } from '../../server/contract/app/overview.ts';
import { ListenError } from '../../server/http/listeners/listen.ts';
import { newSecretKey } from '../../server/store/files/secrets.ts';
import { StoreError } from '../../server/store/store.ts';
import { RemoteNode, type NodeProcess } from '../../main/node/remote-node.ts';
import type { ShellNode } from '../../main/shell/node-runner.ts';
import { createWindowSession } from '../../main/window/window-session.ts';
import { askThrough } from '../desktop/origin-office.ts';
import { forkNode, type ForkedNode } from '../support/harness/forked-node.ts';
import { soon } from '../support/harness/soon.ts';

/* The shell's end of the node against the built process at the other, as Electron would have forked it. */

const PATIENT_MS = 60_000;
/** What a terminal sends to all that run in it; Windows has no signals to send. */
const TERMINAL = process.platform === 'win32' ? [] : (['SIGINT', 'SIGHUP'] as const);
const key = newSecretKey().toString('hex');

let folder: string;
let forked: ForkedNode[];
let events: AppEvent[];
let crashes: { error: unknown; during: string }[];
let lines: string[];
let complaints: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-process-'));
  forked = [];
  events = [];
  crashes = [];
  lines = [];
  complaints = [];
});
afterEach(async () => {
  for (const { child } of forked) child.kill('SIGKILL');
  await soon(() => expect(forked.filter(isThere)).toEqual([]));
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});
const isThere = ({ child }: ForkedNode): boolean => child.exitCode === null && child.signalCode === null;

/** Where a test itself is the process. */
const onceOf =
  (port: EventEmitter): NodeProcess['once'] =>
  (event: string, listener: ((code: number) => void) & ((type: string, location: string) => void)) =>
    port.once(event, listener);

interface Over {
  readonly port?: number;
  readonly fork?: () => NodeProcess;
  readonly imports?: string[];
  readonly resolveProxy?: (url: string) => Promise<string>;
}

function office(over: Over = {}): ShellNode {
  return new RemoteNode({
    fork:
      over.fork ??
      (() => {
        const made = forkNode(over.imports);
        forked.push(made);
        return made;
      }),
    options: {
      dataDir: join(folder, 'data'),
      windowDir: join(folder, 'window'),
      allowLoopbackPartners: true,
      port: over.port ?? 0,
      windowPort: 0,
      secrets: { key, protection: 'system' },
    },
    hearer: {
      event: (event) => events.push(event),
      crashed: (error, during) => crashes.push({ error, during }),
    },
    resolveProxy: over.resolveProxy ?? (() => Promise.resolve('DIRECT')),
    log: pino({ level: 'warn' }, { write: (line: string) => void complaints.push(line) }),
    writeLog: (line) => lines.push(line),
  });
}

it(
  'starts, does everything that the shell asks for, tells what happens, and ends in order',
  async () => {
    const node = office();
    await node.start();
    const session = createWindowSession(() => node.windowLink());
    const ask = askThrough((path, init) => session.fetch(path, init));
    expect(await ask('/app/settings')).toMatchObject({ secretProtection: 'system' });
    expect(await node.settings()).toMatchObject({ language: 'system', closeToTray: true });

    await ask('/app/settings', { method: 'PATCH', body: '{"office":"Apart","language":"de"}' });
    await soon(() => expect(events.map(({ type }) => type)).toContain('settings'));
    expect((await node.settings()).language).toBe('de');
    expect(await node.overview('de')).toMatchObject({ office: 'Apart', partners: [] });

    await ask('/app/invites', { method: 'POST', body: '{"name":"Partner"}' });
    const paused = async (): Promise<string | undefined> =>
      (await node.overview('en')).partners[0]?.pausedUntil;
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await node.pauseAll(until);
    expect(await paused()).toBe(until);
    await node.resumeAll();
    expect(await paused()).toBeUndefined();
    await node.syncAll();
    node.suspend();
    node.resume();
    for (const signal of TERMINAL) forked[0]!.child.kill(signal);
    expect((await node.overview('en')).partners, 'left running for the shell to stop').toHaveLength(1);

    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('started');
    const seen = JSON.stringify([forked[0]?.child.spawnargs, process.env, lines]);
    expect(seen, 'its key, where others can read').not.toContain(key);
    await node.stop(PATIENT_MS);
    expect(isThere(forked[0]!)).toBe(false);
    expect(existsSync(join(folder, 'data', 'lock'))).toBe(false);
    expect(await readdir(join(folder, 'data')), 'no log of its own beside the shell’s').not.toContain('logs');
    expect([crashes, complaints]).toEqual([[], []]);
  },
  PATIENT_MS,
);

it(
  'says why it does not start with what the dialogs are made of, and leaves no process behind',
  async () => {
    const holder = office();
    await holder.start();
    const locked = await office()
      .start()
      .catch((error: unknown) => error);
    expect(locked).toBeInstanceOf(StoreError);
    expect(locked).toMatchObject({ code: 'locked', words: expect.anything() as unknown });
    expect(isThere(forked[1]!)).toBe(false);
    await holder.stop(PATIENT_MS);

    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const taken = await office({ port })
      .start()
      .catch((error: unknown) => error);
    server.close();
    expect(taken).toBeInstanceOf(ListenError);
    expect(String(taken)).toContain(`Port ${port} is in use`);

    const partitions = join(folder, 'data', 'store', 'partitions.json');
    await writeFile(partitions, '{"footbridge":"partitions","version":99}\n');
    await expect(office().start()).rejects.toMatchObject({ code: 'newer-version' });
    expect(forked.filter(isThere)).toEqual([]);
    expect(crashes, 'a start that fails is no crash').toEqual([]);
  },
  PATIENT_MS,
);

it(
  'E6: hears at once when the process is killed, fails what it had asked, and starts again on the same data',
  async () => {
    const node = office();
    await node.start();
    forked[0]!.child.kill('SIGSTOP');
    const asked = node.overview('en').catch((error: unknown) => String(error));
    forked[0]!.child.kill('SIGKILL');
    expect(await asked).toMatch(/ended by itself/);
    expect(crashes).toMatchObject([{ during: 'the process of the node' }]);
    await expect(node.windowLink()).rejects.toThrow(/ended by itself/);
    await node.stop(PATIENT_MS);

    const next = office();
    await next.start();
    expect((await next.overview('en')).partners).toEqual([]);
    await next.stop(PATIENT_MS);
    expect(crashes).toHaveLength(1);
  },
  PATIENT_MS,
);

it(
  'tells of what nobody caught in it with its stack, and can still be stopped in order',
  async () => {
    const node = office();
    await node.start();
    forked[0]!.postMessage({ id: 1, request: { name: 'format the disk' } });
    await soon(() => expect(crashes).toMatchObject([{ during: 'uncaught exception' }]));
    expect((crashes[0]!.error as Error).stack).toMatch(/node\.js|chunks/);
    await node.stop(PATIENT_MS);
    expect(existsSync(join(folder, 'data', 'lock'))).toBe(false);
  },
  PATIENT_MS,
);

it(
  'ends a node that hangs by force once its time is over',
  async () => {
    const [asked, begun] = [join(folder, 'hang'), join(folder, 'hangs')];
    const hangs = `import { existsSync, writeFileSync } from 'node:fs';
      setInterval(() => {
        if (!existsSync(${JSON.stringify(asked)})) return;
        writeFileSync(${JSON.stringify(begun)}, '');
        for (;;);
      }, 20);`;
    const node = office({ imports: [`data:text/javascript,${encodeURIComponent(hangs)}`] });
    await node.start();
    await writeFile(asked, '');
    await soon(() => expect(existsSync(begun)).toBe(true));
    await node.stop(200);
    expect(forked[0]!.child.signalCode).toMatch(/^SIG(TERM|KILL)$/);
    expect(existsSync(join(folder, 'data', 'lock')), 'not in order').toBe(true);
    expect(crashes).toEqual([]);
  },
  PATIENT_MS,
);

it.skipIf(process.platform === 'win32')(
  'ends one that was halted for good: it would keep the folder in use for the next start',
  async () => {
    const node = office();
    await node.start();
    forked[0]!.child.kill('SIGSTOP');
    await node.stop(200);
    expect(forked[0]!.child.signalCode).toBe('SIGKILL');
    const next = office();
    await next.start();
    await next.stop(PATIENT_MS);
    expect(crashes).toEqual([]);
  },
  PATIENT_MS,
);

it(
  'is stopped in the middle of its start, and is no crash then',
  async () => {
    const node = office();
    const start = node.start().catch((error: unknown) => String(error));
    await node.stop(PATIENT_MS);
    await start;
    expect(forked.filter(isThere)).toEqual([]);
    expect(crashes).toEqual([]);

    const late = office();
    const never = late.start().catch((error: unknown) => String(error));
    forked[1]!.child.kill('SIGKILL');
    expect(await never, 'ended before it had started').toMatch(/ended by itself/);
    expect(crashes).toEqual([]);
  },
  PATIENT_MS,
);

it('tells in a crash what the engine itself ended of', async () => {
  const port = new EventEmitter();
  const asked: { id: number }[] = [];
  const node = office({
    fork: () => ({
      pid: undefined,
      postMessage: (message) => void asked.push(message as (typeof asked)[number]),
      on: (event, listener) => port.on(event, listener),
      once: onceOf(port),
      kill: () => true,
    }),
  });
  const started = node.start();
  port.emit('message', { type: 'answer', id: asked[0]!.id, answer: undefined });
  await started;
  port.emit('error', 'FatalError', 'Reached heap limit', '{}');
  port.emit('exit', 133);
  expect(crashes.map(({ error }) => String(error))).toEqual([
    'Error: The process of the node ended by itself (133, FatalError in Reached heap limit).',
  ]);
});

it('drops what the other end says that it does not know, with a line in the log', async () => {
  const asked: { id: number; request: { name: string } }[] = [];
  const port = new EventEmitter();
  const node = office({
    fork: () => ({
      pid: undefined,
      postMessage: (message) => void asked.push(message as (typeof asked)[number]),
      on: (event, listener) => port.on(event, listener),
      once: onceOf(port),
      kill: () => port.emit('exit', 0),
    }),
  });
  const started = node.start();
  for (const odd of [undefined, 'hello', {}, { type: 'event', event: { type: 'odd' } }, { type: 'answer' }])
    port.emit('message', odd);
  expect(complaints).toHaveLength(5);
  port.emit('message', { type: 'answer', id: 99, answer: 'to nobody' });
  port.emit('message', { type: 'answer', id: asked[0]!.id, answer: undefined });
  await started;
  const settings = node.settings();
  port.emit('message', { type: 'answer', id: asked[1]!.id, answer: { theme: 'glitter' } });
  await expect(settings).rejects.toThrow();
  expect(complaints.at(-1)).toContain('answered something unknown');
  const stopped = node.stop(PATIENT_MS);
  port.emit('message', { type: 'answer', id: asked[2]!.id, answer: undefined });
  await stopped;
  expect([events, crashes]).toEqual([[], []]);
});

it(
  'reaches a relay through the proxy that the system names',
  async () => {
    const connected: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url = '' }, socket) => {
      connected.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const asked: string[] = [];
    const node = office({
      resolveProxy: (url) => {
        asked.push(url);
        return Promise.resolve(`PROXY 127.0.0.1:${port}; DIRECT`);
      },
    });
    await node.start();
    const session = createWindowSession(() => node.windowLink());
    const ask = askThrough((path, init) => session.fetch(path, init));
    const relay = `footbridge-relay://relay.example.org:7422?pin=${'5e'.repeat(32)}&key=rLil2pq8vUo3yD4w`;
    await ask('/app/settings', { method: 'PATCH', body: JSON.stringify({ relay }) });
    await soon(() => expect(connected[0]).toBe('relay.example.org:7422'));
    expect(asked[0]).toBe('https://relay.example.org:7422/');
    await node.stop(PATIENT_MS);
    proxy.close();
  },
  PATIENT_MS,
);
