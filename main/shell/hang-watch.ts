/** How often the node is asked whether it is there. */
const EVERY_MS = 30_000;

/** So many times it may owe the answer. The largest lists keep it busy for seconds, and a computer without memory longer. */
const MOST_OWED = 4;

/**
 * Asks the node again and again, and calls `hangs` once when it has owed an answer for two minutes. What counts is how
 * often this process came to look, and no clock: while the computer sleeps nobody looks.
 *
 * @param ask anything that the node answers at once; a refusal is an answer
 * @returns ends the watch
 */
export function watchForHang(ask: () => Promise<unknown>, hangs: () => void): () => void {
  let owes = false;
  let owed = 0;
  const timer = setInterval(() => {
    if (!owes) {
      owes = true;
      owed = 0;
      const answered = (): void => void (owes = false);
      ask().then(answered, answered);
    } else if (++owed === MOST_OWED) {
      clearInterval(timer);
      hangs();
    }
  }, EVERY_MS);
  return () => clearInterval(timer);
}
