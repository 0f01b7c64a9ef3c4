import type { Clock } from '../../base/clock.ts';
import type { Node } from '../../federation/model.ts';
import { Timer } from './timer.ts';
import type { Fetching } from './fetching.ts';
import type { Listening } from './listening.ts';
import { nextWake } from './next-wake.ts';
import type { FailureState } from './failure-state.ts';

/** While the partner tells of changes by itself, checking on schedule is only a safety net. */
const SAFETY_NET = 10 * 60_000;

interface PlanningDeps {
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds between two checks when all is well. */
  readonly interval: () => number;
}

/** What makes the pause before the next try longer or shorter. */
interface Standing {
  readonly trouble: Pick<FailureState, 'pause' | 'current'>;
  readonly listening: Pick<Listening, 'isLive'>;
  readonly resting: Pick<Fetching['resting'], 'nextRetryMs'>;
}

/** When a partner is to be asked next. */
export class SyncScheduler {
  readonly #deps: PlanningDeps;
  readonly #standing: Standing;
  readonly #alarm: Timer;
  /** When the last try began, by the stopwatch. */
  #triedAt = -Infinity;

  constructor(deps: PlanningDeps, standing: Standing, onDue: () => void) {
    this.#deps = deps;
    this.#standing = standing;
    this.#alarm = new Timer(deps.clock, onDue);
  }

  /** Milliseconds since the epoch, by the clock on the wall. */
  get nextAt(): number | undefined {
    return this.#alarm.dueAtWallClock;
  }

  /** A try begins: nothing is planned until it has ended. */
  begin(): void {
    this.#alarm.clear();
    this.#triedAt = this.#deps.clock.monotonic();
  }

  /** Within so many milliseconds, in place of what was planned. */
  soon(within: number): void {
    this.#alarm.setIn(within);
  }

  /** Nothing begins by itself, though what was due stays due. */
  cancel(): void {
    this.#alarm.cancel();
  }

  /** Plans the next try anew, if there is to be one; `undefined`: there is no such partner any more. */
  plan(node: Node | undefined): void {
    this.#alarm.clear();
    const within = node && this.#nextWake(node, () => this.#usualPause());
    if (within !== undefined) this.#alarm.setIn(within);
  }

  /** What ends at a known moment, such as a pause of the partner's reading alone, is looked at then and not with the next pull. */
  planEnd(node: Node): void {
    const within = this.#nextWake(node, () => Infinity);
    const { dueAt = Infinity } = this.#alarm;
    if (within !== undefined && this.#deps.clock.monotonic() + within < dueAt) this.#alarm.setIn(within);
  }

  /** The partner is there: the pause after failures gets no longer than the usual interval, unless it asked for it. */
  noLaterThanUsual(): void {
    const { current } = this.#standing.trouble;
    const { dueAt } = this.#alarm;
    const isTimed = current === undefined || current.kind === 'busy' || current.kind === 'paused';
    if (isTimed || dueAt === undefined) return;
    const now = this.#deps.clock.monotonic();
    const soonest = Math.max(now, this.#triedAt + this.#deps.interval());
    if (dueAt > soonest) this.#alarm.setIn(soonest - now);
  }

  #nextWake(node: Node, usualPause: () => number): number | undefined {
    return nextWake(node, this.#deps.clock.now(), { interval: this.#deps.interval(), usualPause });
  }

  #usualPause(): number {
    const { trouble, listening, resting } = this.#standing;
    const afterTrouble = trouble.pause(this.#deps.clock.monotonic() - this.#triedAt);
    if (afterTrouble !== undefined) return afterTrouble;
    const interval = this.#deps.interval();
    const pause = listening.isLive ? Math.max(SAFETY_NET, interval) : interval;
    // Never later than said: whoever is asked every minute is asked within the minute.
    return Math.min(pause * (0.9 + this.#deps.random() / 10), resting.nextRetryMs);
  }
}
