/** On a busy machine a program may take half a minute to start; what is waited for ends the wait at once. */
const PATIENCE_MS = 90_000;
const POLL_MS = 50;

/** Waits until `check` returns a value other than undefined and false. @throws the last error, or one that names `what` */
export async function until<T>(
  what: string,
  check: () => Promise<T | false | undefined>,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await check().catch((error: unknown) => {
      if (performance.now() > end) throw error;
      return undefined;
    });
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`in vain: ${what}`);
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
