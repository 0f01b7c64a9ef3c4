import type { Clock } from '../../base/clock.ts';

/** One answer may take so much beyond the usual interval. */
export const GRACE_MS = 10_000;

/** Timers may fire early by so much. */
const TIMER_SLACK_MS = 20;

export interface LastContact {
  /** ISO 8601, by the system clock. */
  readonly at: string;
  readonly fresh: boolean;
  /** It stays recent for so many milliseconds; 0 if it isn't. */
  readonly freshFor: number;
}

export interface LastSeen {
  /** Records a contact now, restarts the expiry timer and calls `onChange` if there was no recent one. */
  record(): void;
  /** Returns the last contact, whether it is recent and for how long; undefined if there was none. */
  lastContact(): LastContact | undefined;
  forget(): void;
}

/**
 * Creates the record of a last contact, in memory. @param bound a contact counts as recent for so many milliseconds
 * @param onChange it isn't recent any more, or is again
 */
export function createLastSeen(
  clock: Clock,
  bound: () => number,
  onChange: () => void = () => undefined,
): LastSeen {
  let last: { readonly wall: number; readonly real: number } | undefined;
  let cancel: (() => void) | undefined;

  /** Returns the last contact and for how many milliseconds it stays recent; undefined if there was none. */
  function lastContact(): LastContact | undefined {
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
    /** Records a contact, restarts the expiry timer and calls `onChange` if there was no recent one. */
    record() {
      const isNews = lastContact()?.fresh !== true;
      last = { wall: clock.now(), real: clock.monotonic() };
      cancel?.();
      cancel = clock.after(bound() + TIMER_SLACK_MS, onChange);
      if (isNews) onChange();
    },
    lastContact,
    forget() {
      last = undefined;
      cancel?.();
    },
  };
}
