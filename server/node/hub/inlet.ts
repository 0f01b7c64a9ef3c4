import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import type { SeenFrom } from '../../http/listeners/connections.ts';
import { connectionId } from '../../http/listeners/places.ts';
import { connectionHello, firstLine, helloSchema, linkAnswer, sharedKeyRules, type Entry } from './hello.ts';

/** Whoever knows the key says at once what it wants. */
const PATIENCE_MS = 5_000;
/**
 * Who does not know the key is through with its handshake never: of so many the first has to go for the next. Those who know it need
 * a moment, however many they bring at once; how many stay is for the node.
 */
const MOST_STRANGERS = 600;

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
  readonly #cut: () => void;

  private constructor(server: Server, cut: () => void) {
    this.#server = server;
    this.#cut = cut;
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
      noDelay: true,
    });
    const strangers = strangersAt(server);
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('secureConnection', (socket) => {
      strangers.delete(connectionId(socket));
      waiting.add(socket);
      socket.once('close', () => waiting.delete(socket));
      socket.on('error', () => socket.destroy());
      answer(socket, serving)
        .catch((error: unknown) => {
          // Whom it was to bring has gone.
          if (!socket.destroyed)
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
    // Of a connection that could not be taken, as where this process may hold no more.
    server.on('error', (error) => log.warn({ err: error }, 'what comes to others could not be taken'));
    return new Inlet(server, () => {
      for (const socket of [...waiting, ...strangers.values()]) socket.destroy();
    });
  }

  /** Takes no more; connections that were taken are the node's to end. */
  close(): void {
    this.#server.close();
    this.#cut();
  }
}

/** Of connections those that are not through with their handshake. */
function strangersAt(server: Server): Map<string, Socket> {
  const strangers = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const id = connectionId(socket);
    strangers.set(id, socket);
    socket.once('close', () => {
      if (strangers.get(id) === socket) strangers.delete(id);
    });
    const [first] = strangers;
    if (strangers.size <= MOST_STRANGERS || !first) return;
    strangers.delete(first[0]);
    first[1].destroy();
  });
  return strangers;
}

async function answer(socket: TLSSocket, serving: Serving): Promise<void> {
  const hello = helloSchema.parse(JSON.parse(await firstLine(socket, PATIENCE_MS)));
  if (connectionHello(hello)) serving.take(hello.to, socket, hello.from);
  else socket.end(linkAnswer(serving.link(hello.linkAt)));
}
