import type { Clock } from '../../base/clock.ts';

/**
 * How long beyond the usual interval a partner may take before it counts as not heard from: the time for one
 * answer. Up to date means heard from within the interval and this.
 */
export const SLACK = 10_000;

/** Timers may come a little early. */
const A_MOMENT = 20;

/** When something last happened, and whether that is recent enough to go by. */
export interface Contact {
  /** ISO 8601, by the clock on the wall. */
  readonly at: string;
  readonly fresh: boolean;
  /** Milliseconds for which it stays fresh; 0 when it is not. */
  readonly freshFor: number;
}

/** The memory of something that has to happen again and again, which grows old by itself. */
export interface ContactMemory {
  /** It happened now. */
  note(): void;
  /** Undefined: it never did. */
  contact(): Contact | undefined;
  forget(): void;
}

/**
 * Age is the longer of what the stopwatch and the clock on the wall say: the stopwatch stands still while the
 * computer sleeps, the clock on the wall may be put back.
 * @param bound milliseconds until it is old, as of now
 * @param onChange told when it has grown old, and when it is not old any more
 */
export function createContactMemory(
  clock: Clock,
  bound: () => number,
  onChange: () => void = () => undefined,
): ContactMemory {
  let last: { readonly wall: number; readonly real: number } | undefined;
  let cancel: (() => void) | undefined;

  function contact(): Contact | undefined {
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
    note() {
      const isNews = contact()?.fresh !== true;
      last = { wall: clock.now(), real: clock.monotonic() };
      cancel?.();
      cancel = clock.after(bound() + A_MOMENT, onChange);
      if (isNews) onChange();
    },
    contact,
    forget() {
      last = undefined;
      cancel?.();
    },
  };
}
