import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock } from '../base/clock.ts';
import { isLoopback } from '../base/loopback.ts';
import { networkOf, ownerNetworkOf } from '../base/network-of.ts';
import { SUBPROTOCOL } from './dial.ts';
import { BufferBudget, joinStreams } from './join-streams.ts';
import { RateLimiter, type Rate } from './rate-limiter.ts';
import type { Rendezvous } from './rendezvous.ts';
import { RouteError, statusOfProblem } from './route-error.ts';
import { CARRIED_UNSENT_BYTES, MAX_MESSAGE_BYTES, MAX_PIECES, WebSocketStream } from './websocket-stream.ts';

export interface RelayLimits {
  /** From one network, to any office. */
  readonly callsPerNetwork: Rate;
  /** From one owner's network to one office: nobody with its ID takes it from its partners. */
  readonly callsPerCaller: Rate;
  /** To one office, from anybody. */
  readonly callsPerOffice: Rate;
  readonly failuresPerNetwork: Rate;
  readonly registrationsPerOffice: Rate;
  readonly bytesPerOffice: Rate;
  readonly bytesTotal: Rate;
  /** Registered from one network, except the relay's computer. */
  readonly maxOfficesPerNetwork: number;
  /** Streams from one owner's network; never over half of the free ones. */
  readonly maxJoinedPerNetwork: number;
  /** Streams from one owner's network to one office. */
  readonly maxJoinedPerCaller: number;
  /** All joined streams' bytes in memory for slow ends. */
  readonly maxHeldBytes: number;
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

const MIB = 1024 * 1024;
const LIMITS: RelayLimits = {
  callsPerNetwork: { perSecond: 10, burst: 200 },
  callsPerCaller: { perSecond: 1, burst: 40 },
  callsPerOffice: { perSecond: 5, burst: 100 },
  failuresPerNetwork: { perSecond: 0.5, burst: 20 },
  registrationsPerOffice: { perSecond: 0.2, burst: 10 },
  bytesPerOffice: { perSecond: 16 * MIB, burst: 64 * MIB },
  bytesTotal: { perSecond: 100 * MIB, burst: 200 * MIB },
  maxOfficesPerNetwork: 100,
  maxJoinedPerNetwork: 200,
  maxJoinedPerCaller: 20,
  maxHeldBytes: 96 * MIB,
  idleMs: 300_000,
  lifetimeMs: 12 * 3_600_000,
};

export interface RelayOptions {
  readonly rendezvous: Rendezvous;
  readonly clock: Clock;
  /** Returns the office to register; undefined for a wrong credential. */
  readonly authorizeRegistration: (request: IncomingMessage) => string | undefined;
  readonly authorizeCall: (request: IncomingMessage) => string | undefined;
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** Counts a wrong credential; returns whether there are too many. Default: {@link RelayLimits}. */
  readonly isFailureTooMany?: (request: IncomingMessage) => boolean;
  /** The connection is now this office's, no stranger's. */
  readonly onAuthenticated?: (request: IncomingMessage, officeID: string) => void;
  readonly limits?: Partial<RelayLimits>;
}

/** Never say who talks to whom. */
export interface RelayCounts {
  readonly offices: number;
  readonly joined: number;
  readonly waiting: number;
  readonly bytes: number;
  readonly refused: number;
}

const PATH = /^(?:\/[^?]*)?\/footbridge\/(register|answer|call)$/;
const MAX_CONTROL_BYTES = 1_024;

/** The HTTP side of a rendezvous host: registrations, tickets, and third parties' calls. */
export class Relay {
  private readonly options: RelayOptions;
  private readonly limits: RelayLimits;
  private readonly rates: Record<
    | 'callsPerNetwork'
    | 'callsPerCaller'
    | 'callsPerOffice'
    | 'failures'
    | 'registrations'
    | 'officeBytes'
    | 'allBytes',
    RateLimiter
  >;
  private readonly controlServer = createWebSocketServer(MAX_CONTROL_BYTES);
  private readonly dataServer = createWebSocketServer(MAX_MESSAGE_BYTES);
  private readonly officesBy = new Map<string, number>();
  private readonly joinedBy = new Map<string, number>();
  private readonly budget: BufferBudget;
  private joined = 0;
  private bytes = 0;
  private refused = 0;

  constructor(options: RelayOptions) {
    const { clock } = options;
    this.options = options;
    this.limits = { ...LIMITS, ...options.limits };
    this.budget = new BufferBudget(this.limits.maxHeldBytes);
    this.rates = {
      callsPerNetwork: new RateLimiter(clock, this.limits.callsPerNetwork),
      callsPerCaller: new RateLimiter(clock, this.limits.callsPerCaller),
      callsPerOffice: new RateLimiter(clock, this.limits.callsPerOffice),
      failures: new RateLimiter(clock, this.limits.failuresPerNetwork),
      registrations: new RateLimiter(clock, this.limits.registrationsPerOffice),
      officeBytes: new RateLimiter(clock, this.limits.bytesPerOffice),
      allBytes: new RateLimiter(clock, this.limits.bytesTotal),
    };
  }

  /** Returns what the relay does now and did since its start. */
  counts(): RelayCounts {
    const { offices, waiting } = this.options.rendezvous.counts();
    return { offices, waiting, joined: this.joined, bytes: this.bytes, refused: this.refused };
  }

  /**
   * Serves an HTTP upgrade for a registration, an office's data connection or a call; refuses another subprotocol with
   * 426. Returns false, leaving the socket alone, for other paths.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const [, action] = PATH.exec(request.url ?? '') ?? [];
    if (action === undefined) return false;
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    const isOurs = (request.headers['sec-websocket-protocol'] ?? '').split(/, */).includes(SUBPROTOCOL);
    if (!isOurs) this.refuse(socket, 426);
    else if (action === 'register') this.register(request, socket, head);
    else if (action === 'answer') this.acceptDataConnection(request, socket, head);
    else void this.serveCaller(request, socket, head);
    return true;
  }

  /**
   * Registers an office by its credential. Refuses with 401 for the credential, 429 for the rate, 503 if all or its
   * network's registrations are taken.
   */
  private register(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { rendezvous, authorizeRegistration, onAuthenticated } = this.options;
    const network = this.networkOf(request);
    const owner = `owner ${ownerNetworkOf(this.options.addressOf(request))}`;
    const isFull =
      !isLoopback(network) &&
      ((this.officesBy.get(network) ?? 0) >= this.limits.maxOfficesPerNetwork ||
        // An IPv6 range's owner has thousands of networks.
        (this.officesBy.get(owner) ?? 0) >= rendezvous.freeOffices / 2);
    const officeID = authorizeRegistration(request);
    if (officeID === undefined) this.refuseCredential(request, socket, 401);
    else if (!this.rates.registrations.takeUnit(officeID)) this.refuse(socket, 429);
    else if (!rendezvous.hasRoomFor(officeID) || (isFull && !rendezvous.isRegistered(officeID)))
      this.refuse(socket, 503);
    else {
      onAuthenticated?.(request, officeID);
      this.controlServer.handleUpgrade(request, socket, head, (webSocket) => {
        for (const key of [network, owner]) webSocket.once('close', incrementCount(this.officesBy, key));
        rendezvous.acceptRegistration(officeID, webSocket);
      });
    }
  }

  /** Accepts an office's stream for a ticket. Refuses with 404 if the ticket wasn't sent to an office. */
  private acceptDataConnection(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { rendezvous, onAuthenticated } = this.options;
    const ticket = bearerOf(request) ?? '';
    const officeID = rendezvous.officeOfTicket(ticket);
    if (officeID === undefined) {
      this.refuseCredential(request, socket, 404);
      return;
    }
    onAuthenticated?.(request, officeID);
    this.dataServer.handleUpgrade(request, socket, head, (webSocket) =>
      rendezvous.acceptTicket(ticket, webSocket),
    );
  }

  /**
   * Opens a stream to the office, and forwards bytes until both streams are closed. Refuses with 429 for a limit, 404
   * for an unregistered office, else with the problem's status.
   */
  private async serveCaller(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { rendezvous, authorizeCall, onAuthenticated, addressOf } = this.options;
    const network = this.networkOf(request);
    const owner = ownerNetworkOf(addressOf(request));
    const { maxJoinedPerNetwork, maxJoinedPerCaller } = this.limits;
    // If few are free one owner gets fewer, so no handful takes all.
    const maxJoined = Math.min(maxJoinedPerNetwork, rendezvous.freeStreams / 2);
    if (!this.rates.callsPerNetwork.takeUnit(network) || (this.joinedBy.get(owner) ?? 0) >= maxJoined) {
      this.refuse(socket, 429);
      return;
    }
    const officeID = authorizeCall(request);
    // Not a wrong credential: an absent office's partners keep asking, and IDs have 256 bits.
    if (officeID === undefined || !rendezvous.isRegistered(officeID)) {
      this.refuse(socket, 404);
      return;
    }
    // A range's owner has hundreds of networks: two could take all the office's streams.
    const caller = `${owner} ${officeID}`;
    if (
      (this.joinedBy.get(caller) ?? 0) >= maxJoinedPerCaller ||
      !this.rates.callsPerCaller.takeUnit(caller) ||
      !this.rates.callsPerOffice.takeUnit(officeID)
    ) {
      this.refuse(socket, 429);
      return;
    }
    const releases = [incrementCount(this.joinedBy, owner), incrementCount(this.joinedBy, caller)];
    this.joined += 1;
    try {
      const gone = new AbortController();
      socket.once('close', () => gone.abort());
      const stream = await rendezvous.open(officeID, { signal: gone.signal, isCarried: true });
      onAuthenticated?.(request, officeID);
      const webSocket = await completeUpgrade(this.dataServer, request, socket, head);
      const options = { maxUnsentBytes: CARRIED_UNSENT_BYTES };
      if (webSocket) await this.forwardBytes(officeID, new WebSocketStream(webSocket, options), stream);
      else stream.destroy();
    } catch (error) {
      this.refuse(socket, error instanceof RouteError ? statusOfProblem(error.problem) : 502);
    } finally {
      this.joined -= 1;
      releases.forEach((release) => release());
    }
  }

  /** Joins both streams within the limits, and counts the bytes; resolves when both are closed. */
  private forwardBytes(officeID: string, caller: WebSocketStream, office: WebSocketStream): Promise<void> {
    const { clock } = this.options;
    const { idleMs, lifetimeMs } = this.limits;
    return joinStreams(caller, office, {
      clock,
      idleMs,
      lifetimeMs,
      budget: this.budget,
      chargeBytes: (bytes) => {
        this.bytes += bytes;
        return Math.max(
          this.rates.officeBytes.charge(officeID, bytes),
          this.rates.allBytes.charge('', bytes),
        );
      },
    });
  }

  /** Refuses with `status`, or with 429 after too many from one network. */
  private refuseCredential(request: IncomingMessage, socket: Duplex, status: number): void {
    const { isFailureTooMany = () => !this.rates.failures.takeUnit(this.networkOf(request)) } = this.options;
    this.refuse(socket, isFailureTooMany(request) ? 429 : status);
  }

  /** Returns the network that a request counts for. */
  private networkOf(request: IncomingMessage): string {
    return networkOf(this.options.addressOf(request));
  }

  /** Answers with this status, counts the refusal, and closes the socket within two seconds. */
  private refuse(socket: Duplex, status: number): void {
    this.refused += 1;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const reason = STATUS_CODES[status] ?? 'Error';
    socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    this.options.clock.after(REFUSED_MS, () => socket.destroy());
  }
}

const REFUSED_MS = 2_000;

/** Adds 1 to a count; returns a function that subtracts it again, to be called once. */
function incrementCount(counts: Map<string, number>, key: string): () => void {
  /** Adds `change` to the count, and removes a count of 0. */
  const changeCount = (change: number): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  changeCount(1);
  return () => changeCount(-1);
}

/** Returns a request's bearer token; undefined without a well-formed one. */
export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,4096})$/.exec(request.headers.authorization ?? '')?.[1];
}

/** Creates a server that only upgrades, without compression and automatic pongs; closing it closes no connection. */
function createWebSocketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // The rendezvous answers within bounds, data connections never.
    autoPong: false,
    maxPayload,
    ...MAX_PIECES,
  });
}

/** Returns the WebSocket paused; undefined if the caller closed or it was refused. */
function completeUpgrade(
  server: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const gone = (): void => resolve(undefined);
    socket.once('close', gone);
    server.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('close', gone);
      webSocket.pause();
      resolve(webSocket);
    });
  });
}
