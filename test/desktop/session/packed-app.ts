import { spawn, type ChildProcess } from 'node:child_process';
import { WebSocket } from 'undici';
import { z } from 'zod';
import { askThrough, until, type Ask } from '../origin-office.ts';
import { notOnDesktop } from './whole-desktop.ts';

/** The packed program (`npm run desktop:old` packs one). */
export const PACKED = process.env.FOOTBRIDGE_DESKTOP_PACKED ?? '';

/** Why nothing can be tried on a packed app here; undefined where it can. */
export const notPacked =
  notOnDesktop ?? (PACKED === '' ? 'there is no packed app (npm run desktop:old makes one)' : undefined);

/** A packed app that runs: nothing reaches into its main process, so what can be seen of it is its page and the desktop. */
export interface PackedApp {
  readonly process: ChildProcess;
  /** What JavaScript in its page comes to, waited for. */
  evaluate(expression: string): Promise<unknown>;
  readonly ask: Ask;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

const pages = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }));
const evaluated = z.object({
  id: z.number(),
  result: z.object({
    result: z.object({ value: z.unknown() }),
    exceptionDetails: z.object({ text: z.string() }).optional(),
  }),
});
const fetched = z.object({ status: z.number(), text: z.string() });

/** Starts the packed program with a port by which its page, and nothing else of it, can be asked. */
export async function startPacked(...args: string[]): Promise<PackedApp> {
  const child = spawn(PACKED, [...args, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let said = '';
  const port = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    void ended.then((code) => reject(new Error(`The packed app ended with ${code ?? 'a signal'}: ${said}`)));
  });
  let page: Promise<WebSocket> | undefined;

  async function evaluate(expression: string): Promise<unknown> {
    page ??= pageAt(port);
    const socket = await page;
    const over = new AbortController();
    const answer = new Promise<string>((resolve, reject) => {
      const { signal } = over;
      socket.addEventListener('message', ({ data }) => resolve(String(data)), { signal });
      socket.addEventListener('close', () => reject(new Error('The page is gone.')), { signal });
    }).finally(() => over.abort());
    const params = { expression, awaitPromise: true, returnByValue: true };
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
    const { result } = evaluated.parse(JSON.parse(await answer));
    if (result.exceptionDetails) throw new Error(`${result.exceptionDetails.text} in: ${expression}`);
    return result.result.value;
  }

  return {
    process: child,
    evaluate,
    ended,
    ask: askThrough(async (path, init) => {
      const answer = await evaluate(
        `fetch(${JSON.stringify(path)}, ${JSON.stringify(init)})
          .then(async (answer) => ({ status: answer.status, text: await answer.text() }))`,
      );
      const { status, text } = fetched.parse(answer);
      return new Response(text, { status });
    }),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The way to the app's page, once it has one that has been read. */
async function pageAt(port: string): Promise<WebSocket> {
  const address = await until(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
    return (
      pages.parse(await answer.json()).find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? false
    );
  });
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return socket;
}
