import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../base/clock.ts';
import { connectWebSocket, PATHS, type DialOptions } from './dial.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { RendezvousEndpoint } from './relay-address.ts';
import { CLOSE, PING_MS } from './rendezvous.ts';
import { RouteError, type RouteProblem } from './route-error.ts';
import { WebSocketStream } from './websocket-stream.ts';

export type RegistrationState =
  | { readonly kind: 'connecting' }
  /** `since` in milliseconds since the epoch. */
  | { readonly kind: 'registered'; readonly since: number }
  /** The host refuses this office; retried after minutes. */
  | { readonly kind: 'refused'; readonly problem: RouteProblem }
  | { readonly kind: 'unreachable'; readonly problem: RouteProblem };

export interface RegistrationOptions {
  readonly endpoint: RendezvousEndpoint;
  /** Returns the credentials: `authorization`, at a relay `footbridge-relay-key`. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Takes a stream, which isn't private, of an unknown caller. */
  readonly onStream: (stream: Duplex) => void;
  readonly onState: (state: RegistrationState) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly dial: Omit<DialOptions, 'signal'>;
  /** Streams open or being opened. */
  readonly maxStreams?: number;
  /** Returns 0 to 1, to spread retries. */
  readonly random?: () => number;
}

export interface RegistrationHandle {
  /** Tests or opens the connection at once, as after a change of network or sleep. */
  networkChanged(): void;
}

/** For the host's answer to a ping, also after a change of network. */
const MAX_PONG_MS = 8_000;
const QUICK_PONG_MS = 3_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const REFUSED_RETRY_MS = 300_000;
const INTERCEPTED_RETRY_MS = 60_000;
/** After so long a registration, the next retry is quick. */
const STABLE_MS = 60_000;
const MAX_STREAMS = 256;
const TICKET_RATE = { perSecond: 10, burst: 100 };
const MESSAGE_RATE = { perSecond: 20, burst: 200 };
const MAX_UNSENT_BYTES = 16 * 1024;

const OPEN = /^open ([\w-]{43})$/;
const REFUSALS: readonly RouteProblem[] = [
  'denied',
  // Proxies may lock an account after a few wrong passwords.
  'proxy-login',
  'absent',
  'replaced',
  'certificate',
  'address',
  'protocol',
];

/** Another program may have answered, such as a hotel's sign-in page. */
const INTERCEPTED: readonly RouteProblem[] = ['certificate', 'address', 'protocol'];

/**
 * Keeps this office registered at a rendezvous host until the signal aborts, and answers tickets with streams.
 * Reconnects after 1 to 30 s; after a refusal 5 minutes; if another program answered, 1 to 60 s. Detects a dead
 * connection within 50 s.
 */
export function maintainRegistration(options: RegistrationOptions): RegistrationHandle {
  const registration = new Registration(options);
  registration.start();
  return { networkChanged: () => registration.networkChanged() };
}

class Registration {
  private readonly options: RegistrationOptions;
  private readonly tickets: RateLimiter;
  private readonly messages: RateLimiter;
  private readonly streams = new Set<WebSocketStream>();
  private opening = 0;
  private control: WebSocket | undefined;
  private attempt: AbortController | undefined;
  private failures = 0;
  private cancelRetry: () => void = () => undefined;
  private cancelPing: () => void = () => undefined;
  private cancelPong: () => void = () => undefined;

  constructor(options: RegistrationOptions) {
    this.options = options;
    this.tickets = new RateLimiter(options.clock, TICKET_RATE);
    this.messages = new RateLimiter(options.clock, MESSAGE_RATE);
  }

  /** Connects, unless the signal has aborted, and stops once it does. */
  start(): void {
    const { signal } = this.options;
    if (signal.aborted) return;
    signal.addEventListener('abort', () => this.stop(), { once: true });
    this.connect();
  }

  /** Tests the control connection quickly, or connects at once without back-off; a no-op once stopped. */
  networkChanged(): void {
    if (this.options.signal.aborted) return;
    if (this.control) {
      this.ping(QUICK_PONG_MS);
    } else {
      // A running attempt uses the old network.
      this.attempt?.abort();
      this.failures = 0;
      this.connect();
    }
  }

  /** Closes the control connection and all streams, and retries no longer. */
  private stop(): void {
    this.cancelRetry();
    this.attempt?.abort();
    this.control?.close(1000);
    this.forgetControl();
    for (const stream of this.streams) stream.destroy();
  }

  /** Opens the control connection; reports `connecting`; after a failure schedules a retry. */
  private connect(): void {
    this.cancelRetry();
    const { endpoint, headers, dial, onState } = this.options;
    const attempt = new AbortController();
    this.attempt = attempt;
    onState({ kind: 'connecting' });
    connectWebSocket(endpoint, PATHS.register, headers(), { ...dial, signal: attempt.signal }).then(
      (socket) => {
        if (this.attempt === attempt && !attempt.signal.aborted) this.adopt(socket);
        else socket.terminate();
      },
      (error: unknown) => {
        if (this.attempt !== attempt || attempt.signal.aborted) return;
        const problem = problemOf(error);
        this.scheduleRetry(problem, INTERCEPTED.includes(problem));
      },
    );
  }

  /**
   * Reports `registered`, listens to the host, and schedules a retry when the connection closes. Ends it if the host
   * floods it.
   */
  private adopt(socket: WebSocket): void {
    const { clock, onState } = this.options;
    const since = clock.monotonic();
    this.attempt = undefined;
    this.control = socket;
    let problem: RouteProblem = 'network';
    socket.on('pong', () => {
      if (this.mayRead(socket)) this.cancelPong();
      else problem = 'protocol';
    });
    socket.on('ping', () => {
      if (this.mayRead(socket)) socket.pong();
      else problem = 'protocol';
    });
    socket.on('message', (data, isBinary) => {
      if (!this.mayRead(socket)) problem = 'protocol';
      else if (!isBinary && Buffer.isBuffer(data)) this.openDataConnection(socket, data.toString());
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', (code) => {
      if (this.control !== socket) return;
      this.forgetControl();
      if (clock.monotonic() - since >= STABLE_MS) this.failures = 0;
      this.scheduleRetry(PROBLEM_BY_CODE.get(code) ?? problem);
    });
    socket.resume();
    this.schedulePing();
    onState({ kind: 'registered', since: clock.now() });
  }

  /** Forgets the control connection and its pings, without closing it. */
  private forgetControl(): void {
    this.control = undefined;
    this.cancelPing();
    this.cancelPong();
  }

  /**
   * Reports the problem and schedules a retry, later after each failure. `isIntercepted`: a network's login or filter
   * answered in place of the host; it may end soon, so this waits less than after a refusal.
   */
  private scheduleRetry(problem: RouteProblem, isIntercepted = false): void {
    const { clock, onState, random = Math.random } = this.options;
    const isRefusal = REFUSALS.includes(problem);
    const backOff = FIRST_RETRY_MS * 2 ** this.failures;
    // An interception ends without a change of network.
    const patience = isIntercepted ? Math.min(INTERCEPTED_RETRY_MS, backOff) : REFUSED_RETRY_MS;
    const ms = isRefusal ? patience : Math.min(MAX_RETRY_MS, backOff);
    this.failures += 1;
    onState({ kind: isRefusal ? 'refused' : 'unreachable', problem });
    this.cancelRetry = clock.after(ms * (0.5 + random() / 2), () => this.connect());
  }

  /** Schedules the next ping. */
  private schedulePing(): void {
    this.cancelPing = this.options.clock.after(PING_MS, () => this.ping(MAX_PONG_MS));
  }

  /**
   * Pings the host. Without an answer within `patienceMs`, ends the control connection and all silent streams.
   * Schedules the next.
   */
  private ping(patienceMs: number): void {
    const { control } = this;
    if (!control) return;
    this.cancelPing();
    this.cancelPong();
    if (control.readyState === control.OPEN) control.ping();
    this.cancelPong = this.options.clock.after(patienceMs, () => {
      control.terminate();
      for (const stream of this.streams) stream.destroyIfSilent();
    });
    this.schedulePing();
  }

  /** Returns false, ending the connection, if the host floods it or doesn't read. */
  private mayRead(socket: WebSocket): boolean {
    const isFine = this.messages.takeUnit('') && socket.bufferedAmount <= MAX_UNSENT_BYTES;
    if (!isFine) socket.terminate();
    return isFine;
  }

  /**
   * Opens the stream that the host's message asks for; answers `busy` if too many are open or asked for. Ignores other
   * messages, and failures.
   */
  private openDataConnection(control: WebSocket, message: string): void {
    const ticket = OPEN.exec(message)?.[1];
    if (ticket === undefined) return;
    const { endpoint, dial, signal, onStream, clock, maxStreams = MAX_STREAMS } = this.options;
    if (this.streams.size + this.opening >= maxStreams || !this.tickets.takeUnit('')) {
      control.send(`busy ${ticket}`);
      return;
    }
    this.opening += 1;
    connectWebSocket(endpoint, PATHS.answer, { authorization: `Bearer ${ticket}` }, { ...dial, signal })
      .then((socket) => {
        const stream = new WebSocketStream(socket, { stopwatch: () => clock.monotonic() });
        this.streams.add(stream);
        stream.once('close', () => this.streams.delete(stream));
        if (signal.aborted) stream.destroy();
        else onStream(stream);
      })
      .catch(() => undefined)
      .finally(() => (this.opening -= 1));
  }
}

const PROBLEM_BY_CODE = new Map<number, RouteProblem>([
  [CLOSE.replaced, 'replaced'],
  [CLOSE.removed, 'denied'],
  [CLOSE.full, 'busy'],
]);

const problemOf = (error: unknown): RouteProblem => (error instanceof RouteError ? error.problem : 'network');
