import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Clock } from '../base/clock.ts';
import { RateLimiter } from './rate-limiter.ts';
import { RouteError } from './route-error.ts';
import { CARRIED_UNSENT_BYTES, WebSocketStream } from './websocket-stream.ts';

export const CLOSE = { replaced: 4001, removed: 4003, tooMany: 4008, restart: 1012, full: 1013 } as const;

/** Between an idle office's pings; a host closes the connection after `SILENCE_MS` without any. */
export const PING_MS = 40_000;
const SILENCE_MS = 100_000;
const SWEEP_MS = 15_000;
/** For the ping to an office that left a ticket unanswered. */
const PONG_MS = 5_000;
/** An office needs two a minute, and one for each refused ticket. */
const CONTROL_RATE = { perSecond: 2, burst: 60 };
/** An office with more unsent control bytes doesn't read. */
const MAX_UNSENT_BYTES = 16 * 1024;

const BUSY = /^busy ([\w-]{43})$/;

export interface RendezvousLimits {
  readonly maxOffices: number;
  /** One office's, with callers waiting for its answer. */
  readonly maxStreamsPerOffice: number;
  /** One office's, for third parties. */
  readonly maxCarriedPerOffice: number;
  readonly maxStreams: number;
  readonly answerMs: number;
}

const LIMITS: RendezvousLimits = {
  maxOffices: 1_000,
  // A partner needs one, or two during a pull.
  maxStreamsPerOffice: 256,
  maxCarriedPerOffice: Infinity,
  maxStreams: 1_000,
  answerMs: 10_000,
};

export interface RendezvousOptions {
  readonly clock: Clock;
  readonly limits?: Partial<RendezvousLimits>;
  /** An office registered (true), maybe again, or its registration ended. */
  readonly onRegistration?: (officeID: string, isRegistered: boolean) => void;
}

interface Registration {
  readonly socket: WebSocket;
  heardAt: number;
}

export interface OpenOptions {
  readonly signal?: AbortSignal;
  /** For a third party, not this host. */
  readonly isCarried?: boolean;
}

interface PendingStream {
  readonly officeID: string;
  readonly isCarried: boolean;
  readonly resolve: (stream: WebSocketStream) => void;
  readonly reject: (error: RouteError) => void;
}

/**
 * Opens streams to offices that can't be called: the host sends a one-time ticket over the control
 * connection, with which the office opens another. An authenticated ID's newest registration wins, as older
 * ones mostly broke unnoticed.
 */
export class Rendezvous {
  private readonly clock: Clock;
  private readonly limits: RendezvousLimits;
  private readonly onRegistration: (officeID: string, isRegistered: boolean) => void;
  private readonly offices = new Map<string, Registration>();
  private readonly pending = new Map<string, PendingStream>();
  private readonly streams = new Map<string, Set<WebSocketStream>>();
  private readonly carried = new Set<WebSocketStream>();
  private streamCount = 0;
  private readonly controlRate: RateLimiter;
  private cancelSweep: (() => void) | undefined;

  constructor(options: RendezvousOptions) {
    this.clock = options.clock;
    this.limits = { ...LIMITS, ...options.limits };
    this.onRegistration = options.onRegistration ?? (() => undefined);
    this.controlRate = new RateLimiter(options.clock, CONTROL_RATE);
  }

  isRegistered(officeID: string): boolean {
    return this.offices.has(officeID);
  }

  /** Returns whether a registration would be accepted: the office is registered, or there is room. */
  hasRoomFor(officeID: string): boolean {
    return this.offices.has(officeID) || this.offices.size < this.limits.maxOffices;
  }

  /** Returns the office that a ticket was sent to; undefined for an unknown, used or expired one. */
  officeOfTicket(ticket: string): string | undefined {
    return this.pending.get(ticket)?.officeID;
  }

  get freeOffices(): number {
    return Math.max(0, this.limits.maxOffices - this.offices.size);
  }

  get freeStreams(): number {
    return Math.max(0, this.limits.maxStreams - this.used());
  }

  /** Returns the numbers of registered offices, open streams and waiting ones. */
  counts(): { offices: number; streams: number; waiting: number } {
    return { offices: this.offices.size, streams: this.streamCount, waiting: this.pending.size };
  }

  /**
   * Registers an authenticated office, sends it the open tickets and calls `onRegistration`. Replaces its previous
   * registration, whose silent streams end. Closes the connection if there are too many.
   */
  acceptRegistration(officeID: string, socket: WebSocket): void {
    if (!this.hasRoomFor(officeID)) {
      socket.close(CLOSE.full);
      return;
    }
    const registration: Registration = { socket, heardAt: this.clock.monotonic() };
    const previous = this.offices.get(officeID);
    this.offices.set(officeID, registration);
    this.listenTo(officeID, registration);
    // Its connection may be dead, and its streams and tickets with it.
    if (previous) {
      previous.socket.close(CLOSE.replaced);
      this.endSilentStreams(officeID);
    }
    for (const [ticket, pending] of this.pending) {
      if (pending.officeID === officeID) socket.send(openMessage(ticket));
    }
    this.onRegistration(officeID, true);
    this.cancelSweep ??= this.clock.after(SWEEP_MS, () => this.closeSilent());
  }

  /**
   * Completes the waiting stream with its ticket's data connection, which counts as the office's; closes a connection
   * with any other ticket.
   */
  acceptTicket(ticket: string, socket: WebSocket): void {
    const pending = this.pending.get(ticket);
    if (!pending) {
      socket.terminate();
      return;
    }
    this.pending.delete(ticket);
    const stream = new WebSocketStream(socket, {
      stopwatch: () => this.clock.monotonic(),
      ...(pending.isCarried ? { maxUnsentBytes: CARRIED_UNSENT_BYTES } : {}),
    });
    this.trackStream(pending.officeID, stream);
    if (pending.isCarried) {
      this.carried.add(stream);
      stream.once('close', () => this.carried.delete(stream));
    }
    pending.resolve(stream);
  }

  /**
   * Opens a stream to a registered office: sends it a ticket, and waits for its data connection. Rejects with
   * RouteError `absent`, `busy`, `aborted`, or `no-answer`, after which it tests the office's registration.
   */
  open(officeID: string, { signal, isCarried = false }: OpenOptions = {}): Promise<WebSocketStream> {
    const office = this.offices.get(officeID);
    if (!office) return Promise.reject(new RouteError('absent', 'the office is not registered'));
    const { maxStreams, maxStreamsPerOffice, maxCarriedPerOffice } = this.limits;
    const isFull = this.used() >= maxStreams || this.countStreamsOf(officeID) >= maxStreamsPerOffice;
    if (isFull || (isCarried && this.countStreamsOf(officeID, true) >= maxCarriedPerOffice))
      return Promise.reject(new RouteError('busy', 'too many streams'));
    if (signal?.aborted) return Promise.reject(new RouteError('aborted', 'aborted'));
    const ticket = randomBytes(32).toString('base64url');
    return new Promise<WebSocketStream>((resolve, reject) => {
      /** Ends the waiting for a ticket's data connection. */
      const forgetTicket = (): void => {
        cancel();
        signal?.removeEventListener('abort', abort);
        this.pending.delete(ticket);
      };
      /** Ends the waiting, and rejects with the error. */
      const rejectStream = (error: RouteError): void => {
        forgetTicket();
        reject(error);
      };
      const abort = (): void => rejectStream(new RouteError('aborted', 'aborted'));
      const cancel = this.clock.after(this.limits.answerMs, () => {
        rejectStream(new RouteError('no-answer', 'the office did not answer'));
        this.checkAlive(officeID);
      });
      signal?.addEventListener('abort', abort);
      this.pending.set(ticket, {
        officeID,
        isCarried,
        resolve: (stream) => {
          forgetTicket();
          resolve(stream);
        },
        reject: rejectStream,
      });
      office.socket.send(openMessage(ticket));
    });
  }

  /** Ends an office's registration and streams, even waiting ones (`absent`). */
  remove(officeID: string): void {
    this.offices.get(officeID)?.socket.close(CLOSE.removed);
    this.forget(officeID);
    for (const { officeID: other, reject } of [...this.pending.values()])
      if (other === officeID) reject(new RouteError('absent', 'the office was removed'));
    this.streams.get(officeID)?.forEach((stream) => stream.destroy());
  }

  /** Ends all other offices' registrations and streams. */
  keepOnly(officeIDs: ReadonlySet<string>): void {
    for (const officeID of [...this.offices.keys(), ...this.streams.keys()])
      if (!officeIDs.has(officeID)) this.remove(officeID);
  }

  /** Closes all control connections, so that the offices register again; streams stay open. */
  restart(): void {
    for (const { socket } of this.offices.values()) socket.close(CLOSE.restart);
  }

  /** Ends third parties' streams, even waiting ones (`absent`). */
  endCarried(): void {
    for (const { isCarried, reject } of [...this.pending.values()])
      if (isCarried) reject(new RouteError('absent', 'nobody is carried any more'));
    for (const stream of this.carried) stream.destroy();
  }

  /** Ends all registrations and streams, even waiting ones (`aborted`). */
  close(): void {
    this.cancelSweep?.();
    for (const { socket } of this.offices.values()) socket.terminate();
    for (const { reject } of [...this.pending.values()]) reject(new RouteError('aborted', 'closed'));
    for (const streams of this.streams.values()) streams.forEach((stream) => stream.destroy());
  }

  /**
   * Answers an office's pings, passes on its refusals, and forgets it when its connection closes; closes that if it
   * floods or doesn't read.
   */
  private listenTo(officeID: string, registration: Registration): void {
    const { socket } = registration;
    /** Records a sign of life. Returns false, closing the connection, beyond the rate or if answers pile up unsent. */
    const isWithinRate = (): boolean => {
      registration.heardAt = this.clock.monotonic();
      const isWithin = this.controlRate.takeUnit(officeID) && socket.bufferedAmount <= MAX_UNSENT_BYTES;
      if (!isWithin) socket.terminate();
      return isWithin;
    };
    socket.on('ping', () => {
      if (isWithinRate()) socket.pong();
    });
    socket.on('pong', isWithinRate);
    socket.on('message', (data, isBinary) => {
      if (!isWithinRate()) return;
      const ticket = isBinary || !Buffer.isBuffer(data) ? undefined : BUSY.exec(data.toString())?.[1];
      const pending = ticket === undefined ? undefined : this.pending.get(ticket);
      if (pending?.officeID === officeID) pending.reject(new RouteError('busy', 'the office is busy'));
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      if (this.offices.get(officeID) === registration) this.forget(officeID);
    });
    socket.resume();
  }

  /** Forgets an office's registration, and reports that; a no-op if it isn't registered. */
  private forget(officeID: string): void {
    if (this.offices.delete(officeID)) this.onRegistration(officeID, false);
  }

  /** Destroys the office's streams over which nothing came for 3 seconds. */
  private endSilentStreams(officeID: string): void {
    this.streams.get(officeID)?.forEach((stream) => stream.destroyIfSilent());
  }

  /**
   * Closes a registration that was silent since `since` (monotonic milliseconds), and its silent streams. First reads
   * what has arrived, as this process may have stood still.
   */
  private endIfSilent(officeID: string, registration: Registration, since: number): void {
    setImmediate(() => {
      if (registration.heardAt >= since) return;
      registration.socket.terminate();
      if (this.offices.get(officeID) === registration) this.endSilentStreams(officeID);
    });
  }

  /** Pings an office, and closes its connection and silent streams without an answer in time. */
  private checkAlive(officeID: string): void {
    const office = this.offices.get(officeID);
    if (!office) return;
    const askedAt = this.clock.monotonic();
    if (office.socket.readyState === office.socket.OPEN) office.socket.ping();
    this.clock.after(PONG_MS, () => this.endIfSilent(officeID, office, askedAt));
  }

  /** Closes registrations after 100 seconds of silence, and looks again while offices are registered. */
  private closeSilent(): void {
    const latest = this.clock.monotonic() - SILENCE_MS;
    for (const [officeID, office] of this.offices)
      if (office.heardAt < latest) this.endIfSilent(officeID, office, latest);
    this.cancelSweep =
      this.offices.size > 0 ? this.clock.after(SWEEP_MS, () => this.closeSilent()) : undefined;
  }

  /** Counts a stream as the office's until it closes. */
  private trackStream(officeID: string, stream: WebSocketStream): void {
    const streams = this.streams.get(officeID) ?? new Set<WebSocketStream>();
    this.streams.set(officeID, streams.add(stream));
    this.streamCount += 1;
    stream.once('close', () => {
      this.streamCount -= 1;
      streams.delete(stream);
      if (streams.size === 0 && this.streams.get(officeID) === streams) this.streams.delete(officeID);
    });
  }

  /** Returns how many streams are open or waiting. */
  private used(): number {
    return this.streamCount + this.pending.size;
  }

  /** Returns how many of an office's streams are open or waiting; `onlyCarried`: only those for third parties. */
  private countStreamsOf(officeID: string, onlyCarried = false): number {
    const streams = [...(this.streams.get(officeID) ?? [])];
    const pending = [...this.pending.values()].filter((each) => each.officeID === officeID);
    if (!onlyCarried) return streams.length + pending.length;
    return (
      streams.filter((stream) => this.carried.has(stream)).length +
      pending.filter(({ isCarried }) => isCarried).length
    );
  }
}

const openMessage = (ticket: string): string => `open ${ticket}`;
