import type { Response } from 'express';
import { pipeline } from 'node:stream/promises';

type Piece = string | Uint8Array;

/**
 * Sends an answer piece by piece, no faster than the reader takes it, and stops making it when the reader is gone.
 * Everything large leaves in this way. Answers whether the reader stayed to the end; one that leaves is no error.
 * @throws what making the pieces throws; the answer is cut off then, so that nobody takes it for whole
 */
export async function sendPieces(
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

/** The reader's doing, whatever the system calls it at the moment at which it is noticed. */
const READER_GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE']);

function isReaderGone(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && READER_GONE.has(code);
}

/** What was read of it already, and the rest. */
export async function* behind<T>(
  first: IteratorResult<T, unknown>,
  rest: AsyncIterable<T>,
): AsyncGenerator<T> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
