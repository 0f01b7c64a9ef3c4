import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';

type Piece = string | Uint8Array;
/** `return` ends a generator and frees its resources. */
type Producer = (Iterable<Piece> | AsyncIterable<Piece>) & {
  readonly return?: (value?: undefined) => unknown;
};

/**
 * Sends pieces with backpressure, and ends the producer when the reader leaves. Returns whether the reader stayed to
 * the end. Rethrows the producer's error after cutting the answer off.
 */
export async function streamResponse(res: Response, pieces: Producer): Promise<boolean> {
  try {
    await pipeline(pieces, res);
    return true;
  } catch (error) {
    if (isReaderGone(error)) return false;
    throw error;
  } finally {
    // The pipeline doesn't begin a producer whose reader has left.
    await pieces.return?.();
  }
}

/** Codes of a reader that left, depending on when. */
const READER_GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE']);

/** Returns whether the error only means that the reader closed the connection. */
function isReaderGone(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && READER_GONE.has(code);
}

/** Returns an iterator over `first`, read already, and the rest, which its `return` ends even if unread. */
export function prependResult<T>(
  first: IteratorResult<T, unknown>,
  rest: AsyncIterable<T, unknown>,
): AsyncIterableIterator<T, unknown> {
  const further: AsyncIterator<T, unknown> = rest[Symbol.asyncIterator]();
  let known: typeof first | undefined = first;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    /** Returns `first` once, then what the rest yields. */
    next() {
      const result = known;
      known = undefined;
      return result ? Promise.resolve(result) : further.next();
    },
    /** Ends the rest, even unread. */
    async return() {
      known = undefined;
      await further.return?.();
      return { done: true, value: undefined };
    },
  };
}
