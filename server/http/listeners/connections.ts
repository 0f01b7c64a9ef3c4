import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTLSServer, type SecureContextOptions } from 'node:tls';
import type { Certificate } from './certificate.ts';
import type { ConnectionSlots } from './connection-slots.ts';
import { secureRouted } from './routed-streams.ts';

/** First byte of TLS; no HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16;

export interface ConnectionRules {
  readonly slots: ConnectionSlots;
  /** For the first byte, and again for a TLS handshake. */
  readonly timeoutMs: number;
  /** The port then serves TLS and plain HTTP; routes decide who may use which. */
  readonly tls?: Pick<Certificate, 'cert' | 'key'>;
  /** For routed streams; without it none is served. */
  readonly routeTLS?: (() => Pick<Certificate, 'cert' | 'key'> | undefined) | undefined;
}

export interface Connections {
  /** Serves a routed stream; destroys it without a certificate. */
  acceptRouted(stream: Duplex, route: string): void;
  /** Serves a request without its `Upgrade` (RFC 9110), as for Java's HTTP client. */
  serveWithoutUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Changes the certificate of later connections. */
  renew(tls: Pick<Certificate, 'cert' | 'key'>): void;
  /** Destroys connections that haven't sent a byte. */
  destroyUnused(): void;
  destroyAll(): void;
  /** Resolves once all routed streams, which the server doesn't count, have closed. */
  whenRoutedClosed(): Promise<void>;
}

/**
 * Replaces the server's connection listener: each connection gets a slot, and its first byte tells TLS from HTTP.
 * Returns the controls of these connections. A silent one is destroyed after `timeoutMs`.
 */
export function handleConnections(server: Server, rules: ConnectionRules): Connections {
  const parse = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const toHTTP = (socket: Socket): void => parse.forEach((listener) => listener.call(server, socket));

  const secure =
    rules.tls && createTLSServer({ ...tlsOptions(rules.tls), handshakeTimeout: rules.timeoutMs });
  const routed = new Set<Socket>();
  let onRoutedEnded: () => void = () => undefined;
  secure?.on('secureConnection', toHTTP);
  secure?.on('tlsClientError', (_error, socket) => socket.destroy());

  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    rules.slots.admitSocket(socket);
    if (socket.destroyed) return;
    if (!secure) {
      toHTTP(socket);
    } else {
      silent.add(socket);
      socket.once('close', () => silent.delete(socket));
      peekFirstByte(socket, rules.timeoutMs, (first) => {
        silent.delete(socket);
        if (first === TLS_HANDSHAKE) {
          secure.emit('connection', socket);
        } else {
          toHTTP(socket);
          socket.resume();
        }
      });
    }
  });

  return {
    /**
     * Serves a request that asked for an upgrade as an ordinary one: puts its head without `Upgrade`, and the bytes
     * after it, back into the socket to be parsed again.
     */
    serveWithoutUpgrade(request, socket, head) {
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
      toHTTP(socket);
      socket.resume();
    },
    /**
     * Serves a stream that came over a route: with TLS, counted as a connection; destroys it while there is no
     * certificate for routes.
     */
    acceptRouted(stream, route) {
      const tls = rules.routeTLS?.();
      const socket = tls && secureRouted(stream, route, tlsOptions(tls), rules.timeoutMs, toHTTP);
      if (!socket) {
        stream.destroy();
        return;
      }
      routed.add(socket);
      socket.once('close', () => {
        routed.delete(socket);
        if (routed.size === 0) onRoutedEnded();
      });
      rules.slots.admitSocket(socket);
    },
    renew: (tls) => secure?.setSecureContext(tlsOptions(tls)),
    destroyUnused: () => silent.forEach((socket) => socket.destroy()),
    destroyAll: () => rules.slots.closeAll(),
    whenRoutedClosed: () =>
      new Promise((resolve) => {
        if (routed.size === 0) resolve();
        else onRoutedEnded = resolve;
      }),
  };
}

/** Returns the request's head without the header `Upgrade`. */
function headWithoutUpgrade({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Returns the TLS options: this certificate, and TLS 1.2 or newer. */
function tlsOptions(tls: Pick<Certificate, 'cert' | 'key'>): SecureContextOptions {
  return { cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' };
}

/**
 * Calls `seen` once with the first byte, which stays readable, and pauses the socket. Destroys a socket that ends,
 * fails, or sends nothing within `patienceMs`.
 */
function peekFirstByte(socket: Socket, patienceMs: number, seen: (byte: number) => void): void {
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  /** Ends the timer and destroys the socket. */
  const giveUp = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  socket.once('close', () => clearTimeout(timer));
  socket.once('error', giveUp);
  socket.once('end', giveUp);
  socket.once('data', (chunk: Buffer) => {
    clearTimeout(timer);
    socket.off('error', giveUp);
    socket.off('end', giveUp);
    socket.pause();
    socket.unshift(chunk);
    seen(chunk[0] ?? 0);
  });
}
