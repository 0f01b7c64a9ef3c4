import { pipeline, type Readable, type Transform } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { PartnerError, ProtocolViolationError, PartnerUnreachableError } from '../guard/errors.ts';
import type { PendingRequest } from '../transport/idle-tracker.ts';
import { reserveMemory, type ReceiveBufferBudget } from '../guard/receive-buffer-budget.ts';
import { isCut, toPartnerError } from '../transport/unreachable.ts';
import { said } from '../../words/said.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly token?: string;
  readonly body?: unknown;
  /** Milliseconds to the answer's last byte (H1). */
  readonly deadline: number;
  /** Milliseconds to its start, if less. */
  readonly beginning?: number;
  /** Milliseconds between its parts. */
  readonly gap: number;
  readonly leastFlow?: MinThroughput;
  readonly asked?: PendingRequest | undefined;
  /** Called with each decompressed part. */
  readonly onPart?: (part: Uint8Array) => void;
  /** Maximum decompressed bytes (H2). */
  readonly answerBytes: number;
  /** Large answers wait for it. */
  readonly budget: ReceiveBufferBudget;
  /** A large prefetch fails as NextPageTooLargeError: earlier answers need the memory. */
  readonly isAhead?: boolean;
  readonly signal?: AbortSignal;
}

export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** The partner's `Date`, milliseconds since the epoch. */
  readonly date: number | undefined;
  readonly body: Uint8Array;
}

export interface ReceivedAnswer extends WireAnswer {
  release(): void;
}

/**
 * Sends one request and receives the whole answer, bounded in time and size, without redirects. An answer of any status
 * occupies memory until `release`. Throws PartnerUnreachableError, AddressRefusedError, ProtocolViolationError.
 */
export async function sendRequest(dispatcher: Dispatcher, wanted: WireRequest): Promise<ReceivedAnswer> {
  const limit = startDeadline(wanted);
  const reservation = reserveMemory(wanted.budget, {
    signal: wanted.signal,
    preempt: () => limit.expire(),
    isAhead: wanted.isAhead === true,
  });
  let trickle: MinThroughputGuard | undefined;
  try {
    const answer = await startAnswer(dispatcher, wanted, limit.signal);
    wanted.asked?.recordPart();
    const date = Date.parse(firstHeaderValue(answer.headers, 'date') ?? '');
    trickle = wanted.leastFlow && guardMinThroughput(wanted.leastFlow, () => limit.expire());
    /** Waits for memory, without counting that time against the partner. Records that a part arrived. */
    const growTo = (totalBytes: number): Promise<void> => {
      wanted.asked?.recordPart();
      trickle?.recordTotal(totalBytes);
      const wait = reservation.growTo(totalBytes);
      const granted = limit.waitUncounted(wait && (trickle?.waitUncounted(wait) ?? wait));
      return wanted.asked?.waitUncounted(granted) ?? granted;
    };
    const encoding = firstHeaderValue(answer.headers, 'content-encoding');
    const { answerBytes, onPart } = wanted;
    const body = await receiveBody(answer.body, { encoding, limit: answerBytes, growTo, onPart });
    reservation.bodyReceived();
    return {
      status: answer.statusCode,
      contentType: firstHeaderValue(answer.headers, 'content-type') ?? '',
      retryAfter: firstHeaderValue(answer.headers, 'retry-after'),
      date: Number.isNaN(date) ? undefined : date,
      body,
      release: () => reservation.release(),
    };
  } catch (error) {
    limit.abort();
    reservation.release();
    if (error instanceof PartnerError) throw error;
    if (limit.isExpired()) {
      throw new PartnerUnreachableError('timeout', said('peer.too-slow'), {
        cause: error,
      });
    }
    throw toPartnerError(error);
  } finally {
    trickle?.stop();
    limit.clear();
    wanted.asked?.end();
  }
}

/**
 * Resolves when the headers have arrived. Repeats a GET once if the connection was cut before: a kept-alive one may
 * have ended (RFC 9112, 9.3.1).
 */
async function startAnswer(
  dispatcher: Dispatcher,
  wanted: WireRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(wanted.url);
  /** Sends the request; resolves when the headers have arrived. */
  const startRequest = (): Promise<Dispatcher.ResponseData> =>
    dispatcher.request({
      origin,
      path: pathname + search,
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
    return await startRequest();
  } catch (error) {
    if (wanted.method !== 'GET' || signal.aborted || !isCut(error)) throw error;
    return startRequest();
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Aborts the exchange as too slow. */
  expire(): void;
  /** Discards the rest of the answer. */
  abort(): void;
  isExpired(): boolean;
  /** Waits, and moves the deadline accordingly. */
  waitUncounted(wait: Promise<void> | undefined): Promise<void>;
  /** Ends the timer, and detaches from the caller's signal. */
  clear(): void;
}

/**
 * Starts a deadline: its signal aborts after `wanted.deadline` milliseconds, or with the caller's. `AbortSignal.any`
 * would leave something on the caller's signal, which may exist as long as the node. `waitUncounted` stops the time.
 */
function startDeadline(wanted: WireRequest): Deadline {
  const controller = new AbortController();
  let isExpired = false;
  const abort = (): void => controller.abort();
  /** Aborts as the time is over, not the caller's wish. */
  const expire = (): void => {
    isExpired = true;
    abort();
  };
  let left = wanted.deadline;
  let since = performance.now();
  let timer = setTimeout(expire, left);
  if (wanted.signal?.aborted === true) abort();
  wanted.signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    expire,
    abort,
    isExpired: () => isExpired,
    /** Awaits `wait` while the deadline stands still; then continues with the time left. */
    async waitUncounted(wait) {
      if (!wait) return;
      clearTimeout(timer);
      left -= performance.now() - since;
      try {
        await wait;
      } finally {
        since = performance.now();
        timer = setTimeout(expire, left);
      }
    },
    /** Ends the timer, and listens no longer to the caller's signal. */
    clear() {
      clearTimeout(timer);
      wanted.signal?.removeEventListener('abort', abort);
    },
  };
}

type Headers = Record<string, string | string[] | undefined>;

/** Returns a header's first value, if any. */
function firstHeaderValue(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Larger bodies are copied once, on arrival, instead of concatenated at the end. */
const MAX_CONCATENATED_BYTES = 2 * 1024 * 1024;

/**
 * Returns the decompressed body; `growTo` waits for memory for the size so far. Throws ProtocolViolationError beyond
 * `limit` decompressed bytes and for damage. `onPart` gets each chunk.
 */
async function receiveBody(
  body: Readable,
  {
    encoding,
    limit,
    growTo,
    onPart,
  }: {
    readonly encoding: string | undefined;
    readonly limit: number;
    readonly growTo: (totalBytes: number) => Promise<void>;
    readonly onPart: WireRequest['onPart'];
  },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let whole: Uint8Array | undefined;
  let size = 0;
  /**
   * Adds a chunk once there is memory for it; beyond a size collects in one buffer. Throws ProtocolViolationError above
   * the limit. `onPart` sees it first.
   */
  const appendChunk = async (chunk: Uint8Array): Promise<void> => {
    const before = size;
    size += chunk.byteLength;
    if (size > limit)
      throw new ProtocolViolationError(`the answer is larger than ${Math.floor(limit / 1024)} KiB.`);
    onPart?.(chunk);
    await growTo(size);
    if (whole) {
      whole.set(chunk, before);
      return;
    }
    chunks.push(chunk);
    if (size <= MAX_CONCATENATED_BYTES) return;
    // Only written pages take memory.
    whole = Buffer.allocUnsafeSlow(limit);
    let at = 0;
    for (const piece of chunks.splice(0)) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
  };
  try {
    for await (const chunk of await decompressAnswer(body, encoding)) await appendChunk(chunk);
  } catch (cause) {
    if (isZlibError(cause))
      throw new ProtocolViolationError('the answer’s compression is damaged.', { cause });
    throw cause;
  }
  if (whole) return whole.subarray(0, size);
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
}

/**
 * Returns the decompressed chunks, the body itself if it isn't compressed. Throws ProtocolViolationError for an unknown
 * compression.
 */
async function decompressAnswer(
  body: Readable,
  encoding: string | undefined,
): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return body as AsyncIterable<Uint8Array>;
  const source = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return [];
  return pipeline(prependChunk(first.value, source), createDecompressor(name, first.value), () => undefined);
}

/** Few pieces a page instead of dozens, each a trip to another thread. */
const ZLIB_OPTIONS = { chunkSize: 128 * 1024 };

/**
 * Creates a decompressor. `start`, the first bytes, tells raw "deflate", as some servers send, from zlib's. Throws
 * ProtocolViolationError for an encoding not asked for.
 */
function createDecompressor(encoding: string, start: Uint8Array): Transform {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(ZLIB_OPTIONS);
  if (encoding === 'deflate')
    return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate(ZLIB_OPTIONS) : createInflateRaw(ZLIB_OPTIONS);
  throw new ProtocolViolationError('the answer is compressed in a way that was not asked for.');
}

/** Yields `first`, then the rest. */
async function* prependChunk(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let item = await rest.next(); !item.done; item = await rest.next()) yield item.value;
}

/** Returns whether the error is one of decompression. */
function isZlibError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Z_');
}

/** Bytes that an incomplete answer must bring in so many milliseconds. */
interface MinThroughput {
  readonly bytes: number;
  readonly within: number;
}

interface MinThroughputGuard {
  recordTotal(totalBytes: number): void;
  /** Waits without expecting bytes. */
  waitUncounted(wait: Promise<void>): Promise<void>;
  stop(): void;
}

/**
 * Calls `onTrickle` after each `within` milliseconds with fewer than `bytes` new bytes, until stopped: a partner may
 * trickle single bytes. Waits for memory (`waitUncounted`) don't count.
 */
function guardMinThroughput({ bytes, within }: MinThroughput, onTrickle: () => void): MinThroughputGuard {
  let size = 0;
  let before = 0;
  let isPaused = false;
  const timer = setInterval(() => {
    if (!isPaused && size - before < bytes) onTrickle();
    before = size;
  }, within);
  return {
    recordTotal: (totalBytes) => void (size = totalBytes),
    /** Awaits `wait`, without a check of the throughput meanwhile and right after it. */
    async waitUncounted(wait) {
      isPaused = true;
      try {
        await wait;
      } finally {
        isPaused = false;
        // Arrivals meanwhile couldn't be received.
        before = -Infinity;
      }
    },
    stop: () => clearInterval(timer),
  };
}
