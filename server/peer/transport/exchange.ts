import type { Dispatcher } from 'undici';
import { payload, refusePage } from './answer.ts';
import { PartnerFaulty } from '../guard/errors.ts';
import { nextTurn } from '../../base/yield.ts';
import { locateRows, parseRows, type Cut } from './json.ts';
import type { PeerLimits } from '../guard/limits.ts';
import type { Quiet } from './quiet.ts';
import type { MemoryBudget } from '../guard/memory-budget.ts';
import { send, type ReceivedAnswer, type WireAnswer, type WireRequest } from '../dialects/wire.ts';

/** Values of a query in the order in which they are sent; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface ExchangeOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** Another token than the one we hold; `null` for none. */
  readonly token?: string | null;
  /** Milliseconds for this exchange, where it may take longer than usual. */
  readonly deadline?: number;
  /** Bytes of the answer, where it may be larger than a message. */
  readonly bytes?: number;
  /** Asked before it is its turn; what is large is not taken in then, and fails as TooLargeAhead. */
  readonly isAhead?: boolean | undefined;
  /** Nothing may have to be said for long: silence up to `quiet` milliseconds says nothing about the partner. */
  readonly wait?: {
    readonly quiet: number;
    /** Told of a space before the answer: the line is open. */
    readonly onBeat: () => void;
  };
  readonly signal?: AbortSignal | undefined;
}

/** A payload and what is worth knowing about how it came. */
export interface Exchanged {
  readonly data: unknown;
  readonly wire: WireAnswer;
}

/** An answer with rows, which are parsed a piece at a time. */
export interface ExchangedRows extends Exchanged {
  /** What `data` has under `set`, which is empty there. */
  readonly rows: RawRows;
}

/** Rows as they came, unchecked. */
export interface RawRows {
  readonly count: number;
  readonly pieces: number;
  /** One piece after the other, from the beginning every time. @throws PartnerFaulty */
  read(): Iterable<readonly unknown[]>;
  /** They are not needed any more: the memory that they take is free for other partners' answers. */
  release(): void;
}

type ReadRows<T> = (answer: ExchangedRows) => T | Promise<T>;

export interface ExchangeDeps {
  /** Without a slash at the end. */
  readonly baseURL: string;
  readonly dispatcher: Dispatcher;
  readonly token: string | undefined;
  readonly limits: PeerLimits;
  readonly budget: MemoryBudget;
  readonly quiet: Quiet;
  /** Told what time it was at the partner, in milliseconds since the epoch, with each answer that is one. */
  readonly onTime?: ((theirs: number) => void) | undefined;
}

/** The last year that is written with four digits has ended: no clock is so far off. */
const END_OF_TIME = Date.UTC(10_000, 0);

/** Calls to one partner, below its federation base. */
export class Exchange {
  readonly #deps: ExchangeDeps;
  readonly limits: PeerLimits;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.limits = deps.limits;
  }

  /** @throws PartnerError */
  get(path: string, options: ExchangeOptions = {}): Promise<Exchanged> {
    return this.#call('GET', path, options);
  }

  /**
   * A page of rows for `read`, which lets go of them when it has what it needs; when it fails that is done for it.
   * @throws PartnerError
   */
  getRows<T>(path: string, options: ExchangeOptions, read: ReadRows<T>): Promise<T> {
    return this.#callForRows('GET', path, options, read);
  }

  /** @throws PartnerError */
  post(path: string, options: ExchangeOptions = {}): Promise<Exchanged> {
    return this.#call('POST', path, options);
  }

  /** As {@link Exchange.getRows}. @throws PartnerError */
  postRows<T>(path: string, options: ExchangeOptions, read: ReadRows<T>): Promise<T> {
    return this.#callForRows('POST', path, options, read);
  }

  /** The same partner with another base; shape 2 and the Compose interface have paths beside the base. */
  at(baseURL: string): Exchange {
    return new Exchange({ ...this.#deps, baseURL });
  }

  #ask(method: 'GET' | 'POST', path: string, options: ExchangeOptions): Promise<ReceivedAnswer> {
    const token = options.token === undefined ? this.#deps.token : options.token;
    return send(this.#deps.dispatcher, {
      method,
      url: `${this.#deps.baseURL}/${path}${search(options.query)}`,
      ...(token == null ? {} : { token }),
      body: options.body,
      deadline: options.deadline ?? this.#deps.limits.requestTime,
      answerBytes: options.bytes ?? this.#deps.limits.messageBytes,
      budget: this.#deps.budget,
      ...(options.wait ? waiting(options.wait) : this.#flowing()),
      isAhead: options.isAhead === true,
      ...(options.signal ? { signal: options.signal } : {}),
    });
  }

  #flowing(): Pick<WireRequest, 'beginning' | 'gap' | 'leastFlow' | 'asked'> {
    const { beginningTime, gapTime, leastFlow } = this.#deps.limits;
    return { beginning: beginningTime, gap: gapTime, leastFlow, asked: this.#deps.quiet.ask() };
  }

  #understood(wire: WireAnswer, body: Uint8Array): unknown {
    const data = payload({ ...wire, body }, this.#deps.limits);
    const { date } = wire;
    if (date !== undefined && date > 0 && date < END_OF_TIME) this.#deps.onTime?.(date);
    return data;
  }

  async #call(method: 'GET' | 'POST', path: string, options: ExchangeOptions): Promise<Exchanged> {
    const wire = await this.#ask(method, path, options);
    try {
      return { data: this.#understood(wire, wire.body), wire };
    } finally {
      wire.release();
    }
  }

  async #callForRows<T>(
    method: 'GET' | 'POST',
    path: string,
    options: ExchangeOptions,
    read: ReadRows<T>,
  ): Promise<T> {
    const wire = await this.#ask(method, path, { bytes: this.#deps.limits.answerBytes, ...options });
    try {
      refusePage(wire);
      await nextTurn();
      // Of a refusal only the words count, and they stand at the beginning.
      const isRefusal = wire.status < 200 || wire.status >= 300;
      const cut = isRefusal ? undefined : locateRows(wire.body, this.#deps.limits);
      const body = isRefusal
        ? wire.body.subarray(0, this.#deps.limits.messageBytes)
        : around(wire.body, cut, this.#deps.limits);
      return await read({ data: this.#understood(wire, body), rows: rawRows(wire, cut), wire });
    } catch (error) {
      wire.release();
      throw error;
    }
  }
}

/** The answer without its rows. @throws PartnerFaulty when what is left is larger than a message */
function around(body: Uint8Array, cut: Cut | undefined, limits: PeerLimits): Uint8Array {
  const { from, to } = cut ?? { from: body.byteLength, to: body.byteLength };
  if (from + body.byteLength - to > limits.messageBytes)
    throw new PartnerFaulty('there is too much in the answer beside its rows.');
  return cut ? Buffer.concat([body.subarray(0, from), Buffer.from('[]'), body.subarray(to)]) : body;
}

function rawRows(wire: ReceivedAnswer, cut: Cut | undefined): RawRows {
  const pieces = cut?.pieces ?? [];
  return {
    count: cut?.rows ?? 0,
    pieces: pieces.length,
    *read() {
      for (const piece of pieces) yield parseRows(wire.body, piece);
    },
    release: () => wire.release(),
  };
}

const SPACE = 0x20;

function waiting({
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

function search(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
