/**
 * Who works on a matched list: a pull of its rows, which keeps in memory what waits there, or the user's word on that.
 * One at a time, for each offer by itself.
 */
export interface ListLocks {
  /**
   * A pull's turn. `giveWay` is aborted as soon as the user has decided something: the pull ends after the page in hand,
   * and takes another turn, which comes behind the user's.
   */
  pull<R>(sharedModuleID: string, work: (giveWay: AbortSignal) => Promise<R>): Promise<R>;
  /** The user's turn: at once, or when the pull under way has come to the end of its page. */
  decide<R>(sharedModuleID: string, work: () => Promise<R>): Promise<R>;
}

export function createListLocks(): ListLocks {
  const last = new Map<string, Promise<unknown>>();
  const pulls = new Map<string, AbortController>();

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
    async pull(key, work) {
      const pull = new AbortController();
      pulls.set(key, pull);
      try {
        return await inTurn(key, () => work(pull.signal));
      } finally {
        if (pulls.get(key) === pull) pulls.delete(key);
      }
    },
    decide(key, work) {
      pulls.get(key)?.abort();
      return inTurn(key, work);
    },
  };
}
