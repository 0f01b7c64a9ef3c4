import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket, type SecureContextOptions } from 'node:tls';
import { keepConnectionId } from './connection-slots.ts';

const routes = new WeakMap<object, string>();

/** The route that a connection arrived by; undefined where the caller connected to this computer. */
export const routeOf = (socket: object): string | undefined => routes.get(socket);

/** Where a request came from, as it is written down: its route, or the network address. */
export const originOf = (req: {
  readonly ip?: string | undefined;
  readonly socket: object;
}): string | undefined => routeOf(req.socket)?.replace(/^reverse .*/, 'reverse') ?? req.ip;

let streams = 0;

/**
 * Speaks TLS with a caller that arrived by a route, and nothing else. Its connection shows an address that is of nobody
 * (RFC 3849), one network for each route: a relay that runs on this computer must not make its callers local ones.
 * @param onSecure gets the connection once the handshake is done
 */
export function secureRouted(
  stream: Duplex,
  route: string,
  context: SecureContextOptions,
  patienceMs: number,
  onSecure: (socket: Socket) => void,
): Socket {
  const socket = new TLSSocket(stream, { isServer: true, secureContext: createSecureContext(context) });
  const port = ++streams;
  keepConnectionId(socket, `${route} ${port}`);
  const shown = {
    remoteAddress: addressOf(route),
    remotePort: port,
    localAddress: addressOf(''),
    localPort: 0,
  };
  for (const [name, value] of Object.entries(shown)) Object.defineProperty(socket, name, { value });
  routes.set(socket, route);
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.on('error', () => socket.destroy());
  stream.on('error', () => socket.destroy());
  stream.once('close', () => socket.destroy());
  socket.once('close', () => {
    clearTimeout(timer);
    stream.destroy();
  });
  socket.once('secure', () => {
    clearTimeout(timer);
    onSecure(socket);
  });
  return socket;
}

function addressOf(route: string): string {
  const hash = createHash('sha256').update(route).digest('hex');
  return `2001:db8:${hash.slice(0, 4)}:${hash.slice(4, 8)}::1`;
}
