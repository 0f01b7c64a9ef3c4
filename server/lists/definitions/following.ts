import { createMutex } from '../../base/concurrency/mutex.ts';
import type { ListsChange } from './model.ts';

/**
 * Has shares and matches follow the changes of lists, in their order. What could not be followed, as the disk refused,
 * is followed before anything else happens on the ground of it: a column may become another one and back, which nobody
 * would see who looks only afterwards.
 */
export interface Following {
  /** Of a change that is durable already, and stays so. Where it cannot be followed now, that is owed. */
  follow(change: ListsChange): Promise<void>;
  /** @throws what keeps them from it: until then nothing may leave, and no column change */
  caughtUp(): Promise<void>;
}

/** @param onChange fails where a change could not be followed; it is told again, and takes in twice what it has */
export function createFollowing(onChange: (change: ListsChange) => Promise<void> | void): Following {
  const owed: ListsChange[] = [];
  const inTurn = createMutex();
  let isBehind = false;

  const catchUp = (): Promise<void> =>
    inTurn(async () => {
      try {
        for (let next = owed[0]; next; next = owed[0]) {
          await onChange(next);
          owed.shift();
        }
        isBehind = false;
      } catch (error) {
        isBehind = true;
        throw error;
      }
    });

  return {
    async follow(change) {
      owed.push(change);
      await catchUp().catch(() => undefined);
    },
    caughtUp: () => (isBehind ? catchUp() : Promise.resolve()),
  };
}
