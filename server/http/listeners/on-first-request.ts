import type { RequestHandler } from 'express';

/** A handler that requests wait for until it is loaded. */
export interface LoadedHandler extends RequestHandler {
  /** Loads it before a request comes; a failure is left to the request. */
  readonly prepare: () => void;
}

/** Returns a handler that is loaded by the first request, unless prepared before. */
export function onFirstRequest(load: () => Promise<RequestHandler>): LoadedHandler {
  let loaded: Promise<RequestHandler> | undefined;
  const loadOnce = (): Promise<RequestHandler> =>
    (loaded ??= load().catch((problem: unknown) => {
      // The next request tries again, as after a lack of file handles.
      loaded = undefined;
      throw problem;
    }));
  const handle: RequestHandler = async (req, res, next) => (await loadOnce())(req, res, next);
  return Object.assign(handle, { prepare: () => void loadOnce().catch(() => undefined) });
}
