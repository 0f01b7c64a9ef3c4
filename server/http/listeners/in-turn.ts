import type { RequestHandler } from 'express';
import { Semaphore } from '../../base/concurrency/semaphore.ts';

/**
 * Lets one request in after the other; before those that read large files into memory. The others are not read
 * meanwhile, and whoever leaves gives up its turn.
 */
export function inTurn(): RequestHandler {
  const places = new Semaphore(1, Infinity);
  return (_req, res, next) => {
    // It left before it came to its turn, and would never give it back.
    if (res.closed) return;
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    places.take({ signal: gone.signal, giveWay: () => undefined }).then(
      () => next(),
      () => undefined,
    );
  };
}
