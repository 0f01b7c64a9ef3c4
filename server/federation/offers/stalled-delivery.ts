import type { Clock } from '../../base/clock.ts';

/** Detects changes that wait for a partner which keeps asking but applies none of them. */
export interface StalledDelivery {
  /**
   * Returns whether it has applied nothing for longer than usual. @param waiting changes that it isn't known
   * to have @param taken differs as soon as it has applied any
   */
  isStalled(nodeID: string, waiting: number, taken: string): boolean;
}

interface Wait {
  readonly taken: string;
  readonly from: number;
  cancel: () => void;
}

/** Tolerance for timers that fire early. */
const TIMER_SLACK_MS = 20;

/**
 * @param bound milliseconds that a change may take to a partner @param onChange called when the result may
 * have become true
 */
export function createStalledDelivery(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  bound: (nodeID: string) => number,
  onChange: (nodeID: string) => void,
): StalledDelivery {
  const waits = new Map<string, Wait>();

  /** The bound may grow meanwhile: then it is checked again later. */
  function lookWhenDue(nodeID: string, wait: Wait): void {
    const left = wait.from + bound(nodeID) - clock.monotonic();
    wait.cancel = clock.after(left + TIMER_SLACK_MS, () => {
      if (clock.monotonic() - wait.from > bound(nodeID)) onChange(nodeID);
      else lookWhenDue(nodeID, wait);
    });
  }

  return {
    isStalled(nodeID, waiting, taken) {
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
