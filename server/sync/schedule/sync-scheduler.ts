import type { Clock } from '../../base/clock.ts';
import type { Node } from '../../federation/model.ts';
import type { Fetching } from './fetching.ts';
import type { Listening } from './listening.ts';
import type { FailureState } from './failure-state.ts';
import { stopsFetching } from '../../federation/partners/pausing.ts';
import { hasTokenExpired, msUntilTokenExpiry } from './token-end.ts';

/** Milliseconds between checks while changes are announced. */
const SAFETY_NET = 10 * 60_000;

interface PlanningDeps {
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds between checks when all is well. */
  readonly interval: () => number;
}

/** Shorten or prolong the pause before the next try. */
interface PauseFactors {
  readonly trouble: Pick<FailureState, 'retryDelayMs' | 'current'>;
  readonly listening: Pick<Listening, 'isLive'>;
  readonly resting: Pick<Fetching['backoff'], 'nextRetryMs'>;
}

/** Decides when a partner is asked next. */
export class SyncScheduler {
  readonly #deps: PlanningDeps;
  readonly #standing: PauseFactors;
  readonly #alarm: Timer;
  /** Monotonic. */
  #triedAt = -Infinity;

  constructor(deps: PlanningDeps, standing: PauseFactors, onDue: () => void) {
    this.#deps = deps;
    this.#standing = standing;
    this.#alarm = new Timer(deps.clock, onDue);
  }

  /** Milliseconds since the epoch, by the system clock. */
  get nextAt(): number | undefined {
    return this.#alarm.dueAtWallClock;
  }

  /** Notes a try's start and cancels the timer until the next {@link plan}. */
  begin(): void {
    this.#alarm.clear();
    this.#triedAt = this.#deps.clock.monotonic();
  }

  /** Schedules a try in so many milliseconds, replacing the plan. */
  scheduleIn(within: number): void {
    this.#alarm.setIn(within);
  }

  /** Cancels the timer; the due time stays known. */
  cancel(): void {
    this.#alarm.cancel();
  }

  /** Replaces the plan by the partner's record; plans nothing for one that is gone. */
  plan(node: Node | undefined): void {
    this.#alarm.clear();
    const within = node && this.#nextWake(node, () => this.#pauseMs());
    if (within !== undefined) this.#alarm.setIn(within);
  }

  /** Schedules a check at a known end, as of a pause or token, if earlier than the plan. */
  planEnd(node: Node): void {
    const within = this.#nextWake(node, () => Infinity);
    const { dueAt = Infinity } = this.#alarm;
    if (within !== undefined && this.#deps.clock.monotonic() + within < dueAt) this.#alarm.setIn(within);
  }

  /**
   * While failures delay the next try, moves it forward to one interval after the last; not if the partner is busy or
   * paused.
   */
  limitToInterval(): void {
    const { current } = this.#standing.trouble;
    const { dueAt } = this.#alarm;
    const isTimed = current === undefined || current.kind === 'busy' || current.kind === 'paused';
    if (isTimed || dueAt === undefined) return;
    const now = this.#deps.clock.monotonic();
    const soonest = Math.max(now, this.#triedAt + this.#deps.interval());
    if (dueAt > soonest) this.#alarm.setIn(soonest - now);
  }

  /** Returns {@link msUntilNextWake} by our clock and interval. */
  #nextWake(node: Node, usualPause: () => number): number | undefined {
    return msUntilNextWake(node, this.#deps.clock.now(), { interval: this.#deps.interval(), usualPause });
  }

  /**
   * Returns milliseconds: after a failure the backoff; else the interval with jitter, longer while the partner
   * announces changes, but at most until a list's next retry.
   */
  #pauseMs(): number {
    const { trouble, listening, resting } = this.#standing;
    const afterTrouble = trouble.retryDelayMs(this.#deps.clock.monotonic() - this.#triedAt);
    if (afterTrouble !== undefined) return afterTrouble;
    const interval = this.#deps.interval();
    const pause = listening.isLive ? Math.max(SAFETY_NET, interval) : interval;
    return Math.min(pause * (0.9 + this.#deps.random() / 10), resting.nextRetryMs);
  }
}

/**
 * Returns the milliseconds until a partner must be looked at: for the next try (`usualPause`), the end of a pause or
 * token, or (after `interval`) whether a wrong clock that ended it was set back. Undefined if only an event changes
 * anything.
 */
export function msUntilNextWake(
  node: Node,
  now: number,
  { interval, usualPause }: { readonly interval: number; readonly usualPause: () => number },
): number | undefined {
  // Nothing signals a corrected clock.
  if (node.status !== 'paired' && node.endedByTime === true) return interval;
  if (node.status !== 'paired') return undefined;
  const until = node.paused?.until;
  const wakes = [
    hasTokenExpired(node, now) ? undefined : msUntilTokenExpiry(node, now),
    until === undefined ? undefined : msUntilPauseCheck(Date.parse(until) - now),
    stopsFetching(node) ? undefined : usualPause(),
  ].filter((each) => each !== undefined);
  return wakes.length > 0 ? Math.min(...wakes) : undefined;
}

const A_MINUTE = 60_000;
const AN_HOUR = 60 * A_MINUTE;

/** Within an hour, as the clock may be set back. */
const msUntilPauseCheck = (within: number): number => (within > 0 ? Math.min(within, AN_HOUR) : A_MINUTE);

/** A restartable timer. */
class Timer {
  readonly #clock: Pick<Clock, 'monotonic' | 'now' | 'after'>;
  readonly #ring: () => void;
  #cancel: (() => void) | undefined;
  #dueAt: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic' | 'now' | 'after'>, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Monotonic. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  /** The due time in milliseconds since the epoch, by the present system clock. */
  get dueAtWallClock(): number | undefined {
    return this.#dueAt === undefined ? undefined : this.#clock.now() + this.#dueAt - this.#clock.monotonic();
  }

  /** Calls back after so many milliseconds, replacing an earlier time. */
  setIn(milliseconds: number): void {
    this.#cancel?.();
    this.#dueAt = this.#clock.monotonic() + milliseconds;
    this.#cancel = this.#clock.after(milliseconds, this.#ring);
  }

  /** Cancels the timer and forgets the due time. */
  clear(): void {
    this.cancel();
    this.#dueAt = undefined;
  }

  /** Cancels the timer; the due time stays known. */
  cancel(): void {
    this.#cancel?.();
  }
}
