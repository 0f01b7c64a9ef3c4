/** A starting point for elapsed time, independent of later clock changes. */
export interface TimeAnchor {
  /** Milliseconds since the Unix epoch by the system clock. */
  readonly wall: number;
  /** Elapsed milliseconds by then. */
  readonly seen: number;
}

/** Doesn't rely on the system clock alone (`server/store/engine/slewed-clock.ts`). */
export interface TrustedClock {
  /** Milliseconds since the Unix epoch; unmoved by a clock that jumps ahead. */
  readonly now: () => number;
  /** The greatest value of {@link now}: ends set by a clock put back would come too soon. */
  readonly highWater: () => number;
  /** Elapsed milliseconds, with sleep, across restarts. */
  readonly elapsed: () => number;
}

/** Returns a clock that trusts the system clock, for where no persisted time is. */
export function systemClockOnly(clock: { now(): number; monotonic(): number }): TrustedClock {
  return { now: () => clock.now(), highWater: () => clock.now(), elapsed: () => clock.monotonic() };
}
