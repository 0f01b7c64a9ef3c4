import { createServer, type Server, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { pipeline } from 'node:stream';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { LOOPBACK } from '../../base/loopback.ts';
import { openAt } from '../../http/listeners/listen.ts';
import { WINDOW_PORTS } from '../listeners.ts';
import { firstLine, helloLine, linkIn, sharedKeyRules, type Entry, type Hello } from './hello.ts';
import type { Serving } from './inlet.ts';
import { samePlace, type InletPlace } from './inlet-place.ts';

const LOOKED_EVERY_MS = 1_500;
const CONNECT_MS = 3_000;
/** Longer than another process needs to take over (`store/sql/lease.ts`). */
const HELD_MS = 15_000;
/** Callers who wait while nobody serves. */
const MOST_HELD = 500;
/** A computer that lost its power says nothing: so soon it is found out. */
const ALIVE_MS = 10_000;

/** Where this process is to answer; what is not given is as with the one that serves. */
export interface RelayPlaces {
  readonly host?: string;
  readonly port?: number;
  readonly windowPort?: number;
}

/** Where this process answers, for the one that serves. */
export interface Answering {
  readonly federation: string;
  /** A one-time link; the bare address where none could be had. */
  readonly window: string;
}

interface RelayDeps {
  readonly places: RelayPlaces;
  readonly key: Buffer;
  /** Where whoever serves takes connections; undefined while nobody has said so. */
  readonly inlet: () => Promise<InletPlace | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onAnswering: (where: Answering) => void;
}

interface Held {
  readonly to: Entry;
  readonly giveUp: () => void;
}

/**
 * Answers in the place of the process that serves (docs/hub.md: Who answers): brings each connection to it as it comes, unread,
 * so that all that an office counts, limits and tells is in one place. While nobody serves, callers wait until somebody does,
 * be it this process.
 */
export class Relay {
  readonly #deps: RelayDeps;
  readonly #held = new Map<Socket, Held>();
  readonly #brought = new Set<TLSSocket>();
  readonly #beingBrought = new Set<Socket>();
  #servers: Readonly<Record<Entry, Server>> | undefined;
  #places: RelayPlaces;
  #inlet: InletPlace | undefined;
  #cancelLook: (() => void) | undefined;
  #problem: string | undefined;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
    this.#places = deps.places;
  }

  /** As asked for, and the ports that were found. */
  get places(): RelayPlaces {
    return this.#places;
  }

  /** Answers from now on, once it is known who serves. */
  open(): void {
    if (this.#isOpen()) return;
    this.#cancelLook = () => undefined;
    void this.#look();
  }

  /** Leaves its ports to who serves in this process now. Callers who wait are kept. */
  stopListening(): void {
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    for (const server of Object.values(this.#servers ?? {})) server.close();
    this.#servers = undefined;
    this.#inlet = undefined;
    this.#cut();
  }

  /** Gives those who wait to who serves in this process now. */
  handTo(serving: Pick<Serving, 'take'>): void {
    for (const [socket, { to }] of [...this.#held]) {
      this.#release(socket);
      serving.take(to, socket);
    }
  }

  close(): void {
    this.stopListening();
    for (const socket of [...this.#held.keys()]) socket.destroy();
  }

  #isOpen(): boolean {
    return this.#cancelLook !== undefined;
  }

  async #look(): Promise<void> {
    // A database that is away says nothing of who serves.
    const found = await this.#deps.inlet().catch(() => this.#inlet);
    if (!this.#isOpen()) return;
    if (!samePlace(found, this.#inlet)) this.#cut();
    this.#inlet = found;
    if (found && !this.#servers) await this.#listen(found);
    if (!this.#isOpen()) return;
    for (const socket of this.#held.keys()) void this.#bring(socket);
    this.#cancelLook = this.#deps.clock.after(LOOKED_EVERY_MS, () => void this.#look());
  }

  async #listen(inlet: InletPlace): Promise<void> {
    const {
      host = inlet.federation.host,
      port = inlet.federation.port,
      windowPort = inlet.window,
    } = this.#places;
    const servers = { federation: this.#server('federation'), window: this.#server('window') };
    try {
      await openAt(servers.federation, { host, port });
      await openAt(servers.window, {
        ...{ host: LOOPBACK, port: windowPort },
        nextPorts: windowPort === 0 ? 0 : WINDOW_PORTS,
      });
    } catch (error) {
      for (const server of Object.values(servers)) server.close();
      this.#warn(error);
      return;
    }
    if (!this.#isOpen()) {
      for (const server of Object.values(servers)) server.close();
      return;
    }
    this.#servers = servers;
    this.#places = { host, port: portOf(servers.federation), windowPort: portOf(servers.window) };
    this.#tell(inlet, host).catch((error: unknown) => this.#warn(error));
  }

  #server(to: Entry): Server {
    return createServer(
      { pauseOnConnect: true, keepAlive: true, keepAliveInitialDelay: ALIVE_MS },
      (socket) => this.#came(to, socket),
    );
  }

  async #tell(inlet: InletPlace, host: string): Promise<void> {
    const at = `http://${LOOPBACK}:${this.#places.windowPort ?? 0}`;
    const window = await this.#link(inlet, at).catch(() => at);
    const scheme = inlet.isEncrypted ? 'https' : 'http';
    const shown = host.includes(':') ? `[${host}]` : host;
    this.#deps.onAnswering({ federation: `${scheme}://${shown}:${this.#places.port ?? 0}`, window });
  }

  async #link(inlet: InletPlace, linkAt: string): Promise<string> {
    const there = await this.#reach(inlet);
    try {
      there.write(helloLine({ linkAt }));
      return linkIn(await firstLine(there, CONNECT_MS));
    } finally {
      there.destroy();
    }
  }

  #came(to: Entry, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (socket.remoteAddress === undefined || this.#held.size >= MOST_HELD) {
      socket.destroy();
      return;
    }
    const giveUp = setTimeout(() => socket.destroy(), HELD_MS);
    const gone = (): void => this.#release(socket);
    socket.once('close', gone);
    this.#held.set(socket, {
      to,
      giveUp: () => {
        clearTimeout(giveUp);
        socket.off('close', gone);
      },
    });
    void this.#bring(socket);
  }

  #release(socket: Socket): void {
    this.#held.get(socket)?.giveUp();
    this.#held.delete(socket);
  }

  /** One that cannot be brought now stays held. */
  async #bring(socket: Socket): Promise<void> {
    const inlet = this.#inlet;
    if (!inlet || this.#beingBrought.has(socket)) return;
    this.#beingBrought.add(socket);
    try {
      const there = await this.#reach(inlet);
      const held = this.#held.get(socket);
      const hello = held && helloOf(held.to, socket);
      if (!hello || inlet !== this.#inlet) {
        there.destroy();
        return;
      }
      this.#problem = undefined;
      this.#release(socket);
      this.#brought.add(there);
      there.write(helloLine(hello));
      pipeline(socket, there, socket, () => {
        this.#brought.delete(there);
        there.destroy();
        socket.destroy();
      });
    } catch (error) {
      this.#warn(error);
    } finally {
      this.#beingBrought.delete(socket);
    }
  }

  #reach({ host, port }: InletPlace): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const there = connect({ host, port, ...sharedKeyRules(this.#deps.key).client });
      const timer = setTimeout(
        () => there.destroy(new Error(`${host} port ${port} does not answer`)),
        CONNECT_MS,
      );
      there.setKeepAlive(true, ALIVE_MS);
      there.once('secureConnect', () => {
        clearTimeout(timer);
        there.off('error', reject);
        there.on('error', () => there.destroy());
        resolve(there);
      });
      there.once('error', reject);
      there.once('close', () => {
        clearTimeout(timer);
        reject(new Error(`${host} port ${port} closed the connection`));
      });
    });
  }

  /** Who does not serve any more answers nobody. */
  #cut(): void {
    for (const there of this.#brought) there.destroy();
  }

  /** Once, however many callers it stands in the way of. */
  #warn(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (problem !== this.#problem)
      this.#deps.log.warn({ err: error }, 'callers cannot be brought to the process that serves');
    this.#problem = problem;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Undefined where the caller has gone. */
function helloOf(
  to: Entry,
  { remoteAddress, remotePort, localAddress, localPort }: Socket,
): Hello | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  return {
    to,
    from: { remoteAddress, remotePort, localAddress: localAddress ?? '', localPort: localPort ?? 0 },
  };
}
