import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { describeClockSkew } from '../../federation/partners/clocks.ts';
import { PartnerEndedError, TokenRejectedError } from '../../peer/guard/errors.ts';
import { said } from '../../words/said.ts';
import type { SyncFederation } from '../ports.ts';
import { toFailure, nextProblem, type Failure } from '../status/problems.ts';
import type { Problem } from '../status/partner-facts.ts';
import { longestUnreachedPauseMs, retryDelayMs } from './backoff.ts';
import type { SyncLog } from './sync-log.ts';
import { hasTokenExpired } from './token-end.ts';

const NOT_ACCEPTED = said('pull.no-longer-accepted');

export interface FailureStateDeps {
  readonly clock: Clock;
  readonly federation: Pick<SyncFederation, 'nodes' | 'disconnects'>;
  readonly notes: Pick<SyncLog, 'recordFailure'>;
  readonly log: Pick<Logger, 'error'>;
  /** 0 to 1. */
  readonly random: () => number;
  /** Milliseconds between checks when all is well. */
  readonly interval: () => number;
}

/** A partner's consecutive pull failures, which may end the connection. */
export class FailureState {
  readonly #nodeID: string;
  readonly #deps: FailureStateDeps;
  readonly #refusals: TokenRefusals;
  readonly #earlierTime: () => number;
  #problem: Problem | undefined;
  #failures = 0;
  #retryAfter = 0;

  /** @param earlierTime our clock's time, or the partner's where that is noticeably earlier */
  constructor(nodeID: string, deps: FailureStateDeps, earlierTime: () => number) {
    this.#nodeID = nodeID;
    this.#deps = deps;
    this.#earlierTime = earlierTime;
    this.#refusals = createTokenRefusals(deps.clock);
  }

  get current(): Problem | undefined {
    return this.#problem;
  }

  /** Forgets problem, failures and refusals, after a success. */
  clear(): void {
    this.#problem = undefined;
    this.#failures = 0;
    this.#refusals.clear();
  }

  /**
   * Forgets the failures, the problem, unless that ended the connection and it isn't paired again, and, if address or
   * token changed (`moved`), the token's refusals.
   */
  forgetFormerConnection(to: { readonly moved: boolean; readonly isPaired: boolean }): void {
    this.#failures = 0;
    if (this.#problem?.kind !== 'ended' || to.isPaired) this.#problem = undefined;
    if (to.moved) this.#refusals.clear();
  }

  /**
   * Returns milliseconds until the next try; undefined for the usual interval, after a success or while the partner
   * pauses. `took`: the last try's milliseconds.
   */
  retryDelayMs(took: number): number | undefined {
    if (this.#failures === 0 || this.#problem?.kind === 'paused') return undefined;
    const { random, interval } = this.#deps;
    const longest =
      this.#problem?.kind === 'unreachable' ? longestUnreachedPauseMs(interval(), took) : undefined;
    return retryDelayMs(this.#failures, random(), this.#retryAfter, longest);
  }

  /**
   * Records a problem for the status, an activity if it is new, and the connection's end if the error shows that. Hides
   * failed calls to a partner that only calls us. Logs its own errors.
   */
  async record(error: unknown): Promise<void> {
    const { clock, log, notes } = this.#deps;
    const nodeID = this.#nodeID;
    const failure = toFailure(error, clock.now());
    if (await this.#isExpected(failure)) {
      this.#failures++;
      return;
    }
    const isNew = this.#problem?.kind !== failure.kind;
    this.#setProblem(failure);
    this.#failures++;
    this.#retryAfter = failure.retryAfter;
    if (failure.kind === 'internal') log.error({ err: error, nodeID }, 'sync failed');
    // With a full disk both fail, and neither may hide the other.
    const noted = (err: unknown): void =>
      log.error({ err, nodeID }, 'a failed sync could not be written down');
    if (isNew) await notes.recordFailure(nodeID, failure).catch(noted);
    await this.#recordEnd(error).catch(noted);
  }

  /** Replaces the problem shown by this failure, and keeps its first time if it is of the same kind. */
  #setProblem(failure: Failure): void {
    const now = new Date(this.#deps.clock.now()).toISOString();
    this.#problem = nextProblem(this.#problem, failure, now);
  }

  /**
   * Returns whether only our call to a partner failed that can't be called: its address is unreachable or refused, and
   * it only calls us.
   */
  async #isExpected({ kind }: Failure): Promise<boolean> {
    if (kind !== 'unreachable' && kind !== 'address') return false;
    const node = await this.#deps.federation.nodes.get(this.#nodeID).catch(() => undefined);
    return node?.reach === 'they-call-us';
  }

  /**
   * Ends the connection if the error shows its end: the partner said so or, while the clocks agree, repeatedly refused
   * our token, or the token expired by both clocks.
   */
  async #recordEnd(error: unknown): Promise<void> {
    const { clock, federation } = this.#deps;
    if (error instanceof PartnerEndedError) {
      await federation.disconnects.recordEndedByPartner(this.#nodeID, error.farewell);
      return;
    }
    if (
      error instanceof TokenRejectedError &&
      !describeClockSkew(error.at, clock.now()) &&
      this.#refusals.add()
    ) {
      this.#setProblem({ kind: 'ended', message: NOT_ACCEPTED, retryAfter: 0 });
      await federation.disconnects.markEnded(this.#nodeID, NOT_ACCEPTED);
      return;
    }
    const node = await federation.nodes.get(this.#nodeID).catch(() => undefined);
    if (node && hasTokenExpired(node, this.#earlierTime()))
      await federation.disconnects.markEndedByTime(this.#nodeID);
  }
}

/** So many refusals over so many milliseconds invalidate a token. */
const MIN_TIMES = 4;
const MIN_TIME = 5 * 60_000;

interface TokenRefusals {
  /** Returns true from the fourth in a row, at least five minutes after the first. */
  add(): boolean;
  /** Call it after a success. */
  clear(): void;
}

/**
 * Counts consecutive refusals of our token: `add` returns true once there were several over some time, which shows the
 * connection's end.
 */
export function createTokenRefusals(clock: Pick<Clock, 'monotonic'>): TokenRefusals {
  let times = 0;
  let first = 0;
  return {
    /** Counts a refusal; returns whether there were enough over long enough. */
    add() {
      if (times === 0) first = clock.monotonic();
      times++;
      return times >= MIN_TIMES && clock.monotonic() - first >= MIN_TIME;
    },
    /** Restarts the count, after a success. */
    clear() {
      times = 0;
    },
  };
}
