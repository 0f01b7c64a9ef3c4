import type { Request } from 'express';

/** What is only looked at for whoever asks ends with the request. */
export function goneSignal(req: Request): AbortSignal {
  const gone = new AbortController();
  req.res?.once('close', () => gone.abort());
  return gone.signal;
}
