import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { LOOPBACK } from '../../base/loopback.ts';
import { openAt } from '../../http/listeners/listen.ts';
import { WINDOW_PORTS } from '../listeners.ts';
import { BroughtCallers } from './brought-callers.ts';
import { HeldCallers } from './held-callers.ts';
import { helloLine, type Entry, type Hello } from './hello.ts';
import type { Serving } from './inlet.ts';
import { samePlace, type InletPlace } from './inlet-place.ts';
import { ALIVE_MS, askForLink, reachInlet } from './reach-inlet.ts';

const LOOKED_EVERY_MS = 1_500;
/** Where this process is to answer; what is not given is as with the one that serves. */
export interface RelayPlaces {
  readonly host?: string;
  readonly port?: number;
  readonly windowPort?: number;
}

/** Where this process answers, for the one that serves. */
export interface Answering {
  readonly federation: string;
  /** A one-time link, good while the same process serves; the bare address where none could be had. */
  readonly window: string;
  /** Why nobody who comes here can be brought to the one that serves, if so. */
  readonly problem?: string;
}

interface RelayDeps {
  readonly places: RelayPlaces;
  readonly key: Buffer;
  /** Where whoever serves takes connections; undefined while nobody has said so. */
  readonly inlet: () => Promise<InletPlace | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onAnswering: (where: Answering) => void;
  /** So long a caller may leave unread what waits for it. */
  readonly stalledMs?: number;
}

/** Where it is to answer partners; a port of 0 means the one that was found, or any. */
type Wanted = Required<Pick<RelayPlaces, 'host' | 'port'>>;

/**
 * Answers in the place of the process that serves (docs/hub.md: Who answers): brings each connection to it as it comes, unread,
 * so that all that an office counts, limits and tells is in one place. While nobody serves, callers wait until somebody does,
 * be it this process.
 */
export class Relay {
  readonly #deps: RelayDeps;
  readonly #held = new HeldCallers();
  readonly #brought: BroughtCallers;
  readonly #beingBrought = new Set<Socket>();
  #servers: Readonly<Record<Entry, Server>> | undefined;
  /** Where they listen for partners. */
  #at: Wanted | undefined;
  #foundPorts: Pick<RelayPlaces, 'port' | 'windowPort'> = {};
  #inlet: InletPlace | undefined;
  /** Of the looks that follow one another; undefined while it is not open. */
  #turn: symbol | undefined;
  #cancelLook: () => void = () => undefined;
  #problem: string | undefined;
  /** Of whom it was told where this process answers for it, or why that is not so. */
  #told: string | undefined;
  #isLeaving = false;

  constructor(deps: RelayDeps) {
    this.#deps = deps;
    this.#brought = new BroughtCallers(deps.clock, deps.stalledMs);
  }

  /** As asked for, with the ports that were found. What was not asked for is for the settings, which may change. */
  get places(): RelayPlaces {
    const { host, port, windowPort = this.#foundPorts.windowPort } = this.#deps.places;
    return {
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port: port === 0 ? (this.#foundPorts.port ?? 0) : port }),
      ...(windowPort === undefined ? {} : { windowPort: this.#foundPorts.windowPort ?? windowPort }),
    };
  }

  /** Answers from now on, once it is known who serves. */
  open(): void {
    if (this.#turn || this.#isLeaving) return;
    this.#turn = Symbol('looks');
    this.#told = undefined;
    void this.#look(this.#turn);
  }

  /** Leaves its ports to who serves in this process now. Callers who wait are kept. */
  stopListening(): void {
    this.#turn = undefined;
    this.#cancelLook();
    this.#closeServers();
    this.#inlet = undefined;
    this.#brought.cutAll();
  }

  /** Takes no more from now on, for good; who is there already can be answered. */
  leave(): void {
    this.#isLeaving = true;
    this.#closeServers();
  }

  /** Lets those whom it brought be answered for so long at the most, and ends. */
  async end(graceMs: number): Promise<void> {
    this.leave();
    await this.#brought.ended(graceMs);
    this.close();
  }

  #closeServers(): void {
    for (const server of Object.values(this.#servers ?? {})) server.close();
    this.#servers = undefined;
  }

  /** Gives those who wait to who serves in this process now. */
  handTo(serving: Pick<Serving, 'take'>): void {
    for (const socket of this.#held.all()) {
      const to = this.#held.release(socket);
      if (to) serving.take(to, socket);
    }
  }

  close(): void {
    this.stopListening();
    for (const socket of this.#held.all()) socket.destroy();
  }

  async #look(turn: symbol): Promise<void> {
    // A database that is away says nothing of who serves.
    const found = await this.#deps.inlet().catch(() => this.#inlet);
    if (turn !== this.#turn) return;
    if (!samePlace(found, this.#inlet)) this.#brought.cutAll();
    this.#inlet = found;
    if (found && !this.#isLeaving) {
      this.#leaveWhereNotWanted(found);
      if (!this.#servers) await this.#listen(found, turn);
    }
    if (turn !== this.#turn) return;
    if (found && this.#servers) void this.#tell(found);
    this.#brought.cutStalled();
    for (const socket of this.#held.all()) void this.#bring(socket);
    this.#cancelLook = this.#deps.clock.after(LOOKED_EVERY_MS, () => void this.#look(turn));
  }

  /** The user may have closed the network since, or chosen another port. */
  #leaveWhereNotWanted(inlet: InletPlace): void {
    const wanted = this.#wanted(inlet);
    if (!this.#servers || (wanted.host === this.#at?.host && wanted.port === this.#at.port)) return;
    this.#closeServers();
    this.#brought.cutAll();
    this.#told = undefined;
  }

  #wanted({ federation }: InletPlace): Wanted {
    const { host = federation.host, port = federation.port } = this.#deps.places;
    return { host, port };
  }

  async #listen(inlet: InletPlace, turn: symbol): Promise<void> {
    const wanted = this.#wanted(inlet);
    const { host } = wanted;
    const port = wanted.port === 0 ? (this.#foundPorts.port ?? 0) : wanted.port;
    const windowPort = this.#foundPorts.windowPort ?? this.#deps.places.windowPort ?? inlet.window;
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
    if (turn !== this.#turn || this.#isLeaving) {
      for (const server of Object.values(servers)) server.close();
      return;
    }
    this.#servers = servers;
    this.#at = wanted;
    this.#foundPorts = { port: portOf(servers.federation), windowPort: portOf(servers.window) };
  }

  #server(to: Entry): Server {
    return createServer(
      { pauseOnConnect: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: ALIVE_MS },
      (socket) => this.#came(to, socket),
    );
  }

  /** Once of each process that serves; where it cannot be reached, that, and again once it can. */
  async #tell(inlet: InletPlace): Promise<void> {
    if (this.#told === inlet.process) return;
    const { port = 0, windowPort = 0 } = this.#foundPorts;
    const bare = `http://${LOOPBACK}:${windowPort}`;
    const host = this.#at?.host ?? LOOPBACK;
    const federation = `${inlet.isEncrypted ? 'https' : 'http'}://${hostInURL(host)}:${port}`;
    try {
      const window = await askForLink(inlet, this.#deps.key, bare);
      if (inlet !== this.#inlet || this.#told === inlet.process) return;
      this.#told = inlet.process;
      this.#deps.onAnswering({ federation, window });
    } catch (error) {
      const problem = `The process that serves cannot be reached at ${hostInURL(inlet.host)}:${inlet.port} (${error instanceof Error ? error.message : String(error)}).`;
      if (inlet !== this.#inlet || this.#told === problem) return;
      this.#told = problem;
      this.#deps.onAnswering({ federation, window: bare, problem });
    }
  }

  #came(to: Entry, socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    this.#held.hold(socket, to);
    void this.#bring(socket);
  }

  /** One that cannot be brought now stays held. */
  async #bring(socket: Socket): Promise<void> {
    const inlet = this.#inlet;
    if (!inlet || this.#beingBrought.has(socket)) return;
    this.#beingBrought.add(socket);
    try {
      const there = await reachInlet(inlet, this.#deps.key);
      if (inlet !== this.#inlet) {
        there.destroy();
        return;
      }
      this.#problem = undefined;
      const to = this.#held.release(socket);
      const hello = to && helloOf(to, socket);
      if (hello) {
        there.write(helloLine(hello));
        this.#brought.join(socket, there);
      } else there.destroy();
    } catch (error) {
      this.#warn(error);
    } finally {
      this.#beingBrought.delete(socket);
    }
  }

  /** Once, however many callers it stands in the way of. */
  #warn(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (problem !== this.#problem)
      this.#deps.log.warn({ err: error }, 'callers cannot be brought to the process that serves');
    this.#problem = problem;
  }
}

const hostInURL = (host: string): string => (host.includes(':') ? `[${host}]` : host);

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
