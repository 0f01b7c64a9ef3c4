import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';

type Piece = string | Uint8Array;

/**
 * Sends an answer piece by piece with back-pressure, and stops the producer when the reader leaves. Returns whether
 * the reader stayed to the end; leaving is no error. Rethrows the producer's error after cutting the answer off, so
 * that nobody takes it for complete. For every large answer.
 */
export async function streamResponse(
  res: Response,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
): Promise<boolean> {
  try {
    await pipeline(pieces, res);
    return true;
  } catch (error) {
    if (isReaderGone(error)) return false;
    throw error;
  }
}

/** Error codes of a reader that left, depending on when it is noticed. */
const READER_GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE']);

/** Returns whether the error means that the reader closed the connection. */
function isReaderGone(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && READER_GONE.has(code);
}

/** Yields the result that was read already, unless it is the end, then the rest. */
export async function* prependResult<T>(
  first: IteratorResult<T, unknown>,
  rest: AsyncIterable<T>,
): AsyncGenerator<T> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
