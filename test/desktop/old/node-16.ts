import buffer from 'node:buffer';
import crypto, { createHash, webcrypto, type BinaryLike, type BinaryToTextEncoding } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import fs, { type Dirent } from 'node:fs';
import files from 'node:fs/promises';
import { createServer as createHttpServer, Server as HttpServer, type RequestListener } from 'node:http';
import http from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import stream, { Readable } from 'node:stream';
import web from 'node:stream/web';
import { deserialize, serialize } from 'node:v8';
import { BroadcastChannel, MessageChannel, MessagePort } from 'node:worker_threads';
import zlib from 'node:zlib';

/*
 * What the node and the shell use of Node 20 and Electron 22's Node 16 lacks, as far as they use it. Imported before
 * anything else by the build for the old runtime, and by nothing else. `fetch` itself is Node 16's own, switched on by
 * --experimental-fetch; a packed app takes no switches and gets it from `node-16-fetch.ts`.
 */

/** Adds what is missing; what is there is never replaced. */
function fill(target: object, gaps: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(gaps)) {
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
}

fill(globalThis, {
  crypto: webcrypto,
  Blob: buffer.Blob,
  BroadcastChannel,
  MessageChannel,
  MessagePort,
  DOMException: (AbortSignal.abort().reason as object).constructor,
  structuredClone: (value: unknown): unknown => deserialize(serialize(value)),
  ...web,
});
/** A blob with a name; nothing here asks it for more. */
class NamedBlob extends buffer.Blob {
  readonly name: string;
  constructor(parts: ConstructorParameters<typeof buffer.Blob>[0], name: string) {
    super(parts);
    this.name = name;
  }
}
fill(globalThis, { File: NamedBlob });
fill(buffer, {
  File: NamedBlob,
  isUtf8(bytes: Uint8Array): boolean {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  },
});

fill(crypto, {
  hash: (algorithm: string, data: BinaryLike, encoding: BinaryToTextEncoding = 'hex'): string =>
    createHash(algorithm).update(data).digest(encoding),
});

const copies = {
  toSorted<T>(this: T[], compare?: (a: T, b: T) => number): T[] {
    return this.slice().sort(compare);
  },
  toReversed<T>(this: T[]): T[] {
    return this.slice().reverse();
  },
  with<T>(this: T[], index: number, value: T): T[] {
    const copy = this.slice();
    copy[index < 0 ? copy.length + index : index] = value;
    return copy;
  },
};
fill(Array.prototype, {
  ...copies,
  toSpliced<T>(this: T[], ...how: [number, number, ...T[]]): T[] {
    const copy = this.slice();
    copy.splice(...how);
    return copy;
  },
});
fill(Object.getPrototypeOf(Uint8Array.prototype) as object, copies);
const LONE = /\p{Surrogate}/gu;
fill(String.prototype, {
  isWellFormed(this: string): boolean {
    return this.search(LONE) < 0;
  },
  toWellFormed(this: string): string {
    return this.replace(LONE, '\ufffd');
  },
});

fill(URL, {
  canParse(text: string, base?: string): boolean {
    try {
      return new URL(text, base).href !== '';
    } catch {
      return false;
    }
  },
});
if ('Headers' in globalThis) {
  fill(Headers.prototype, {
    // One at most is ever set where this is asked.
    getSetCookie(this: Headers): string[] {
      const cookie = this.get('set-cookie');
      return cookie === null ? [] : [cookie];
    },
  });
}
fill(AbortSignal, {
  any(signals: readonly AbortSignal[]): AbortSignal {
    const either = new AbortController();
    for (const signal of signals) {
      if (signal.aborted) either.abort(signal.reason);
      signal.addEventListener('abort', () => either.abort(signal.reason), { once: true });
    }
    return either.signal;
  },
});

fill(Readable, {
  fromWeb: (from: AsyncIterable<unknown>): Readable => Readable.from(from, { objectMode: false }),
  toWeb(from: Readable): web.ReadableStream<Uint8Array> {
    return new web.ReadableStream<Uint8Array>({
      start(to) {
        from.on('data', (bytes: Uint8Array) => {
          to.enqueue(new Uint8Array(bytes));
          if ((to.desiredSize ?? 1) <= 0) from.pause();
        });
        from.on('end', () => to.close());
        from.on('error', (error) => to.error(error));
      },
      pull: () => void from.resume(),
      cancel: () => void from.destroy(),
    });
  },
});

// Nobody here waits for the end of a stream of the web in this way, but for undici, which then puts things in order.
if (process.versions.node.startsWith('16.')) {
  const oldFinished = stream.finished;
  const finished = (of: Parameters<typeof oldFinished>[0], ...rest: [() => void]): (() => void) =>
    'getReader' in of ? () => undefined : oldFinished(of, ...rest);
  stream.finished = Object.assign(finished, oldFinished);
}

/** Every open connection of a server of HTTP: Node 16 keeps no list of them. */
const connections = new WeakMap<object, Set<Socket & { _httpMessage?: unknown }>>();
const oldCreateServer = createHttpServer as (options: object, listener?: RequestListener) => HttpServer;
if (!('closeAllConnections' in HttpServer.prototype)) {
  http.createServer = ((options: object, listener?: RequestListener) => {
    const server = oldCreateServer(options, listener);
    const open = new Set<Socket>();
    connections.set(server, open);
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    });
    return server;
  }) as typeof createHttpServer;
}
fill(HttpServer.prototype, {
  closeAllConnections(this: HttpServer): void {
    for (const socket of connections.get(this) ?? []) socket.destroy();
  },
  closeIdleConnections(this: HttpServer): void {
    for (const socket of connections.get(this) ?? []) if (!socket._httpMessage) socket.destroy();
  },
});

// Roomy whatever the disk: nothing that is run here is about a full one.
const statfs = (): Promise<object> => Promise.resolve({ bavail: 1e8, bfree: 1e8, blocks: 2e8, bsize: 4096 });
fill(files, { statfs });

type Entry = Dirent & { parentPath: string };
const oldReaddir = files.readdir as (folder: string, options?: object) => Promise<Dirent[]>;
async function entriesIn(folder: string, deeper: boolean): Promise<Entry[]> {
  const all: Entry[] = [];
  for (const entry of await oldReaddir(folder, { withFileTypes: true })) {
    all.push(Object.assign(entry, { parentPath: folder }));
    if (deeper && entry.isDirectory()) all.push(...(await entriesIn(join(folder, entry.name), true)));
  }
  return all;
}
if (process.versions.node.startsWith('16.')) {
  files.readdir = ((folder: string, options?: { withFileTypes?: boolean; recursive?: boolean }) =>
    options?.withFileTypes === true
      ? entriesIn(folder, options.recursive ?? false)
      : oldReaddir(folder, options)) as typeof files.readdir;
  fs.promises.readdir = files.readdir;
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
fill(zlib, {
  crc32(data: string | Uint8Array, before = 0): number {
    let value = ~before;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
    return ~value >>> 0;
  },
});

const MOMENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
fill(diagnostics, {
  // Nobody listens here.
  tracingChannel: (name: string): object => ({
    ...Object.fromEntries(
      MOMENTS.map((moment) => [moment, diagnostics.channel(`tracing:${name}:${moment}`)]),
    ),
    hasSubscribers: false,
    traceSync: (work: (...args: unknown[]) => unknown, _about: unknown, self: unknown, ...args: unknown[]) =>
      work.apply(self, args),
  }),
});
