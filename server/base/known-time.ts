/** A starting point for elapsed time, independent of later changes of the system clock. */
export interface PassedMark {
  /** Milliseconds since the Unix epoch by the system clock. */
  readonly wall: number;
  /** Elapsed time by then. */
  readonly seen: number;
}

/** Time that doesn't rely on the system clock alone (`server/store/engine/believed-time.ts`). */
export interface KnownTime {
  /** Milliseconds since the Unix epoch; a clock that jumps ahead doesn't move it along. */
  readonly believed: () => number;
  /** High-water mark of {@link believed}: an end that is set by a clock that was put back would come too soon. */
  readonly reached: () => number;
  /** Elapsed milliseconds, nights included; continues over restarts. */
  readonly seen: () => number;
}

/** Fallback without persisted time: trusts the system clock. */
export function clockAlone(clock: { now(): number; monotonic(): number }): KnownTime {
  return { believed: () => clock.now(), reached: () => clock.now(), seen: () => clock.monotonic() };
}
