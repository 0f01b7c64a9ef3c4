import type { Request, RequestHandler, Response } from 'express';
import type { AppEvent } from '../../contract/app/overview.ts';
import { callerNow, credentialOf } from '../auth/caller.ts';

const MAX_READERS = 50;
/** So many windows has one browser, or one script: more than browsers open streams to one address. */
const MOST_OF_ONE = 8;
/** A comment line keeps middle men and sleeping sockets honest. */
const HEARTBEAT_MS = 20_000;
/** A reader that lets this much pile up is cut off; it comes back and reloads. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/**
 * Pushes what happens to every open window (contract: GET /app/events), and only to those whose credential is good still
 * when it happens: a stream is open for hours. Places are bounded, for each credential and for all.
 */
export interface EventStream {
  readonly handler: RequestHandler;
  send(event: AppEvent): void;
  /** Also tells listeners inside this process, such as the tray. Returns the way to stop listening. */
  listen(listener: (event: AppEvent) => void): () => void;
  /** Ends all streams; windows that are still let in come back by themselves. */
  cut(): void;
  close(): void;
}

export function createEventStream(version: string): EventStream {
  /** Each with what it is still to get, in order. */
  const readers = new Map<Response, Promise<void>>();
  const listeners = new Set<(event: AppEvent) => void>();

  const write = (res: Response, text: string): void => {
    if (res.writableLength > MAX_BACKLOG_BYTES) res.destroy();
    else res.write(text);
  };
  async function deliver(req: Request, res: Response, text: string): Promise<void> {
    const isLetIn = await callerNow(req).then(
      () => true,
      () => false,
    );
    if (!readers.has(res)) return;
    if (isLetIn) {
      write(res, text);
      return;
    }
    end(res);
  }
  const toAll = (text: string): void => {
    for (const [res, before] of readers)
      readers.set(
        res,
        before.then(() => deliver(res.req, res, text)),
      );
  };
  const end = (res: Response): void => {
    readers.delete(res);
    res.end();
  };
  /** Whoever holds most gives way, with what was opened first: one credential never takes the places of another. */
  const makeRoom = (req: Request): void => {
    const held = new Map<string | undefined, Response[]>([[credentialOf(req), []]]);
    for (const res of readers.keys()) {
      const credential = credentialOf(res.req);
      held.set(credential, [...(held.get(credential) ?? []), res]);
    }
    const own = held.get(credentialOf(req)) ?? [];
    const most = [...held.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
    const [first] = own.length >= MOST_OF_ONE ? own : readers.size >= MAX_READERS ? most : [];
    if (first) end(first);
  };
  const frame = (event: AppEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const heartbeat = setInterval(() => {
    toAll(': still here\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    handler: (req, res) => {
      makeRoom(req);
      res.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        Connection: 'keep-alive',
        'X-Accel-Buffering': 'no',
      });
      readers.set(res, Promise.resolve());
      res.on('close', () => readers.delete(res));
      write(res, `retry: 1000\n${frame({ type: 'hello', version })}`);
    },
    send(event) {
      toAll(frame(event));
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    cut() {
      for (const res of readers.keys()) res.end();
      readers.clear();
    },
    close() {
      clearInterval(heartbeat);
      for (const res of readers.keys()) res.end();
      readers.clear();
      listeners.clear();
    },
  };
}
