/** A starting point for elapsed time, independent of later changes of the system clock. */
export interface TimeAnchor {
  /** Milliseconds since the Unix epoch by the system clock. */
  readonly wall: number;
  /** The elapsed milliseconds by then. */
  readonly seen: number;
}

/** Time that doesn't rely on the system clock alone (`server/store/engine/slewed-clock.ts`). */
export interface TrustedClock {
  /** Milliseconds since the Unix epoch; a clock that jumps ahead doesn't move it along. */
  readonly now: () => number;
  /** The greatest value of {@link now}: an end set by a clock that was put back would come too soon. */
  readonly highWater: () => number;
  /** Elapsed milliseconds, nights included; continues over restarts. */
  readonly elapsed: () => number;
}

/** Returns a clock that trusts the system clock, for where no persisted time is. */
export function systemClockOnly(clock: { now(): number; monotonic(): number }): TrustedClock {
  return { now: () => clock.now(), highWater: () => clock.now(), elapsed: () => clock.monotonic() };
}
