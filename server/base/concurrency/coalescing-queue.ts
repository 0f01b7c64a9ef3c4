import type { Clock } from '../clock.ts';

interface CoalescingQueueDeps<Request, Result> {
  readonly body: (request: Request, signal: AbortSignal) => Promise<Result>;
  readonly merge: (a: Request, b: Request) => Request;
  readonly stopwatch: () => number;
  /** Called after a turn that no other follows. */
  readonly onIdle: () => void;
}

interface Waiting<Request, Result> {
  request: Request;
  readonly done: Promise<Result>;
}

/** Runs one piece of work at a time; merges requests made meanwhile into the next turn. */
export class CoalescingQueue<Request, Result> {
  readonly #deps: CoalescingQueueDeps<Request, Result>;
  #current:
    { readonly done: Promise<Result>; readonly began: number; readonly abort: AbortController } | undefined;
  #next: Waiting<Request, Result> | undefined;
  #stopped = false;

  constructor(deps: CoalescingQueueDeps<Request, Result>) {
    this.#deps = deps;
  }

  /** Resolves when nothing runs or waits; never rejects. */
  async settled(): Promise<void> {
    while (this.#current) {
      await this.#current.done.catch(() => undefined);
      await this.#next?.done.catch(() => undefined);
    }
  }

  /**
   * Starts a turn for the request, or merges it into the next one, never into one that has begun; returns that turn's
   * result.
   */
  enqueue(request: Request): Promise<Result> {
    if (!this.#current) {
      const done = this.#startTurn(request);
      done.catch(() => undefined);
      return done;
    }
    if (this.#next) this.#next.request = this.#deps.merge(this.#next.request, request);
    this.#next ??= this.#queueNext(request, this.#current.done);
    return this.#next.done;
  }

  /** Returns the milliseconds since the current turn began; undefined when idle. */
  busyFor(): number | undefined {
    return this.#current ? this.#deps.stopwatch() - this.#current.began : undefined;
  }

  /** Asks the current turn to end early, by aborting its signal. */
  interrupt(): void {
    this.#current?.abort.abort();
  }

  /** Aborts the current turn and all later ones, and waits until none runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#current?.abort.abort();
    await this.settled();
  }

  /**
   * Begins a turn; its signal is aborted already once the queue is stopped. After it calls `onIdle` if none is next.
   */
  #startTurn(request: Request): Promise<Result> {
    const abort = new AbortController();
    if (this.#stopped) abort.abort();
    const done = this.#deps.body(request, abort.signal).finally(() => {
      this.#current = undefined;
      if (!this.#next) this.#deps.onIdle();
    });
    this.#current = { done, began: this.#deps.stopwatch(), abort };
    return done;
  }

  /** Creates the next turn, which begins when `before` settles; until then requests may join it. */
  #queueNext(request: Request, before: Promise<unknown>): Waiting<Request, Result> {
    /** Begins this turn, with all that joined it; what comes from now on waits for another. */
    const beginNext = (): Promise<Result> => {
      this.#next = undefined;
      return this.#startTurn(turn.request);
    };
    const turn: Waiting<Request, Result> = { request, done: before.then(beginNext, beginNext) };
    // Callers get the failure; this prevents an unhandled rejection.
    turn.done.catch(() => undefined);
    return turn;
  }
}

/** Returns a function that collects ids and passes each to `emit` once, `ms` after the first, then begins again. */
export function throttle(
  clock: Pick<Clock, 'after'>,
  ms: number,
  emit: (id: string) => void,
): (id: string) => void {
  const waiting = new Set<string>();
  return (id) => {
    if (waiting.size === 0) {
      clock.after(ms, () => {
        const due = [...waiting];
        waiting.clear();
        due.forEach(emit);
      });
    }
    waiting.add(id);
  };
}
