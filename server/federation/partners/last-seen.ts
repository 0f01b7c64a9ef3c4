import type { Clock } from '../../base/clock.ts';

/** Grace period beyond the usual interval, for one answer. */
export const GRACE_MS = 10_000;

/** Tolerance for timers that fire early. */
const TIMER_SLACK_MS = 20;

/** When something last happened, and whether it is recent. */
export interface LastContact {
  /** ISO 8601, by the system clock. */
  readonly at: string;
  readonly fresh: boolean;
  /** Milliseconds for which it stays recent; 0 if it isn't. */
  readonly freshFor: number;
}

export interface LastSeen {
  /** Records that it happened now. */
  record(): void;
  /** Undefined if never. */
  contact(): LastContact | undefined;
  forget(): void;
}

/**
 * Creates the record of a last contact, in memory. @param bound returns for how many milliseconds a contact counts as
 * recent @param onChange it isn't recent any more, or is again
 */
export function createLastSeen(
  clock: Clock,
  bound: () => number,
  onChange: () => void = () => undefined,
): LastSeen {
  let last: { readonly wall: number; readonly real: number } | undefined;
  let cancel: (() => void) | undefined;

  /** Returns the time of the last contact, whether it is recent and for how long; undefined if there was none. */
  function contact(): LastContact | undefined {
    if (!last) return undefined;
    const age = Math.max(clock.monotonic() - last.real, clock.now() - last.wall);
    const left = bound() - age;
    return {
      at: new Date(clock.now() - age).toISOString(),
      fresh: left >= 0,
      freshFor: Math.max(0, left),
    };
  }

  return {
    /** Records a contact now, restarts the expiry timer and calls `onChange` if there was no recent one. */
    record() {
      const isNews = contact()?.fresh !== true;
      last = { wall: clock.now(), real: clock.monotonic() };
      cancel?.();
      cancel = clock.after(bound() + TIMER_SLACK_MS, onChange);
      if (isNews) onChange();
    },
    contact,
    /** Forgets the last contact and cancels the expiry timer, without `onChange`. */
    forget() {
      last = undefined;
      cancel?.();
    },
  };
}
