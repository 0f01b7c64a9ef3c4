import { Readable, type Transform } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { request, type Dispatcher } from 'undici';
import { PartnerError, PartnerFaulty, PartnerUnreachable } from './errors.ts';
import { unreachable } from './unreachable.ts';
import { said } from '../words/said.ts';

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
  /** Bytes of the answer after decompression (H2). */
  readonly answerBytes: number;
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

/**
 * Sends one request and takes in the whole answer, bounded in time and size whatever the partner does.
 * Redirects come back as what they are. The answer's meaning is for `answer.ts`.
 * @throws PartnerUnreachable, AddressRefused, PartnerFaulty (too large, unknown compression)
 */
export async function send(dispatcher: Dispatcher, wanted: WireRequest): Promise<WireAnswer> {
  const limit = deadline(wanted);
  try {
    const answer = await request(wanted.url, {
      dispatcher,
      method: wanted.method,
      signal: limit.signal,
      headersTimeout: wanted.deadline,
      bodyTimeout: wanted.deadline,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate',
        'user-agent': 'Footbridge',
        ...(wanted.token === undefined ? {} : { authorization: `Bearer ${wanted.token}` }),
        ...(wanted.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: wanted.body === undefined ? null : JSON.stringify(wanted.body),
    });
    const date = Date.parse(header(answer.headers, 'date') ?? '');
    return {
      status: answer.statusCode,
      contentType: header(answer.headers, 'content-type') ?? '',
      retryAfter: header(answer.headers, 'retry-after'),
      date: Number.isNaN(date) ? undefined : date,
      body: await collect(answer.body, header(answer.headers, 'content-encoding'), wanted.answerBytes),
    };
  } catch (error) {
    if (error instanceof PartnerError) throw error;
    if (limit.isOver()) {
      throw new PartnerUnreachable('timeout', said`The partner took too long to answer. Try again later.`, {
        cause: error,
      });
    }
    throw unreachable(error);
  } finally {
    limit.clear();
  }
}

/**
 * One signal for the deadline and for whoever wants to end it early. By hand and not by `AbortSignal.any`: the
 * caller's signal may live as long as the node, and nothing of an exchange may stay behind on it.
 */
function deadline(wanted: WireRequest): { signal: AbortSignal; isOver: () => boolean; clear: () => void } {
  const controller = new AbortController();
  let over = false;
  const abort = (): void => controller.abort();
  const timer = setTimeout(() => {
    over = true;
    abort();
  }, wanted.deadline);
  if (wanted.signal?.aborted === true) abort();
  wanted.signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    isOver: () => over,
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

async function collect(body: Readable, encoding: string | undefined, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of decompressed(body, encoding)) {
    size += chunk.byteLength;
    if (size > limit) {
      body.destroy();
      throw new PartnerFaulty(`the answer is larger than ${Math.floor(limit / 1024)} KiB.`);
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, size);
}

/** Unpacks while reading, so that a small packed answer cannot grow past the limit in memory. */
async function* decompressed(body: Readable, encoding: string | undefined): AsyncGenerator<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') {
    yield* body as AsyncIterable<Uint8Array>;
    return;
  }
  const source = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  const unpack = unpacker(name, first.value);
  const packed = Readable.from(rejoin(first.value, source));
  packed.once('error', (error) => unpack.destroy(error));
  try {
    yield* packed.pipe(unpack) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (isZlibError(cause)) throw new PartnerFaulty('the answer’s compression is damaged.', { cause });
    throw cause;
  } finally {
    packed.destroy();
    unpack.destroy();
  }
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
