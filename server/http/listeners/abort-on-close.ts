import type { Request } from 'express';

/** Returns a signal that aborts when the request ends, for reads that only serve it. */
export function abortOnClose(req: Request): AbortSignal {
  const gone = new AbortController();
  req.res?.once('close', () => gone.abort());
  return gone.signal;
}
