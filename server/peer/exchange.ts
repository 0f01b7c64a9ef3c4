import type { Dispatcher } from 'undici';
import { payload } from './answer.ts';
import type { PeerLimits } from './limits.ts';
import { send, type WireAnswer } from './wire.ts';

/** Values of a query in the order in which they are sent; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export interface ExchangeOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** Another token than the one we hold; `null` for none. */
  readonly token?: string | null;
  /** Milliseconds for this exchange, where it may take longer than usual. */
  readonly deadline?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A payload and what is worth knowing about how it came. */
export interface Exchanged {
  readonly data: unknown;
  readonly wire: WireAnswer;
}

/** Calls to one partner, below its federation base. */
export interface Exchange {
  readonly limits: PeerLimits;
  /** @throws PartnerError */
  get(path: string, options?: ExchangeOptions): Promise<Exchanged>;
  /** @throws PartnerError */
  post(path: string, options?: ExchangeOptions): Promise<Exchanged>;
  /** The same partner with another base; shape 2 and the Compose interface have paths beside the base. */
  at(baseURL: string): Exchange;
}

export interface ExchangeDeps {
  /** Without a slash at the end. */
  readonly baseURL: string;
  readonly dispatcher: Dispatcher;
  readonly token: string | undefined;
  readonly limits: PeerLimits;
}

export function createExchange(deps: ExchangeDeps): Exchange {
  const call = async (method: 'GET' | 'POST', path: string, options: ExchangeOptions): Promise<Exchanged> => {
    const token = options.token === undefined ? deps.token : options.token;
    const wire = await send(deps.dispatcher, {
      method,
      url: `${deps.baseURL}/${path}${search(options.query)}`,
      ...(token == null ? {} : { token }),
      body: options.body,
      deadline: options.deadline ?? deps.limits.requestTime,
      answerBytes: deps.limits.answerBytes,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    return { data: payload(wire, deps.limits), wire };
  };
  return {
    limits: deps.limits,
    get: (path, options = {}) => call('GET', path, options),
    post: (path, options = {}) => call('POST', path, options),
    at: (baseURL) => createExchange({ ...deps, baseURL }),
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
