import type { Request, RequestHandler, Response } from 'express';
import type { AppEvent } from '../../contract/app/overview.ts';
import { revalidateCaller, credentialOf } from '../auth/caller.ts';

const MAX_READERS = 50;
/** Windows of one browser or script: more than browsers open streams to one address. */
const MAX_PER_CALLER = 8;
/** Comment lines keep proxies and sleeping sockets from closing the connection. */
const HEARTBEAT_MS = 20_000;
/** A reader with a larger backlog is disconnected; it comes back and reloads. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/**
 * Pushes events to every open window (`GET /app/events`) whose credential is still valid then. Streams are
 * limited per credential and in total.
 */
export class EventStream {
  readonly #version: string;
  /** Each with what is still to be sent, in order. */
  readonly #readers = new Map<Response, Promise<void>>();
  readonly #listeners = new Set<(event: AppEvent) => void>();
  readonly #heartbeat: NodeJS.Timeout;

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
    this.#write(res, `retry: 1000\n${this.#frame({ type: 'hello', version: this.#version })}`);
  };

  /** Starts the heartbeat. `version` is sent to each window that connects. */
  constructor(version: string) {
    this.#version = version;
    this.#heartbeat = setInterval(() => {
      this.#sendToAll(': still here\n\n');
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Sends an event to every open window and to the listeners in this process. */
  send(event: AppEvent): void {
    this.#sendToAll(this.#frame(event));
    for (const listener of this.#listeners) listener(event);
  }

  /** Calls `listener` for each further event; returns a function to stop. */
  listen(listener: (event: AppEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends all streams; windows that are still signed in reconnect. */
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

  /** Writes text to a stream; destroys one with more than 1 MiB unread. */
  #write(res: Response, text: string): void {
    if (res.writableLength > MAX_BACKLOG_BYTES) res.destroy();
    else res.write(text);
  }

  /** Writes the text to the reader's stream if its credential is still valid; otherwise ends the stream. */
  async #deliver(req: Request, res: Response, text: string): Promise<void> {
    const isLetIn = await revalidateCaller(req).then(
      () => true,
      () => false,
    );
    if (!this.#readers.has(res)) return;
    if (isLetIn) {
      this.#write(res, text);
      return;
    }
    this.#end(res);
  }

  /** Queues the text for every stream, to be written once the reader's credential is verified again. */
  #sendToAll(text: string): void {
    for (const [res, before] of this.#readers)
      this.#readers.set(
        res,
        before.then(() => this.#deliver(res.req, res, text)),
      );
  }

  #end(res: Response): void {
    this.#readers.delete(res);
    res.end();
  }

  /**
   * Ends one stream if a new one of this caller would be too many: the caller's oldest of eight, or, of fifty
   * in all, the oldest of the credential with most streams.
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
    if (first) this.#end(first);
  }

  /** Returns an event in the format of server-sent events. */
  #frame(event: AppEvent): string {
    return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
}
