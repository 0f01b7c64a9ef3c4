/** Mutual exclusion per offer between a pull, which caches quarantined rows, and the user's decisions. */
export interface ListLocks {
  /** Runs a pull. A decision aborts `giveWay`: the pull ends after its page and queues again. */
  runPull<R>(sharedModuleID: string, work: (giveWay: AbortSignal) => Promise<R>): Promise<R>;
  /** Runs a decision at once or after the running pull's page. */
  runDecision<R>(sharedModuleID: string, work: () => Promise<R>): Promise<R>;
}

/**
 * Creates locks by key, in memory, first come, first served. `runDecision` aborts the latest pull under its key, then
 * waits its turn.
 */
export function createListLocks(): ListLocks {
  const last = new Map<string, Promise<unknown>>();
  const pulls = new Map<string, AbortController>();

  /** Runs `work` after all earlier work for this key, even failed; passes on its result or error. */
  async function runInTurn<R>(key: string, work: () => Promise<R>): Promise<R> {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => undefined);
    last.set(key, ended);
    try {
      return await turn;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  }

  return {
    /** Runs a pull in turn; its signal aborts when a decision under the key arrives. */
    async runPull(key, work) {
      const pull = new AbortController();
      pulls.set(key, pull);
      try {
        return await runInTurn(key, () => work(pull.signal));
      } finally {
        if (pulls.get(key) === pull) pulls.delete(key);
      }
    },
    /** Runs a decision in turn; aborts a pull under the key, which ends after its page. */
    runDecision(key, work) {
      pulls.get(key)?.abort();
      return runInTurn(key, work);
    },
  };
}
