import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from './certificate.ts';
import { takeConnections, type Connections } from './connections.ts';
import { createPlaces, type PlaceRules, type Places } from './places.ts';
import type { IsTrustedProxy } from './trusted-proxies.ts';

/**
 * How patient a listener is. A request's head must be there within 10 s and the whole of it within 120 s (a
 * CSV import may be 64 MiB); an idle connection is closed after 30 s.
 */
const HEADERS_MS = 10_000;
const REQUEST_MS = 120_000;
const IDLE_MS = 30_000;
/** How often connections are looked at for being too slow. */
const CHECK_MS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;
/** 50 partners with as many connections as a Footbridge holds, and a hundred strangers beside them. */
const PLACES: PlaceRules = { places: 500, perNetwork: 250, forKnown: 400, perCaller: 24 };

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Stops taking connections, lets answers in flight end for `graceMs`, then cuts what is left; without any at once. */
  close(graceMs: number): Promise<void>;
  /** Shows another certificate from the next connection on. */
  renew(tls: Pick<Certificate, 'cert' | 'key'>): void;
  /**
   * Serves a stream that arrived by a route, such as a relay: by TLS alone, and as a caller that is neither of this
   * computer nor of any network. All strangers of one route count as one network.
   * @param route `reverse`, or `relay` and its host
   */
  takeRouted(stream: Duplex, route: string): void;
}

/** A place to listen at. */
export interface ListenPlace {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Try so many following ports when this one is taken. */
  readonly nextPorts?: number;
}

export interface ListenOptions extends ListenPlace {
  /** With it the port answers TLS beside plain HTTP; `plain-guard.ts` decides who may use the latter. */
  readonly tls?: Pick<Certificate, 'cert' | 'key'>;
  /** What streams that arrive by a route are shown, whatever the port shows. */
  readonly routeTLS?: (() => Pick<Certificate, 'cert' | 'key'> | undefined) | undefined;
  /** Told by the routes whose connections stay; without it all are strangers. */
  readonly places?: Places;
  /** Whether nobody is answered any more; asked at each request. */
  readonly isOver?: () => boolean;
  /**
   * Serves requests to change the protocol, such as to WebSocket. Returns false, leaving the socket alone, for those
   * that it does not know: they are served as if they had not asked.
   */
  readonly onUpgrade?: (request: IncomingMessage, socket: Socket, head: Buffer) => boolean;
}

/** The places of one listener. */
export const listenerPlaces = (isProxy?: IsTrustedProxy): Places => createPlaces(PLACES, isProxy);

/** Why nothing could be opened; the message says what to do on the command line. */
export class ListenError extends Error {
  /** The system's code for it, and the port that was meant, where these are known. */
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

/** Serves `handler` on the first port of those allowed that is free. @throws ListenError */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listener> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_MS },
    refusingLongHeads(handler, options.isOver),
  );
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = IDLE_MS;
  // Those behind are dropped without a word: one more says that there are too many.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const connections = takeConnections(server, {
    places: options.places ?? listenerPlaces(),
    patienceMs: HEADERS_MS,
    ...(options.tls ? { tls: options.tls } : {}),
    routeTLS: options.routeTLS,
  });
  const { onUpgrade, isOver } = options;
  if (onUpgrade) {
    // Both kinds of sockets that come here are of node:net.
    server.on('upgrade', (request, socket: Socket, head) => {
      if (isOver?.() === true) socket.destroy();
      else if (!onUpgrade(request, socket, head)) connections.serveWithoutUpgrade(request, socket, head);
    });
  }
  await openAt(server, options);
  return opened(server, options.host, connections);
}

/** Opens it at the first port of those allowed that is free. @throws ListenError */
async function openAt(server: Server, place: ListenPlace): Promise<void> {
  const last = place.port + (place.nextPorts ?? 0);
  for (let port = place.port; ; port++) {
    const problem = await open(server, place.host, port);
    if (!problem) return;
    if (problem.code === 'EADDRINUSE' && port < last) continue;
    throw new ListenError(explain(problem, place.host, port), { cause: problem, port });
  }
}

/** Nobody looks at lines that were dropped, be it a second host or the page that asks. */
function refusingLongHeads(handler: RequestListener, isOver = (): boolean => false): RequestListener {
  return (req, res) => {
    if (isOver()) req.socket.destroy();
    else if (req.rawHeaders.length <= 2 * MAX_HEADERS) handler(req, res);
    else res.writeHead(431, { Connection: 'close' }).end();
  };
}

function open(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen({ host, port }, () => {
      server.off('error', resolve);
      resolve(undefined);
    });
  });
}

function opened(server: Server, host: string, connections: Connections): Listener {
  const { port } = server.address() as AddressInfo;
  return {
    host,
    port,
    renew: (tls) => connections.renew(tls),
    takeRouted: (stream, route) => connections.takeRouted(stream, route),
    close: (graceMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => connections.cutAll(), graceMs);
        server.close(() => {
          void connections.routedEnded().then(() => {
            clearTimeout(cut);
            resolve();
          });
        });
        server.closeIdleConnections();
        connections.cutSilent();
        if (graceMs === 0) connections.cutAll();
      }),
  };
}

function explain(problem: NodeJS.ErrnoException, host: string, port: number): string {
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
