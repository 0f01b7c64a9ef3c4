/**
 * Returns a signal that aborts with `signal`, or with a TimeoutError after `ms`; its timer doesn't keep the process
 * running. Node 20 loses `AbortSignal.timeout` within `any`.
 */
export function withDeadline(ms: number, signal?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  /** Aborts with the signal's reason, and cancels the timer. */
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
