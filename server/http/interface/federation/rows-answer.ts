import type { Response } from 'express';
import type { RecordsPage } from '../../../federation/sharing/feed.ts';
import { prependResult, streamResponse } from '../../listeners/stream-response.ts';

/** Bytes per write, few enough to see slow progress. */
const PIECE_BYTES = 32 * 1024;

/**
 * Sends an answer with the members of `beside` and rows as its `set`, `empty` if there are none. Reads `rest` at the
 * reader's pace; a read error cuts the answer off. Returns whether the reader stayed to the end.
 */
export async function sendRows(
  res: Response,
  beside: object,
  { rows, rest }: Pick<RecordsPage, 'rows' | 'rest'>,
  empty = '[]',
): Promise<boolean> {
  const head = Buffer.from(`{"response":${JSON.stringify(beside).slice(0, -1)},"set":`);
  res.set('Content-Type', 'application/json; charset=utf-8');
  if (rest) return streamResponse(res, splitIntoChunks(answerParts(head, rows, rest, empty)));
  const parts =
    rows.length === 0
      ? [head, Buffer.from(`${empty}}}`)]
      : [head, Buffer.from('['), rows, Buffer.from(']}}')];
  res.set('Content-Length', String(parts.reduce((size, part) => size + part.length, 0)));
  return streamResponse(res, splitIntoChunks(parts));
}

/** Yields the answer's bytes: head, rows with commas between parts, and the end. */
async function* answerParts(
  head: Buffer,
  rows: Buffer,
  rest: AsyncIterable<Buffer>,
  empty: string,
): AsyncGenerator<Buffer> {
  yield head;
  let before = '[';
  for await (const part of prependResult({ value: rows }, rest)) {
    if (part.length === 0) continue;
    yield Buffer.from(before);
    yield part;
    before = ',';
  }
  yield Buffer.from(before === '[' ? `${empty}}}` : ']}}');
}

/** Sends a page of the feed uncompressed (see `sendRows`), and tells the feed in any case whether all was read. */
export async function sendPage(
  res: Response,
  beside: object,
  page: Pick<RecordsPage, 'rows' | 'rest' | 'reportSent'>,
  empty?: string,
): Promise<void> {
  leaveUncompressed(res);
  let whole = false;
  try {
    whole = await sendRows(res, beside, page, empty);
  } finally {
    await page.reportSent(whole);
  }
}

/**
 * Prevents compression of an answer, by `no-transform`: its size would disclose one person's values to another
 * (CRIME/BREACH guard).
 */
export function leaveUncompressed(res: Response): void {
  res.set('Cache-Control', 'no-transform');
}

/** Yields the parts in pieces of limited size, without joining short ones. */
async function* splitIntoChunks(parts: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
  }
}
