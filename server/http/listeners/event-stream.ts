import type { Request, RequestHandler, Response } from 'express';
import type { AppEvent } from '../../contract/app/overview.ts';
import { revalidateCaller, credentialOf } from '../auth/caller.ts';

const MAX_READERS = 50;
/** Browsers open fewer to one address. */
const MAX_PER_CALLER = 8;
/** Comment lines this often keep proxies and sleeping sockets from closing the connection. */
const HEARTBEAT_MS = 20_000;
/** Slower readers are disconnected; they come back and reload. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** Pushes events to windows (`GET /app/events`) with a still valid credential. */
export class EventStream {
  readonly #version: string;
  /** By stream: the writes before the next one. */
  readonly #readers = new Map<Response, Promise<void>>();
  readonly #listeners = new Set<(event: AppEvent) => void>();
  readonly #heartbeat: NodeJS.Timeout;

  /**
   * Answers with an open event stream; the first event has the version. At the limits an older stream ends.
   */
  readonly handler: RequestHandler = (req, res) => {
    this.#makeRoom(req);
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      Connection: 'keep-alive',
      'X-Accel-Buffering': 'no',
    });
    this.#readers.set(res, Promise.resolve());
    res.on('close', () => this.#readers.delete(res));
    this.#writeText(res, `retry: 1000\n${this.#frame({ type: 'hello', version: this.#version })}`);
  };

  /** Starts the heartbeat; each window that connects is sent `version`. */
  constructor(version: string) {
    this.#version = version;
    this.#heartbeat = setInterval(() => {
      this.#sendToAll(': still here\n\n');
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Sends an event to every open window, and to this process's listeners. */
  send(event: AppEvent): void {
    this.#sendToAll(this.#frame(event));
    for (const listener of this.#listeners) listener(event);
  }

  /** Calls `listener` with each event sent, without a stream; returns a function that ends that. */
  listen(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all streams; windows still signed in reconnect. */
  disconnectAll(): void {
    for (const res of this.#readers.keys()) res.end();
    this.#readers.clear();
  }

  /** Ends all streams and the heartbeat, and removes all listeners. */
  close(): void {
    clearInterval(this.#heartbeat);
    for (const res of this.#readers.keys()) res.end();
    this.#readers.clear();
    this.#listeners.clear();
  }

  /** Writes to a stream; destroys one with more than 1 MiB unread. */
  #writeText(res: Response, text: string): void {
    if (res.writableLength > MAX_BACKLOG_BYTES) res.destroy();
    else res.write(text);
  }

  /** Writes to a stream if its credential is still valid, else ends it. */
  async #deliverIfAllowed(req: Request, res: Response, text: string): Promise<void> {
    const isLetIn = await revalidateCaller(req).then(
      () => true,
      () => false,
    );
    if (!this.#readers.has(res)) return;
    if (isLetIn) {
      this.#writeText(res, text);
      return;
    }
    this.#endStream(res);
  }

  /**
   * Writes to each stream, after earlier texts, if its reader's credential is still valid, else ends it; in the
   * background.
   */
  #sendToAll(text: string): void {
    for (const [res, before] of this.#readers)
      this.#readers.set(
        res,
        before.then(() => this.#deliverIfAllowed(res.req, res, text)),
      );
  }

  /** Ends one stream; its window reconnects if it is still signed in. */
  #endStream(res: Response): void {
    this.#readers.delete(res);
    res.end();
  }

  /**
   * Ends this caller's oldest stream if it would get its ninth; else, if there would be 51, the oldest of the
   * credential with most.
   */
  #makeRoom(req: Request): void {
    const held = new Map<string | undefined, Response[]>([[credentialOf(req), []]]);
    for (const res of this.#readers.keys()) {
      const credential = credentialOf(res.req);
      held.set(credential, [...(held.get(credential) ?? []), res]);
    }
    const own = held.get(credentialOf(req)) ?? [];
    const most = [...held.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
    const [first] = own.length >= MAX_PER_CALLER ? own : this.#readers.size >= MAX_READERS ? most : [];
    if (first) this.#endStream(first);
  }

  /** Returns an event in the form of event streams. */
  #frame(event: AppEvent): string {
    return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
}
