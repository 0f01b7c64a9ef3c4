import type { Clock } from '../../base/clock.ts';

/** Grace period beyond the usual interval, for one answer. Up to date means heard from within both. */
export const SLACK = 10_000;

/** Tolerance for timers that fire early. */
const A_MOMENT = 20;

/** When something last happened, and whether it is recent. */
export interface Contact {
  /** ISO 8601, by the system clock. */
  readonly at: string;
  readonly fresh: boolean;
  /** Milliseconds for which it stays recent; 0 if it isn't. */
  readonly freshFor: number;
}

/** Last-seen timestamp with an expiry. */
export interface ContactMemory {
  /** Records that it happened now. */
  note(): void;
  /** Undefined: never. */
  contact(): Contact | undefined;
  forget(): void;
}

/**
 * Age is the longer of monotonic and system time: the first stops during sleep, the second may be set back.
 * @param bound milliseconds until it expires, as of now @param onChange called when it expires, and when it
 * is recent again
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
