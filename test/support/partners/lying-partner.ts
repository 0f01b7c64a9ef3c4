import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import express, { type Express, type RequestHandler } from 'express';

/** One request as it arrived. */
export interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface LyingPartner {
  /** Its federation base. */
  readonly base: string;
  readonly port: number;
  readonly heard: readonly Heard[];
  close(): Promise<void>;
}

/**
 * A real Express server on loopback that behaves as `setup` says, below `/federation`. What nobody answers is
 * a 404 of HTML, as on live servers. The lies themselves are the handlers below.
 */
export async function startLyingPartner(setup: (app: Express) => void): Promise<LyingPartner> {
  const app = express();
  const heard: Heard[] = [];
  app.disable('etag');
  app.use(express.json({ limit: '2mb' }));
  app.use((request, _, next) => {
    heard.push({
      method: request.method,
      url: request.originalUrl,
      headers: request.headers,
      body: request.body as unknown,
    });
    next();
  });
  const federation = express();
  federation.disable('etag');
  setup(federation);
  app.use('/federation', federation);
  app.use((_, response) => {
    response.status(404).type('html').send('<!doctype html><h1>404</h1>');
  });
  const server = createServer(app);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/federation`,
    port,
    heard,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Takes the request and never says anything. */
export const silence: RequestHandler = () => undefined;

/** Sends the headers of a good answer and then nothing. */
export const headersOnly: RequestHandler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
};

/** Sends one byte a time, for ever. */
export const trickle: RequestHandler = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  request.once('close', () => {
    clearInterval(timer);
  });
};

/** Sends blanks until the other side has had enough. */
export const endless: RequestHandler = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = Buffer.alloc(256 * 1024, ' ');
  let open = true;
  request.once('close', () => {
    open = false;
  });
  const more = (): void => {
    while (open && response.write(chunk));
    if (open) response.once('drain', more);
  };
  more();
};

const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));

/** 200 MiB of blanks in 200 kB. */
export const gzipBomb: RequestHandler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(bomb);
};

/** Closes the connection in the middle of an answer. */
export const cutOff: RequestHandler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"response":{"set":[');
  setTimeout(() => response.socket?.destroy(), 20);
};

/** Answers with exactly this. */
export function says(status: number, body: string, headers: Record<string, string> = {}): RequestHandler {
  return (_, response) => {
    response.status(status);
    for (const [name, value] of Object.entries({ 'content-type': 'application/json', ...headers })) {
      response.setHeader(name, value);
    }
    response.end(body);
  };
}
