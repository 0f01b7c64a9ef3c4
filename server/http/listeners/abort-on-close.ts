import type { Request } from 'express';

/** Returns a signal that aborts when the answer's connection closes, even after a complete answer. */
export function abortOnClose(req: Request): AbortSignal {
  const gone = new AbortController();
  req.res?.once('close', () => gone.abort());
  return gone.signal;
}
