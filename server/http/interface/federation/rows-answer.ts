import type { Response } from 'express';
import type { RecordsPage } from '../../../federation/sharing/feed.ts';
import { prependResult, streamResponse } from '../../listeners/stream-response.ts';

/** So much is handed over at a time: little enough that a slow reader is seen to go on. */
const PIECE_BYTES = 32 * 1024;

/**
 * Sends rows that are JSON already, as the `set` behind what `beside` holds; `empty` is what stands for none. Answers
 * whether the reader stayed to the end. Where there is a rest, it is read as the reader takes it in, and what cannot be read
 * any more cuts the answer off.
 */
export async function sendRows(
  res: Response,
  beside: object,
  { rows, rest }: Pick<RecordsPage, 'rows' | 'rest'>,
  empty = '[]',
): Promise<boolean> {
  const head = Buffer.from(`{"response":${JSON.stringify(beside).slice(0, -1)},"set":`);
  res.set('Content-Type', 'application/json; charset=utf-8');
  if (rest) return streamResponse(res, cut(joined(head, rows, rest, empty)));
  const parts =
    rows.length === 0
      ? [head, Buffer.from(`${empty}}}`)]
      : [head, Buffer.from('['), rows, Buffer.from(']}}')];
  res.set('Content-Length', String(parts.reduce((size, part) => size + part.length, 0)));
  return streamResponse(res, cut(parts));
}

async function* joined(
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

/**
 * Sends a page of the feed as {@link sendRows} does, and tells the feed what became of it. Never compressed: these dialects
 * say of no row who wrote it.
 */
export async function sendPage(
  res: Response,
  beside: object,
  page: Pick<RecordsPage, 'rows' | 'rest' | 'ended'>,
  empty?: string,
): Promise<void> {
  leaveUncompressed(res);
  let whole = false;
  try {
    whole = await sendRows(res, beside, page, empty);
  } finally {
    await page.ended(whole);
  }
}

/** For values of which some were written by others: their length would tell of the rest. To be called before any is sent. */
export function leaveUncompressed(res: Response): void {
  res.set('Cache-Control', 'no-transform');
}

/** In pieces, as the rows may be many megabytes and need not be there twice. */
async function* cut(parts: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
  }
}
