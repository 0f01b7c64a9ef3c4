import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends text as it is made, no faster than the reader takes it; stops making it when the reader is gone. */
export async function sendPieces(res: Response, pieces: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces), res);
}
