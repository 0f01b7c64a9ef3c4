/**
 * Returns a signal that aborts with `signal`, or after `ms`. Replaces `AbortSignal.timeout`, which Node 20 loses within
 * `AbortSignal.any`.
 */
export function withDeadline(ms: number, signal?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    clearTimeout(timer);
    controller.abort(signal?.reason);
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', abort);
    controller.abort(new DOMException('not in time', 'TimeoutError'));
  }, ms).unref();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  return controller.signal;
}
