/** Mutual exclusion per offer between a pull, which caches quarantined rows, and the user's decisions. */
export interface ListLocks {
  /**
   * Runs a pull. `giveWay` is aborted as soon as the user has decided something: the pull ends after the
   * present page, and queues again behind the user.
   */
  pull<R>(sharedModuleID: string, work: (giveWay: AbortSignal) => Promise<R>): Promise<R>;
  /** Runs a decision: at once, or after the running pull's present page. */
  decide<R>(sharedModuleID: string, work: () => Promise<R>): Promise<R>;
}

/** Creates the locks that run pulls and user's decisions about a list one after the other. They are in memory. */
export function createListLocks(): ListLocks {
  const last = new Map<string, Promise<unknown>>();
  const pulls = new Map<string, AbortController>();

  /** Runs `work` after earlier work with this key, even if that failed. */
  async function inTurn<R>(key: string, work: () => Promise<R>): Promise<R> {
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
    /**
     * Runs a pull once earlier work on the list has ended. Its signal is aborted when the user decides about the
     * list's rows.
     */
    async pull(key, work) {
      const pull = new AbortController();
      pulls.set(key, pull);
      try {
        return await inTurn(key, () => work(pull.signal));
      } finally {
        if (pulls.get(key) === pull) pulls.delete(key);
      }
    },
    /** Aborts the running pull's signal and runs the decision after it. */
    decide(key, work) {
      pulls.get(key)?.abort();
      return inTurn(key, work);
    },
  };
}
