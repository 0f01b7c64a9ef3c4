import type { Clock } from '../../base/clock.ts';

/** An answer's delay beyond the usual interval. */
export const GRACE_MS = 10_000;

/** Timers may fire this early. */
const TIMER_SLACK_MS = 20;

export interface LastContact {
  /** ISO 8601, by the system clock. */
  readonly at: string;
  readonly fresh: boolean;
  /** Milliseconds until no longer recent. */
  readonly freshFor: number;
}

export interface LastSeen {
  /** Records a contact, restarts the expiry timer; calls `onChange` if there was no recent one. */
  record(): void;
  /** Returns the last contact and its freshness; undefined before the first. */
  lastContact(): LastContact | undefined;
  /** Forgets the contact and stops the timer. */
  forget(): void;
}

/**
 * Creates the record of a last contact, in memory; `lastContact` is undefined before the first.
 * @param bound milliseconds for which a contact is recent
 * @param onChange it isn't any more, or is again
 */
export function createLastSeen(
  clock: Clock,
  bound: () => number,
  onChange: () => void = () => undefined,
): LastSeen {
  let last: { readonly wall: number; readonly real: number } | undefined;
  let cancel: (() => void) | undefined;

  /**
   * Returns when the last contact was, by the clock that shows the greater age, whether that is recent and for how
   * long; undefined before the first.
   */
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
    /** Records a contact now; calls `onChange` if the last one wasn't recent, and again once this one isn't. */
    record() {
      const isNews = lastContact()?.fresh !== true;
      last = { wall: clock.now(), real: clock.monotonic() };
      cancel?.();
      cancel = clock.after(bound() + TIMER_SLACK_MS, onChange);
      if (isNews) onChange();
    },
    lastContact,
    /** Forgets the contact and stops the timer. */
    forget() {
      last = undefined;
      cancel?.();
    },
  };
}
