import { pipeline, type Readable, type Transform } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { request, type Dispatcher } from 'undici';
import { PartnerError, PartnerFaulty, PartnerUnreachable } from '../guard/errors.ts';
import type { Asked } from '../transport/quiet.ts';
import { reserveMemory, type MemoryBudget } from '../guard/memory-budget.ts';
import { watchTrickle, type LeastFlow, type TrickleWatch } from '../transport/trickle.ts';
import { isCut, unreachable } from '../transport/unreachable.ts';
import { said } from '../../words/said.ts';

/** One request to a partner. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Bearer token. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Milliseconds for the whole exchange, to the last byte of the answer (H1). */
  readonly deadline: number;
  /** Milliseconds to the beginning of the answer, where it is less than for all of it. */
  readonly beginning?: number;
  /** Milliseconds from one part of the answer to the next. */
  readonly gap: number;
  /** What the answer brings at the least until it is whole, where it may take long. */
  readonly leastFlow?: LeastFlow;
  /** Told of what comes. */
  readonly asked?: Asked | undefined;
  /** Told of each part of the answer, after decompression. */
  readonly onPart?: (part: Uint8Array) => void;
  /** Bytes of the answer after decompression (H2). */
  readonly answerBytes: number;
  /** Where an answer that is large waits for its turn. */
  readonly budget: MemoryBudget;
  /**
   * Not needed yet. It must not hold the place of a large answer that an earlier one may be waiting for, and fails
   * as TooLargeAhead instead.
   */
  readonly isAhead?: boolean;
  /** Ends it early, when the node stops or the partner is paused. */
  readonly signal?: AbortSignal;
}

/** What came back, whole. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** The partner's `Date`, milliseconds since the epoch. */
  readonly date: number | undefined;
  readonly body: Uint8Array;
}

/** An answer that takes up room until it is let go of. */
export interface ReceivedAnswer extends WireAnswer {
  /** The body is not needed any more. */
  release(): void;
}

/**
 * Sends one request and takes in the whole answer, bounded in time and size whatever the partner does.
 * Redirects come back as what they are. The answer's meaning is for `answer.ts`.
 * @throws PartnerUnreachable, AddressRefused, PartnerFaulty (too large, unknown compression)
 */
export async function send(dispatcher: Dispatcher, wanted: WireRequest): Promise<ReceivedAnswer> {
  const limit = deadline(wanted);
  const reservation = reserveMemory(wanted.budget, {
    signal: wanted.signal,
    giveWay: () => limit.end(),
    isAhead: wanted.isAhead === true,
  });
  let trickle: TrickleWatch | undefined;
  try {
    const answer = await begun(dispatcher, wanted, limit.signal);
    wanted.asked?.heard();
    const date = Date.parse(header(answer.headers, 'date') ?? '');
    trickle = wanted.leastFlow && watchTrickle(wanted.leastFlow, () => limit.end());
    const grow = (size: number): Promise<void> => {
      wanted.asked?.heard();
      trickle?.grew(size);
      const wait = reservation.grow(size);
      const granted = limit.without(wait && (trickle?.aside(wait) ?? wait));
      return wanted.asked?.aside(granted) ?? granted;
    };
    const encoding = header(answer.headers, 'content-encoding');
    const { answerBytes, onPart } = wanted;
    const body = await collect(answer.body, { encoding, limit: answerBytes, grow, onPart });
    reservation.arrived();
    return {
      status: answer.statusCode,
      contentType: header(answer.headers, 'content-type') ?? '',
      retryAfter: header(answer.headers, 'retry-after'),
      date: Number.isNaN(date) ? undefined : date,
      body,
      release: () => reservation.end(),
    };
  } catch (error) {
    limit.abort();
    reservation.end();
    if (error instanceof PartnerError) throw error;
    if (limit.isOver()) {
      throw new PartnerUnreachable('timeout', said('peer.too-slow'), {
        cause: error,
      });
    }
    throw unreachable(error);
  } finally {
    trickle?.stop();
    limit.clear();
    wanted.asked?.end();
  }
}

/**
 * The beginning of an answer. What only reads is asked once more where the line was cut before any of it came: a connection
 * that was kept open may have ended while this computer slept, or in the very moment of asking (RFC 9112, 9.3.1).
 */
async function begun(
  dispatcher: Dispatcher,
  wanted: WireRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const ask = (): Promise<Dispatcher.ResponseData> =>
    request(wanted.url, {
      dispatcher,
      method: wanted.method,
      signal,
      headersTimeout: Math.min(wanted.beginning ?? Infinity, wanted.deadline),
      bodyTimeout: Math.min(wanted.gap, wanted.deadline),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate',
        'user-agent': 'Footbridge',
        ...(wanted.token === undefined ? {} : { authorization: `Bearer ${wanted.token}` }),
        ...(wanted.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: wanted.body === undefined ? null : JSON.stringify(wanted.body),
    });
  try {
    return await ask();
  } catch (error) {
    if (wanted.method !== 'GET' || signal.aborted || !isCut(error)) throw error;
    return ask();
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  /** It is over now. */
  end(): void;
  /** The rest of the answer is not wanted. */
  abort(): void;
  isOver(): boolean;
  /** Waits for what is not the partner's fault, which does not count. */
  without(wait: Promise<void> | undefined): Promise<void>;
  clear(): void;
}

/**
 * One signal for the deadline and for whoever wants to end it early. By hand and not by `AbortSignal.any`: the
 * caller's signal may live as long as the node, and nothing of an exchange may stay behind on it.
 */
function deadline(wanted: WireRequest): Deadline {
  const controller = new AbortController();
  let over = false;
  const abort = (): void => controller.abort();
  const end = (): void => {
    over = true;
    abort();
  };
  let left = wanted.deadline;
  let since = performance.now();
  let timer = setTimeout(end, left);
  if (wanted.signal?.aborted === true) abort();
  wanted.signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    end,
    abort,
    isOver: () => over,
    async without(wait) {
      if (!wait) return;
      clearTimeout(timer);
      left -= performance.now() - since;
      try {
        await wait;
      } finally {
        since = performance.now();
        timer = setTimeout(end, left);
      }
    },
    clear() {
      clearTimeout(timer);
      wanted.signal?.removeEventListener('abort', abort);
    },
  };
}

type Headers = Record<string, string | string[] | undefined>;

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Up to this size pieces are put together in the end; beyond it each goes to its place as it comes, once. */
const IN_PIECES = 2 * 1024 * 1024;

/**
 * Takes the bytes in, unpacked as they come, so that a small packed answer cannot grow past the limit in memory.
 * @param grow waits until there is room for so many bytes
 */
async function collect(
  body: Readable,
  {
    encoding,
    limit,
    grow,
    onPart,
  }: {
    readonly encoding: string | undefined;
    readonly limit: number;
    readonly grow: (size: number) => Promise<void>;
    readonly onPart: WireRequest['onPart'];
  },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let whole: Uint8Array | undefined;
  let size = 0;
  const take = async (chunk: Uint8Array): Promise<void> => {
    const before = size;
    size += chunk.byteLength;
    if (size > limit) throw new PartnerFaulty(`the answer is larger than ${Math.floor(limit / 1024)} KiB.`);
    onPart?.(chunk);
    await grow(size);
    if (whole) {
      whole.set(chunk, before);
      return;
    }
    chunks.push(chunk);
    if (size <= IN_PIECES) return;
    // Only what is written to of it takes memory.
    whole = Buffer.allocUnsafeSlow(limit);
    let at = 0;
    for (const piece of chunks.splice(0)) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
  };
  try {
    for await (const chunk of await unpacked(body, encoding)) await take(chunk);
  } catch (cause) {
    if (isZlibError(cause)) throw new PartnerFaulty('the answer’s compression is damaged.', { cause });
    throw cause;
  }
  if (whole) return whole.subarray(0, size);
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
}

/** The stream that gives the bytes as they were before they were packed. @throws PartnerFaulty */
async function unpacked(
  body: Readable,
  encoding: string | undefined,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return body as AsyncIterable<Uint8Array>;
  const source = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return [];
  // What fails is for who reads the stream.
  return pipeline(rejoin(first.value, source), unpacker(name, first.value), () => undefined);
}

/** A page of rows comes out in a few pieces and not in dozens, each of which is a trip to another thread. */
const UNPACKING = { chunkSize: 128 * 1024 };

function unpacker(encoding: string, start: Uint8Array): Transform {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(UNPACKING);
  // "deflate" means zlib's wrapper, but some servers send the bare stream; the first byte tells them apart.
  if (encoding === 'deflate')
    return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate(UNPACKING) : createInflateRaw(UNPACKING);
  throw new PartnerFaulty('the answer is compressed in a way that was not asked for.');
}

async function* rejoin(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let item = await rest.next(); !item.done; item = await rest.next()) yield item.value;
}

function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Z_');
}
