import type { MessagePort } from 'node:worker_threads';
import { Refusal } from '../refusal.ts';
import type { WorkerCall, WorkerReply, WorkerTasks } from './worker-pool.ts';

const ALIVE_MS = 250;

/**
 * Runs each call of a `WorkerPool` in its worker, and posts its result or error; at once and every 250 ms meanwhile a
 * sign of life.
 */
export function serveCalls<T extends WorkerTasks<T>>(port: MessagePort, tasks: T): void {
  const post = (reply: WorkerReply): void => port.postMessage(reply);
  const named = new Map(Object.entries<(argument: never) => unknown>(tasks));
  port.on('message', ({ name, argument }: WorkerCall) => {
    post({ alive: true });
    const alive = setInterval(() => post({ alive: true }), ALIVE_MS);
    const answer = async (): Promise<unknown> => await named.get(name)?.(argument);
    answer().then(
      (result) => {
        clearInterval(alive);
        post({ result });
      },
      (error: unknown) => {
        clearInterval(alive);
        post({ failed: serializeError(error) });
      },
    );
  });
}

/** Returns an error as plain data; a {@link Refusal} with its kind, code and words. */
function serializeError(error: unknown): Extract<WorkerReply, { failed: unknown }>['failed'] {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Refusal)) return { message };
  const { kind, code, words } = error;
  return { message, refusal: { kind, code, words } };
}
