import { omit } from '../../../server/base/omit.ts';
import { createServer, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a line between two nodes does with what goes over it. */
export const WEATHERS = ['clear', 'cut', 'frozen', 'garbage', 'failing', 'empty', 'stale'] as const;
/** `torn`: an answer ends in the middle. */
export type Weather = (typeof WEATHERS)[number] | 'torn';

/** Stands before a node as its network and its honesty do: its address leads here. */
export interface Line {
  readonly port: number;
  readonly weather: Weather;
  /**
   * Answers that were held back by `frozen` come as soon as it is something else, or as more are spared.
   * @param where the paths that it is for; all others are clear
   * @param spared so many answers still get through before it is `frozen`
   */
  set(weather: Weather, where?: RegExp, spared?: number): void;
  /** Questions that met the weather. */
  readonly met: number;
  /** Answers that `frozen` holds back. */
  readonly held: number;
  /** Questions that are under way, but for those that are kept open and those that are held back. */
  readonly busy: number;
  /** Ends the questions that are kept open, as when the program behind the line ends. */
  hangUp(): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** So many answers are remembered of each path, for telling them again. */
const REMEMBERED = 4;
const JSON_HEADERS = { 'content-type': 'application/json' };

/** @param target the node's own port, as of now; undefined while it is not running */
export async function startLine(target: () => number | undefined): Promise<Line> {
  let weather: Weather = 'clear';
  let place = /^/;
  let busy = 0;
  let met = 0;
  let held = 0;
  let left = 0;
  let thawed: () => void = () => undefined;
  let thaw = new Promise<void>((resolve) => (thawed = resolve));
  const earlier = new Map<string, Answer[]>();
  const waits = new Set<ServerResponse>();

  /** What the caller gets to hear instead of the node's answer; undefined: nothing, the line is dead. */
  function told(path: string, { status, headers, body }: Answer): Answer | undefined {
    const before = earlier.get(path) ?? [];
    if (status === 200 && weather !== 'stale')
      earlier.set(path, [...before, { status, headers, body }].slice(-REMEMBERED));
    switch (weather) {
      case 'cut':
        return undefined;
      case 'garbage':
        return {
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: Buffer.from('<h1>Welcome to your router</h1>'),
        };
      case 'failing':
        return {
          status: 500,
          headers: JSON_HEADERS,
          body: Buffer.from('{"error":{"message":"out of order"}}'),
        };
      case 'empty':
        return {
          status: 200,
          headers: JSON_HEADERS,
          body: Buffer.from('{"response":{"filter":{},"set":[]}}'),
        };
      case 'stale':
        return before[0] ?? { status, headers, body };
      default:
        return { status, headers, body };
    }
  }

  const server = createServer((asked, answer) => {
    const [path = ''] = (asked.url ?? '').split('?');
    const isWait = path.endsWith('/footbridge/wait');
    const port = target();
    if (weather !== 'clear' && place.test(path)) met++;
    if ((weather === 'cut' && place.test(path)) || port === undefined) {
      asked.socket.destroy();
      return;
    }
    if (isWait) waits.add(answer);
    else busy++;
    answer.once('close', () => {
      if (!waits.delete(answer)) busy--;
    });
    const onward = request(
      {
        host: '127.0.0.1',
        port,
        method: asked.method,
        path: asked.url,
        headers: asked.headers,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => answer.destroy());
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          void deliver(answer, path, { status: statusCode, headers, body: Buffer.concat(chunks) });
        });
      },
    );
    onward.on('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    asked.pipe(onward);
  });

  async function deliver(answer: ServerResponse, path: string, whole: Answer): Promise<void> {
    while (weather === 'frozen' && place.test(path) && !answer.closed) {
      if (left > 0) {
        left--;
        break;
      }
      busy--;
      held++;
      await thaw;
      held--;
      busy++;
    }
    const said = weather === 'clear' || place.test(path) ? told(path, whole) : whole;
    if (!said) {
      answer.destroy();
      return;
    }
    const headers = omit(said.headers, 'transfer-encoding', 'connection');
    answer.writeHead(said.status, { ...headers, 'content-length': said.body.length });
    if (weather === 'torn' && place.test(path))
      answer.write(said.body.subarray(0, said.body.length >> 1), () => answer.destroy());
    else answer.end(said.body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get weather() {
      return weather;
    },
    set(next, where = /^/, spared = 0) {
      place = where;
      weather = next;
      left = spared;
      // Who was held back looks whether it still is.
      thawed();
      thaw = new Promise<void>((resolve) => (thawed = resolve));
      if (next === 'cut' && where.test('')) server.closeAllConnections();
    },
    get busy() {
      return busy;
    },
    get met() {
      return met;
    },
    get held() {
      return held;
    },
    hangUp: () => waits.forEach((answer) => answer.destroy()),
    close() {
      thawed();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
