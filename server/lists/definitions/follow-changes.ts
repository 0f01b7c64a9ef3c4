import { createMutex } from '../../base/concurrency/mutex.ts';
import type { ListsChange } from './model.ts';

/**
 * Makes shares and mappings follow the changes of lists, in order. What couldn't be followed because the disk
 * failed is followed before anything that depends on it: a column may change and change back, which nobody
 * would notice afterwards.
 */
export interface ChangeFollower {
  /** Follows a durable change. If that fails now, it stays pending. */
  follow(change: ListsChange): Promise<void>;
  /** Follows pending changes. @throws what prevents it: until then nothing may leave, and no column may change */
  caughtUp(): Promise<void>;
}

/**
 * Creates a follower of list changes with an empty queue.
 * @param onChange follows a change; if it rejects it is called again for the same change, so it must be idempotent
 */
export function createChangeFollower(
  onChange: (change: ListsChange) => Promise<void> | void,
): ChangeFollower {
  const pending: ListsChange[] = [];
  const inTurn = createMutex();
  let isBehind = false;

  /** Follows pending changes in order, up to the first that fails; throws its error then. */
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
    /** Queues a durable change and follows all pending ones; a failure leaves them pending. */
    async follow(change) {
      pending.push(change);
      await catchUp().catch(() => undefined);
    },
    caughtUp: () => (isBehind ? catchUp() : Promise.resolve()),
  };
}
