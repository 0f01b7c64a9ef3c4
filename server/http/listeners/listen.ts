import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from './certificate.ts';
import { handleConnections, type Connections } from './connections.ts';
import { createConnectionSlots, type SlotLimits, type ConnectionSlots } from './connection-slots.ts';
import type { IsTrustedProxy } from './trusted-proxies.ts';

/** Slowloris guard: for head, whole request (an import may have 64 MiB), and idle connection. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 120_000;
const IDLE_MS = 30_000;
const CHECK_MS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;
/** Unanswered requests of a connection: small to send, costly to answer. */
const MAX_PIPELINED = 4;
/** Pieces of a body, and one more for each 256 bytes: parsing 64 KiB of one-byte chunks blocks the process for 15 ms. */
const MAX_PIECES = 5_000;
const BYTES_A_PIECE = 256;
/** The client reads the answer meanwhile: it could lose that with the connection. */
const READ_ANSWER_MS = 250;
/** 50 partners with a Footbridge's connections, and a hundred strangers. */
const PLACES: SlotLimits = { total: 500, perNetwork: 250, reservedForKnown: 400, perCaller: 24 };

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Stops accepting connections; cuts running answers after `graceMs`. */
  close(graceMs: number): Promise<void>;
  renew(tls: Pick<Certificate, 'cert' | 'key'>): void;
  /**
   * Serves a routed stream (`reverse`, or `relay` and its host), by TLS only, never as from this computer. A
   * route's strangers count as one network.
   */
  takeRouted(stream: Duplex, route: string): void;
}

export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Following ports to try if taken. */
  readonly nextPorts?: number;
}

export interface ListenOptions extends ListenAddress {
  /** Serves TLS beside plain HTTP, which `requireTLS` restricts. */
  readonly tls?: Pick<Certificate, 'cert' | 'key'>;
  /** For routed streams, whatever the port uses. */
  readonly routeTLS?: (() => Pick<Certificate, 'cert' | 'key'> | undefined) | undefined;
  /** Routes mark known callers; default: all are strangers. */
  readonly slots?: ConnectionSlots;
  /** Called for each request: returns whether none is answered any more. */
  readonly isOver?: () => boolean;
  /** Serves protocol upgrades; returns false, without touching the socket, for others. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Socket, head: Buffer) => boolean;
}

export const createListenerSlots = (isProxy?: IsTrustedProxy): ConnectionSlots =>
  createConnectionSlots(PLACES, isProxy);

/** Why nothing could be opened, with command-line advice. */
export class ListenError extends Error {
  readonly code: string | undefined;
  readonly port: number | undefined;

  constructor(
    message: string,
    about: { readonly cause?: NodeJS.ErrnoException; readonly port?: number } = {},
  ) {
    super(message, about);
    this.code = about.cause?.code;
    this.port = about.port;
  }
}

/**
 * Serves `handler`, with time limits and connection slots, on the first free of the allowed ports. Throws `ListenError`
 * if none can be opened.
 */
export async function listenOnFirstFree(handler: RequestListener, options: ListenOptions): Promise<Listener> {
  const handleRequest = queueRequests(boundBodies(refuseLongHeads(handler, options.isOver)));
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_MS },
    handleRequest,
  );
  // Node would answer any number itself. RFC 9110 allows ignoring unknown expectations.
  server.on('checkExpectation', handleRequest);
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = IDLE_MS;
  // One more shows an excess, which is dropped silently.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const connections = handleConnections(server, {
    slots: options.slots ?? createListenerSlots(),
    timeoutMs: HEADERS_MS,
    ...(options.tls ? { tls: options.tls } : {}),
    routeTLS: options.routeTLS,
  });
  const { onUpgrade, isOver } = options;
  if (onUpgrade) {
    server.on('upgrade', (request, socket: Socket, head) => {
      // Headers beyond the limit are missing, such as the caller's address: without their `Upgrade` some would pass.
      if (isOver?.() === true || request.rawHeaders.length > 2 * MAX_HEADERS) socket.destroy();
      else if (!onUpgrade(request, socket, head)) connections.serveWithoutUpgrade(request, socket, head);
    });
  }
  await openFirstFreePort(server, options);
  return createListener(server, options.host, connections);
}

/** Listens on the address's first port that isn't in use. Throws `ListenError` if all are, or for any other problem. */
async function openFirstFreePort(server: Server, place: ListenAddress): Promise<void> {
  const last = place.port + (place.nextPorts ?? 0);
  for (let port = place.port; ; port++) {
    const problem = await tryPort(server, place.host, port);
    if (!problem) return;
    if (problem.code === 'EADDRINUSE' && port < last) continue;
    throw new ListenError(explainListenError(problem, place.host, port), { cause: problem, port });
  }
}

/** Answers 431 to more than 100 headers, and destroys connections once `isOver`. */
function refuseLongHeads(handler: RequestListener, isOver = (): boolean => false): RequestListener {
  return (req, res) => {
    if (isOver()) req.socket.destroy();
    else if (req.rawHeaders.length <= 2 * MAX_HEADERS) handler(req, res);
    else res.writeHead(431, { Connection: 'close' }).end();
  };
}

/**
 * Ends connections with too many small pieces in a body, and those whose chunked body goes on after the answer: Node
 * would parse the rest for up to two minutes. One of known length costs little, and its connection can be used again.
 */
function boundBodies(handler: RequestListener): RequestListener {
  return (req, res) => {
    const { socket } = req;
    const push = req.push.bind(req);
    let left = MAX_PIECES;
    /** Counts pieces and passes them on; a listener would start the body too early. */
    req.push = (piece: unknown, encoding) => {
      if (piece instanceof Uint8Array) left += piece.length / BYTES_A_PIECE - 1;
      if (left >= 0) return push(piece, encoding);
      socket.destroy();
      return false;
    };
    /** Ends the connection, unless the rest of the body came with the last bytes. */
    const endUnlessComplete = (): void => {
      if (req.complete) {
        socket.resume();
        return;
      }
      socket.end();
      setTimeout(() => socket.destroy(), READ_ANSWER_MS).unref();
    };
    res.once('finish', () => {
      if (req.complete || req.headers['transfer-encoding'] === undefined) return;
      // At once, as up to 2 MiB are read in a turn, but after Node has resumed the socket to drop the rest.
      process.nextTick(() => socket.pause());
      setImmediate(endUnlessComplete);
    });
    handler(req, res);
  };
}

/**
 * Queues a connection's requests: each is handled once the answer before it has closed. Node gives the connection to one
 * answer at a time, and the others would never close if the caller left. Destroys a connection with more than 4 requests.
 */
function queueRequests(handler: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return (req, res) => {
    const { socket } = req;
    if (socket.destroyed) return;
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    if (queue.length === MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    /** Answers this request, and the next one afterwards; destroys a connection that can't take the answer. */
    const start = (): void => {
      if (res.socket === null || socket.destroyed) {
        // An ended one still sends the previous answer.
        if (!socket.writableEnded) socket.destroy();
        return;
      }
      res.once('close', () => {
        queue.shift();
        queue[0]?.();
      });
      handler(req, res);
    };
    queue.push(start);
    if (queue.length === 1) start();
  };
}

/** Listens on a port; resolves with the system's error, if any. */
function tryPort(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen({ host, port }, () => {
      server.off('error', resolve);
      resolve(undefined);
    });
  });
}

/**
 * Returns the controls of a listening server. `close` waits up to `graceMs` for answers being sent, then destroys all
 * connections.
 */
function createListener(server: Server, host: string, connections: Connections): Listener {
  const { port } = server.address() as AddressInfo;
  return {
    host,
    port,
    renew: (tls) => connections.renew(tls),
    takeRouted: (stream, route) => connections.acceptRouted(stream, route),
    close: (graceMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => connections.destroyAll(), graceMs);
        server.close(() => {
          void connections.whenRoutedClosed().then(() => {
            clearTimeout(cut);
            resolve();
          });
        });
        server.closeIdleConnections();
        connections.destroyUnused();
        if (graceMs === 0) connections.destroyAll();
      }),
  };
}

/** Returns the message for the user, with what to change on the command line. */
function explainListenError(problem: NodeJS.ErrnoException, host: string, port: number): string {
  switch (problem.code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Choose another one with --port or --window-port, or 0 for any.`;
    case 'EACCES':
      return `Port ${port} may only be opened by the system. Choose a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this computer. Give --host an address that it has.`;
    default:
      return `Cannot listen on ${host} port ${port}: ${problem.message}`;
  }
}
