/** Runs one piece of work at a time; what is asked for meanwhile comes together into the next turn. */
export interface CoalescingQueue<Request, Result> {
  /** Resolves with the turn that has done what was asked, which is never one that had begun before. */
  want(request: Request): Promise<Result>;
  /** Milliseconds (by the given stopwatch) that the turn under way has taken; undefined when idle. */
  busyFor(): number | undefined;
  /** Tells the turn under way to come to an end. */
  interrupt(): void;
  /** Resolves when nothing is under way and nothing waits. */
  settled(): Promise<void>;
  /** Interrupts, lets no further turn begin, and waits for the end. */
  stop(): Promise<void>;
}

export function createCoalescingQueue<Request, Result>(deps: {
  readonly body: (request: Request, signal: AbortSignal) => Promise<Result>;
  readonly merge: (a: Request, b: Request) => Request;
  readonly stopwatch: () => number;
  /** A turn has ended and none follows at once. */
  readonly onIdle: () => void;
}): CoalescingQueue<Request, Result> {
  let current:
    { readonly done: Promise<Result>; readonly began: number; readonly abort: AbortController } | undefined;
  let next: { request: Request; readonly done: Promise<Result> } | undefined;
  let stopped = false;

  function begin(request: Request): Promise<Result> {
    const abort = new AbortController();
    if (stopped) abort.abort();
    const done = deps.body(request, abort.signal).finally(() => {
      current = undefined;
      if (!next) deps.onIdle();
    });
    current = { done, began: deps.stopwatch(), abort };
    return done;
  }

  function enqueue(
    request: Request,
    before: Promise<unknown>,
  ): { request: Request; readonly done: Promise<Result> } {
    const turn: { request: Request; readonly done: Promise<Result> } = {
      request,
      done: before.then(
        () => follow(),
        () => follow(),
      ),
    };
    function follow(): Promise<Result> {
      next = undefined;
      return begin(turn.request);
    }
    // Whoever waits for it hears of a failure; here it only must not count as unheard.
    turn.done.catch(() => undefined);
    return turn;
  }

  async function settled(): Promise<void> {
    while (current) {
      await current.done.catch(() => undefined);
      await next?.done.catch(() => undefined);
    }
  }

  return {
    settled,
    want(request) {
      if (!current) {
        const done = begin(request);
        done.catch(() => undefined);
        return done;
      }
      if (next) next.request = deps.merge(next.request, request);
      next ??= enqueue(request, current.done);
      return next.done;
    },
    busyFor: () => (current ? deps.stopwatch() - current.began : undefined),
    interrupt: () => current?.abort.abort(),
    async stop() {
      stopped = true;
      current?.abort.abort();
      await settled();
    },
  };
}
