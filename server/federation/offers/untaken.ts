import type { Clock } from '../../base/clock.ts';

/** Notices where changes wait for a partner that asks again and again, but takes none of them in. */
export interface Untaken {
  /**
   * Whether it has taken in nothing for longer than is usual.
   * @param waiting changes that it is not known to have
   * @param taken differs as soon as it has taken in any
   */
  isSo(nodeID: string, waiting: number, taken: string): boolean;
}

interface Wait {
  readonly taken: string;
  readonly from: number;
  cancel: () => void;
}

/** Timers may come a little early. */
const A_MOMENT = 20;

/**
 * @param bound milliseconds that a change may be on its way to a partner
 * @param onChange told when it may have become so
 */
export function createUntaken(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  bound: (nodeID: string) => number,
  onChange: (nodeID: string) => void,
): Untaken {
  const waits = new Map<string, Wait>();

  /** The bound may grow meanwhile: then it is looked at again when that is over. */
  function lookWhenDue(nodeID: string, wait: Wait): void {
    const left = wait.from + bound(nodeID) - clock.monotonic();
    wait.cancel = clock.after(left + A_MOMENT, () => {
      if (clock.monotonic() - wait.from > bound(nodeID)) onChange(nodeID);
      else lookWhenDue(nodeID, wait);
    });
  }

  return {
    isSo(nodeID, waiting, taken) {
      const known = waits.get(nodeID);
      if (waiting > 0 && known?.taken === taken) return clock.monotonic() - known.from > bound(nodeID);
      known?.cancel();
      waits.delete(nodeID);
      if (waiting === 0) return false;
      const wait: Wait = { taken, from: clock.monotonic(), cancel: () => undefined };
      waits.set(nodeID, wait);
      lookWhenDue(nodeID, wait);
      return false;
    },
  };
}
