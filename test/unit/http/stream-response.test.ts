import type { Response } from 'express';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { prependResult, streamResponse } from '../../../server/http/listeners/stream-response.ts';

/** A producer of three pieces, and whether what it holds was released. */
function producer(): { pieces: AsyncGenerator<string, void>; readonly isReleased: () => boolean } {
  let released = false;
  async function* pieces(): AsyncGenerator<string, void> {
    try {
      for (const piece of ['a', 'b', 'c']) yield await Promise.resolve(piece);
    } finally {
      released = true;
    }
  }
  return { pieces: pieces(), isReleased: () => released };
}

it('releases what a producer holds, also where the reader left before the answer began', async () => {
  const { pieces, isReleased } = producer();
  const first = await pieces.next();
  const gone = new PassThrough().destroy();
  expect(await streamResponse(gone as unknown as Response, prependResult(first, pieces))).toBe(false);
  expect(isReleased()).toBe(true);
});

it('sends what was read before, then the rest', async () => {
  const { pieces, isReleased } = producer();
  const first = await pieces.next();
  const there = new PassThrough();
  expect(await streamResponse(there as unknown as Response, prependResult(first, pieces))).toBe(true);
  expect(String(there.read())).toBe('abc');
  expect(isReleased()).toBe(true);
});
