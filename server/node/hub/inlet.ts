import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import type { SeenFrom } from '../../http/listeners/connections.ts';
import { connectionHello, firstLine, helloSchema, linkAnswer, sharedKeyRules, type Entry } from './hello.ts';

/** Whoever knows the key says at once what it wants. */
const PATIENCE_MS = 5_000;
/** Both listeners of a node hold fewer, of all processes together. */
const MOST_CONNECTIONS = 2_000;

/** The node that serves. */
export interface Serving {
  /** Serves a connection that came to another process, or before this one listened. */
  take(to: Entry, socket: Socket, from?: SeenFrom): void;
  /** A one-time link into the window at this base address. */
  link(base: string): string;
}

/**
 * Where the process that serves takes what came to the others (docs/hub.md: Who answers). It is spoken to by TLS with a key
 * that is made of the office's secret, so that whoever does not know that gets no further than the handshake.
 */
export class Inlet {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<TLSSocket>();

  private constructor(server: Server, sockets: Set<TLSSocket>) {
    this.#server = server;
    this.#sockets = sockets;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @throws the system's error where it cannot be opened there */
  static async open(
    place: { readonly host: string; readonly port: number },
    { key, serving, log }: { readonly key: Buffer; readonly serving: Serving; readonly log: Logger },
  ): Promise<Inlet> {
    const waiting = new Set<TLSSocket>();
    const server = createServer({
      ...sharedKeyRules(key).server,
      handshakeTimeout: PATIENCE_MS,
    });
    server.maxConnections = MOST_CONNECTIONS;
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('secureConnection', (socket) => {
      waiting.add(socket);
      socket.once('close', () => waiting.delete(socket));
      socket.on('error', () => socket.destroy());
      answer(socket, serving)
        .catch((error: unknown) => {
          log.warn({ err: error }, 'another process of this office said something that is not known here');
          socket.destroy();
        })
        .finally(() => waiting.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(place, () => {
        server.off('error', reject);
        resolve();
      });
    });
    return new Inlet(server, waiting);
  }

  /** Takes no more; connections that were taken are the node's to end. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function answer(socket: TLSSocket, serving: Serving): Promise<void> {
  const hello = helloSchema.parse(JSON.parse(await firstLine(socket, PATIENCE_MS)));
  if (connectionHello(hello)) serving.take(hello.to, socket, hello.from);
  else socket.end(linkAnswer(serving.link(hello.linkAt)));
}
