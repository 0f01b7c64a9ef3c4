/** Interval of the check. */
const INTERVAL_MS = 30_000;

/**
 * Answers that may be missing. The largest lists keep the node busy for seconds, and a computer without
 * memory for longer.
 */
const MAX_PENDING = 4;

/**
 * Polls the node by `ask`, and calls `hangs` once when answers have been missing for two minutes; a refusal counts
 * as an answer. Counts its own checks instead of time, as they stop during sleep. Returns a function that stops the
 * watchdog.
 */
export function startWatchdog(ask: () => Promise<unknown>, hangs: () => void): () => void {
  let owes = false;
  let missed = 0;
  const timer = setInterval(() => {
    if (!owes) {
      owes = true;
      missed = 0;
      const answered = (): void => void (owes = false);
      ask().then(answered, answered);
    } else if (++missed === MAX_PENDING) {
      clearInterval(timer);
      hangs();
    }
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
