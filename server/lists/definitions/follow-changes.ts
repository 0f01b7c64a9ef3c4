import { createMutex } from '../../base/concurrency/mutex.ts';
import type { ListsChange } from './model.ts';

/** Passes list changes on in order. Failed ones are retried first: a column may change and change back. */
export interface ChangeFollower {
  enqueue(change: ListsChange): Promise<void>;
  /** Throws if one fails again. */
  retryPending(): Promise<void>;
}

/**
 * Creates a follower that passes changes to `onChange` one after another.
 * @param onChange if it rejects, the change stays first, and is passed again with the next change or `retryPending`
 */
export function createChangeFollower(
  onChange: (change: ListsChange) => Promise<void> | void,
): ChangeFollower {
  const pending: ListsChange[] = [];
  const inTurn = createMutex();
  let isBehind = false;

  /** Passes pending changes to `onChange` in order. Throws the error of the first that fails, which stays pending. */
  const catchUp = (): Promise<void> =>
    inTurn(async () => {
      try {
        for (let next = pending[0]; next; next = pending[0]) {
          await onChange(next);
          pending.shift();
        }
        isBehind = false;
      } catch (error) {
        isBehind = true;
        throw error;
      }
    });

  return {
    /** Adds a change and passes pending ones on. Never throws: what fails stays pending. */
    async enqueue(change) {
      pending.push(change);
      await catchUp().catch(() => undefined);
    },
    retryPending: () => (isBehind ? catchUp() : Promise.resolve()),
  };
}
