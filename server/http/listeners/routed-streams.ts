import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket, type SecureContextOptions } from 'node:tls';
import { keepConnectionId } from './connection-slots.ts';

const routes = new WeakMap<object, string>();

/** Returns a connection's route; undefined for a direct one. */
export const routeOf = (socket: object): string | undefined => routes.get(socket);

/**
 * Returns where a request came from, for logs: route (any reverse one as `reverse`) or address; undefined if unknown.
 */
export const originOf = (req: {
  readonly ip?: string | undefined;
  readonly socket: object;
}): string | undefined => routeOf(req.socket)?.replace(/^reverse .*/, 'reverse') ?? req.ip;

let streams = 0;

/**
 * Starts TLS as server on a stream, returns its socket at once, and calls `onSecure` after the handshake; destroys it
 * without one in `patienceMs`, and after any error. The socket shows a documentation address per route, so that callers
 * of a local relay don't count as local.
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
    remoteAddress: documentationAddress(route),
    remotePort: port,
    localAddress: documentationAddress(''),
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

/** Returns an IPv6 address reserved for documentation, the same for the same route. */
function documentationAddress(route: string): string {
  const hash = createHash('sha256').update(route).digest('hex');
  return `2001:db8:${hash.slice(0, 4)}:${hash.slice(4, 8)}::1`;
}
