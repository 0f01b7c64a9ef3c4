import type { Dispatcher } from 'undici';
import { readPayload, refusePage } from './answer.ts';
import { ProtocolViolationError } from '../guard/errors.ts';
import { yieldToEventLoop } from '../../base/yield.ts';
import { locateRows, parseRows, type RowsLocation } from './json.ts';
import type { PeerLimits } from '../guard/limits.ts';
import type { IdleTracker } from './idle-tracker.ts';
import type { ReceiveBufferBudget } from '../guard/receive-buffer-budget.ts';
import { sendRequest, type ReceivedAnswer, type WireAnswer, type WireRequest } from '../dialects/wire.ts';

/** Sent in this order, without undefined ones. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface ExchangeOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** Instead of ours; `null`: none. */
  readonly token?: string | null;
  readonly deadline?: number;
  readonly bytes?: number;
  /** Large prefetches fail as NextPageTooLargeError. */
  readonly isAhead?: boolean | undefined;
  /** Long poll: up to `quiet` milliseconds of silence are normal. */
  readonly wait?: {
    readonly quiet: number;
    /** A space before the answer: the connection is open. */
    readonly onBeat: () => void;
  };
  readonly signal?: AbortSignal | undefined;
}

export interface Exchanged {
  readonly data: unknown;
  readonly wire: WireAnswer;
}

export interface ExchangedRows extends Exchanged {
  /** `set`, which is empty in `data`. */
  readonly rows: RawRows;
}

export interface RawRows {
  readonly count: number;
  readonly pieces: number;
  /** Yields all pieces each time. Throws ProtocolViolationError. */
  read(): Iterable<readonly unknown[]>;
  /** Frees their memory. */
  release(): void;
}

type ReadRows<T> = (answer: ExchangedRows) => T | Promise<T>;

export interface ExchangeDeps {
  readonly baseURL: string;
  readonly dispatcher: Dispatcher;
  readonly token: string | undefined;
  readonly limits: PeerLimits;
  readonly budget: ReceiveBufferBudget;
  readonly quiet: IdleTracker;
  /** Called with the partner's time, milliseconds since the epoch, for real answers. */
  readonly onTime?: ((theirs: number) => void) | undefined;
}

/** End of four-digit years: no clock is that wrong. */
const MAX_DATE_MS = Date.UTC(10_000, 0);

/** Calls one partner, below its federation base. All calls throw PartnerError. */
export class Exchange {
  readonly #deps: ExchangeDeps;
  readonly limits: PeerLimits;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.limits = deps.limits;
  }

  /** Sends a GET and returns the payload. Throws PartnerError. */
  get(path: string, options: ExchangeOptions = {}): Promise<Exchanged> {
    return this.#call('GET', path, options);
  }

  /** Returns what `read` makes of a page of rows, which `read` must release, unless it fails. */
  getRows<T>(path: string, options: ExchangeOptions, read: ReadRows<T>): Promise<T> {
    return this.#callForRows('GET', path, options, read);
  }

  /** Posts a JSON body and returns the payload. Throws PartnerError. */
  post(path: string, options: ExchangeOptions = {}): Promise<Exchanged> {
    return this.#call('POST', path, options);
  }

  /** Posts a JSON body; otherwise like {@link Exchange.getRows}. */
  postRows<T>(path: string, options: ExchangeOptions, read: ReadRows<T>): Promise<T> {
    return this.#callForRows('POST', path, options, read);
  }

  /** Returns calls to the same partner with another base, as of shape 2 and the Compose interface. */
  withBaseURL(baseURL: string): Exchange {
    return new Exchange({ ...this.#deps, baseURL });
  }

  /**
   * Sends a request and returns the unread answer, which must be released. `token: null` sends none. Counts it as
   * awaited, unless it is a long poll. Throws like {@link sendRequest}.
   */
  #send(method: 'GET' | 'POST', path: string, options: ExchangeOptions): Promise<ReceivedAnswer> {
    const token = options.token === undefined ? this.#deps.token : options.token;
    return sendRequest(this.#deps.dispatcher, {
      method,
      url: `${this.#deps.baseURL}/${path}${formatQuery(options.query)}`,
      ...(token == null ? {} : { token }),
      body: options.body,
      deadline: options.deadline ?? this.#deps.limits.requestTime,
      answerBytes: options.bytes ?? this.#deps.limits.messageBytes,
      budget: this.#deps.budget,
      ...(options.wait ? longPollLimits(options.wait) : this.#startAwaiting()),
      isAhead: options.isAhead === true,
      ...(options.signal ? { signal: options.signal } : {}),
    });
  }

  /** Returns the time limits of an ordinary request, and counts it as awaited. */
  #startAwaiting(): Pick<WireRequest, 'beginning' | 'gap' | 'leastFlow' | 'asked'> {
    const { beginningTime, gapTime, leastFlow } = this.#deps.limits;
    return { beginning: beginningTime, gap: gapTime, leastFlow, asked: this.#deps.quiet.ask() };
  }

  /** Returns the payload; reports the partner's time, if plausible, by `onTime`. Throws like {@link readPayload}. */
  #readPayload(wire: WireAnswer, body: Uint8Array): unknown {
    const data = readPayload({ ...wire, body }, this.#deps.limits);
    const { date } = wire;
    if (date !== undefined && date > 0 && date < MAX_DATE_MS) this.#deps.onTime?.(date);
    return data;
  }

  /**
   * Sends a request, reads its payload and releases the answer. Throws like {@link sendRequest} and {@link
   * readPayload}.
   */
  async #call(method: 'GET' | 'POST', path: string, options: ExchangeOptions): Promise<Exchanged> {
    const wire = await this.#send(method, path, options);
    try {
      return { data: this.#readPayload(wire, wire.body), wire };
    } finally {
      wire.release();
    }
  }

  /**
   * Sends a request for rows. `read` gets the payload, and the rows, parsed in pieces when read; it must release the
   * answer's memory, unless it fails. A refusal's payload throws.
   */
  async #callForRows<T>(
    method: 'GET' | 'POST',
    path: string,
    options: ExchangeOptions,
    read: ReadRows<T>,
  ): Promise<T> {
    const wire = await this.#send(method, path, { bytes: this.#deps.limits.answerBytes, ...options });
    try {
      refusePage(wire);
      await yieldToEventLoop();
      const isRefusal = wire.status < 200 || wire.status >= 300;
      const cut = isRefusal ? undefined : locateRows(wire.body, this.#deps.limits);
      const body = isRefusal
        ? wire.body.subarray(0, this.#deps.limits.messageBytes)
        : removeRows(wire.body, cut, this.#deps.limits);
      return await read({ data: this.#readPayload(wire, body), rows: createRawRows(wire, cut), wire });
    } catch (error) {
      wire.release();
      throw error;
    }
  }
}

/**
 * Returns the body with an empty array in place of the rows. Throws ProtocolViolationError if the rest is too large.
 */
function removeRows(body: Uint8Array, cut: RowsLocation | undefined, limits: PeerLimits): Uint8Array {
  const { from, to } = cut ?? { from: body.byteLength, to: body.byteLength };
  if (from + body.byteLength - to > limits.messageBytes)
    throw new ProtocolViolationError('there is too much in the answer beside its rows.');
  return cut ? Buffer.concat([body.subarray(0, from), Buffer.from('[]'), body.subarray(to)]) : body;
}

/** Returns the rows, parsed when read; `release` frees the whole answer's memory. */
function createRawRows(wire: ReceivedAnswer, cut: RowsLocation | undefined): RawRows {
  const pieces = cut?.pieces ?? [];
  return {
    count: cut?.rows ?? 0,
    pieces: pieces.length,
    /** Yields the rows piece by piece, parsed when asked for. */
    *read() {
      for (const piece of pieces) yield parseRows(wire.body, piece);
    },
    release: () => wire.release(),
  };
}

const SPACE = 0x20;

/**
 * Returns the time limits of a long poll: `quiet` milliseconds without headers or a part. Blank parts of the answer are
 * heartbeats, for `onBeat`.
 */
function longPollLimits({
  quiet,
  onBeat,
}: NonNullable<ExchangeOptions['wait']>): Pick<WireRequest, 'beginning' | 'gap' | 'onPart'> {
  return {
    beginning: quiet,
    gap: quiet,
    onPart: (part) => {
      if (part.every((byte) => byte === SPACE)) onBeat();
    },
  };
}

/** Returns the query with its question mark, without undefined members; '' if there are none. */
function formatQuery(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
