/** A moment from which time is counted, whatever becomes of the computer's clock meanwhile. */
export interface PassedMark {
  /** Milliseconds since the Unix epoch, as the clock said. */
  readonly wall: number;
  /** What had been seen to pass by then. */
  readonly seen: number;
}

/** What is known of the time beside the clock's word alone (`server/store/engine/believed-time.ts`). */
export interface KnownTime {
  /** Milliseconds since the Unix epoch; no clock that leaps ahead takes it along. */
  readonly believed: () => number;
  /** What {@link believed} had come to, though the clock was put back since: an end that is set by that clock would be over too soon. */
  readonly reached: () => number;
  /** Milliseconds that were seen to pass, nights included; it goes on from one run of the program to the next. */
  readonly seen: () => number;
}

/** What is said of a clock of which nothing but itself is known. */
export function clockAlone(clock: { now(): number; monotonic(): number }): KnownTime {
  return { believed: () => clock.now(), reached: () => clock.now(), seen: () => clock.monotonic() };
}
