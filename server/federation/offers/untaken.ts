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
  const waits = new Map<string, { readonly taken: string; readonly from: number; cancel(): void }>();
  return {
    isSo(nodeID, waiting, taken) {
      const known = waits.get(nodeID);
      if (waiting > 0 && known?.taken === taken) return clock.monotonic() - known.from > bound(nodeID);
      known?.cancel();
      waits.delete(nodeID);
      if (waiting === 0) return false;
      const cancel = clock.after(bound(nodeID) + A_MOMENT, () => onChange(nodeID));
      waits.set(nodeID, { taken, from: clock.monotonic(), cancel });
      return false;
    },
  };
}
