import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { Refusal, REFUSAL_KINDS } from '../refusal.ts';
import type { Words } from '../../words/said.ts';
import { Semaphore } from './semaphore.ts';

export interface WorkerLimits {
  /** Maximum time of a blocked event loop. */
  readonly stallMs: number;
  /** Time limit of one call. */
  readonly callMs: number;
}

/** A worker ended without an answer: out of memory or time, or failed. */
export class WorkerFailure extends Error {
  readonly reason: 'memory' | 'time' | 'crash';

  constructor(reason: WorkerFailure['reason'], options?: ErrorOptions) {
    super(`The worker ended: ${reason}.`, options);
    this.name = 'WorkerFailure';
    this.reason = reason;
  }
}

export type WorkerTasks<T> = { readonly [K in keyof T]: (argument: never) => unknown };

/** Calls a function in the worker, one at a time. Transferred objects are moved. */
export type CallWorker<T extends WorkerTasks<T>> = <K extends keyof T & string>(
  name: K,
  argument: Parameters<T[K]>[0],
  transfer?: readonly ArrayBuffer[],
) => Promise<Awaited<ReturnType<T[K]>>>;

export interface WorkerCall {
  readonly name: string;
  readonly argument: never;
}

const reply = z.union([
  z.object({ alive: z.literal(true) }),
  z.object({ result: z.unknown() }),
  z.object({
    failed: z.object({
      message: z.string(),
      refusal: z
        .object({ kind: z.enum(REFUSAL_KINDS), code: z.string(), words: z.custom<Words>() })
        .optional(),
    }),
  }),
]);
export type WorkerReply = z.infer<typeof reply>;

/** An idle worker ends after this time: the import after a preview finds it warm. */
const IDLE_MS = 10_000;

/** A call's first sign of life may take this many times longer. */
const START_FACTOR = 3;

/** One piece of work of each size runs at a time: none waits for larger work. */
export const WORK_SIZES = ['small', 'first', 'large'] as const;
export type WorkSize = (typeof WORK_SIZES)[number];

/** JavaScript heap by size of work, in MB, without external buffers. */
export type WorkerHeaps = Readonly<Record<WorkSize, number>>;

/**
 * Runs work in one worker thread for each size, one at a time, with bounded heap and time. A crash or excess
 * costs only that work.
 */
export class WorkerPool<T extends WorkerTasks<T>> {
  readonly #script: () => string;
  readonly limits: WorkerLimits;
  readonly #heaps: WorkerHeaps;
  readonly #permits = {
    small: new Semaphore(1, Infinity),
    first: new Semaphore(1, Infinity),
    large: new Semaphore(1, Infinity),
  } satisfies Record<WorkSize, Semaphore>;
  #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | undefined;

  /** `script` returns the worker's CommonJS text, which calls `serveCalls`. */
  constructor(script: () => string, heaps: WorkerHeaps, limits: WorkerLimits) {
    this.#script = script;
    this.limits = limits;
    this.#heaps = heaps;
  }

  /**
   * Runs `work` with its own worker once one is free; its calls run one after another. After small work the worker is
   * reused, unless it failed or left a call; others end, with their memory. `callMs` limits each call instead of the
   * pool's limit. Throws {@link WorkerFailure}, the signal's reason, and Refusals of what was called.
   */
  async withWorker<R>(
    work: (call: CallWorker<T>) => Promise<R>,
    {
      signal,
      callMs = this.limits.callMs,
      size = 'large',
    }: { signal?: AbortSignal | undefined; callMs?: number; size?: WorkSize } = {},
  ): Promise<R> {
    const permit = await this.#permits[size].acquire({ signal, preempt: () => undefined });
    const worker = this.#takeWorker(size);
    let isReusable = false;
    let unanswered = 0;
    try {
      let last: Promise<unknown> = Promise.resolve();
      const result = await work((name, argument, transfer = []) => {
        unanswered++;
        const call = last
          .then(() => this.#callWorker(worker, { name, argument }, { signal, transfer, callMs }))
          .finally(() => unanswered--);
        last = call.catch(() => undefined);
        // Same program version, so the tasks have these types.
        return call as ReturnType<CallWorker<T>>;
      });
      isReusable = true;
      return result;
    } catch (error) {
      isReusable = error instanceof Refusal;
      throw error;
    } finally {
      // An unanswered call's answer would go to the next work.
      if (isReusable && unanswered === 0 && size === 'small') this.#keepForNextCall(worker);
      else await worker.terminate();
      permit.release();
    }
  }

  /** Returns the idle worker for small work, otherwise a new one with the size's heap limit. */
  #takeWorker(size: WorkSize): Worker {
    const idle = size === 'small' ? this.#idle : undefined;
    if (idle) {
      this.#idle = undefined;
      clearTimeout(idle.timer);
      idle.worker.ref();
      return idle.worker;
    }
    const worker = new Worker(this.#script(), {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: this.#heaps[size], maxYoungGenerationSizeMb: 16 },
    });
    worker.on('error', () => undefined);
    return worker;
  }

  /**
   * Keeps the worker for the next small work, until a timer ends it. The only permit for small work is still held, so
   * there is no other idle worker.
   */
  #keepForNextCall(worker: Worker): void {
    worker.unref();
    const timer = setTimeout(() => {
      if (this.#idle?.worker === worker) this.#idle = undefined;
      void worker.terminate();
    }, IDLE_MS);
    timer.unref();
    this.#idle = { worker, timer };
  }

  /**
   * Posts a message to the worker; resolves with its result. Rejects with {@link WorkerFailure} if the worker ends,
   * stalls (with more time to start) or is late, with the signal's reason, or the task's error. Doesn't end the worker.
   */
  #callWorker(
    worker: Worker,
    message: unknown,
    {
      signal,
      transfer,
      callMs,
    }: {
      readonly signal: AbortSignal | undefined;
      readonly transfer: readonly ArrayBuffer[];
      readonly callMs: number;
    },
  ): Promise<unknown> {
    const { stallMs } = this.limits;
    const ended = new AbortController();
    return new Promise<unknown>((resolve, reject) => {
      const fail = (reason: WorkerFailure['reason'], cause?: unknown): void =>
        reject(new WorkerFailure(reason, { cause }));
      /** Resolves or rejects by a reply; a sign of life restarts the timeout. */
      const onReply = (posted: unknown): void => {
        const message = reply.parse(posted);
        if ('alive' in message) {
          clearTimeout(stalled);
          stalled = setTimeout(() => fail('time'), stallMs);
        } else if ('failed' in message) reject(deserializeError(message.failed));
        else resolve(message.result);
      };
      const onError = (error: unknown): void => fail(isOutOfMemory(error) ? 'memory' : 'crash', error);
      const onExit = (): void => fail('crash');
      const onAbort = (): void => reject(signal?.reason as Error);
      // The first timeout includes loading the script, which is slow on a busy computer.
      let stalled = setTimeout(() => fail('time'), START_FACTOR * stallMs);
      const late = setTimeout(() => fail('time'), callMs);
      worker.on('message', onReply).on('error', onError).on('exit', onExit);
      signal?.addEventListener('abort', onAbort);
      ended.signal.addEventListener('abort', () => {
        clearTimeout(stalled);
        clearTimeout(late);
        worker.off('message', onReply).off('error', onError).off('exit', onExit);
        signal?.removeEventListener('abort', onAbort);
      });
      if (signal?.aborted === true) onAbort();
      else worker.postMessage(message, transfer);
    }).finally(() => ended.abort());
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Returns the Refusal of {@link serializeError}; any other error as a crash. */
function deserializeError({ message, refusal }: Extract<WorkerReply, { failed: unknown }>['failed']): Error {
  return refusal
    ? new Refusal(refusal.kind, refusal.code, refusal.words)
    : new WorkerFailure('crash', { cause: message });
}
