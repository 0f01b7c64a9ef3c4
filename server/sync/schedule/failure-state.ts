import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';
import { farApart } from '../../federation/partners/clocks.ts';
import { PartnerEndedError, TokenRejectedError } from '../../peer/guard/errors.ts';
import { said } from '../../words/said.ts';
import type { SyncFederation } from '../ports.ts';
import { failureOf, nextProblem, type Failure } from '../status/problems.ts';
import type { Problem } from '../status/partner-facts.ts';
import { longestUnreached, pauseAfter } from './backoff.ts';
import type { SyncLog } from './sync-log.ts';
import { hasEnded } from './token-end.ts';
import { createTokenRefusals, type TokenRefusals } from './token-refusals.ts';

/** What is shown once our token was refused so often that the connection counts as ended. */
const NOT_ACCEPTED = said('pull.no-longer-accepted');

export interface FailureStateDeps {
  readonly clock: Clock;
  readonly federation: Pick<SyncFederation, 'nodes' | 'disconnects'>;
  readonly notes: Pick<SyncLog, 'failed'>;
  readonly log: Pick<Logger, 'error'>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds between two checks when all is well. */
  readonly interval: () => number;
}

/** What keeps the pulls of one partner from going well: what it is, how often in a row, and what it comes to. */
export class FailureState {
  readonly #nodeID: string;
  readonly #deps: FailureStateDeps;
  readonly #refusals: TokenRefusals;
  #problem: Problem | undefined;
  #failures = 0;
  #retryAfter = 0;

  constructor(nodeID: string, deps: FailureStateDeps) {
    this.#nodeID = nodeID;
    this.#deps = deps;
    this.#refusals = createTokenRefusals(deps.clock);
  }

  get current(): Problem | undefined {
    return this.#problem;
  }

  /** A pull went well. */
  clear(): void {
    this.#problem = undefined;
    this.#failures = 0;
    this.#refusals.clear();
  }

  /** The way to the partner is another one now, or there is none. What ended a connection is shown until there is one. */
  connectionChanged(to: { readonly moved: boolean; readonly isPaired: boolean }): void {
    this.#failures = 0;
    if (this.#problem?.kind !== 'ended' || to.isPaired) this.#problem = undefined;
    if (to.moved) this.#refusals.clear();
  }

  /** Milliseconds until the next try after one that took so long and went wrong; undefined: as usual. */
  pause(took: number): number | undefined {
    // A partner that has paused is no partner that fails: it is looked after as usual.
    if (this.#failures === 0 || this.#problem?.kind === 'paused') return undefined;
    const { random, interval } = this.#deps;
    const longest = this.#problem?.kind === 'unreachable' ? longestUnreached(interval(), took) : undefined;
    return pauseAfter(this.#failures, random(), this.#retryAfter, longest);
  }

  /** One more pull failed: it is written down, and so is that the connection has ended where it comes to that. */
  async record(error: unknown): Promise<void> {
    const { clock, log, notes } = this.#deps;
    const nodeID = this.#nodeID;
    const failure = failureOf(error, clock.now());
    if (await this.#isOutOfReach(failure)) {
      this.#failures++;
      return;
    }
    const isNew = this.#problem?.kind !== failure.kind;
    this.#becomes(failure);
    this.#failures++;
    this.#retryAfter = failure.retryAfter;
    if (failure.kind === 'internal') log.error({ err: error, nodeID }, 'sync failed');
    // Neither must hide what went wrong; with a full disk both fail.
    const noted = (err: unknown): void =>
      log.error({ err, nodeID }, 'a failed sync could not be written down');
    if (isNew) await notes.failed(nodeID, failure).catch(noted);
    await this.#endsWith(error).catch(noted);
  }

  #becomes(failure: Failure): void {
    const now = new Date(this.#deps.clock.now()).toISOString();
    this.#problem = nextProblem(this.#problem, failure, now);
  }

  /** The partner is known to be where our calls do not get; it calls us, and nothing is amiss. */
  async #isOutOfReach({ kind }: Failure): Promise<boolean> {
    if (kind !== 'unreachable' && kind !== 'address') return false;
    const node = await this.#deps.federation.nodes.get(this.#nodeID).catch(() => undefined);
    return node?.reach === 'they-call-us';
  }

  /** Writes down that the connection has ended, where that is what the failure comes to. */
  async #endsWith(error: unknown): Promise<void> {
    const { clock, federation } = this.#deps;
    if (error instanceof PartnerEndedError) {
      await federation.disconnects.endedByPartner(this.#nodeID, error.farewell);
      return;
    }
    if (error instanceof TokenRejectedError && !farApart(error.at, clock.now()) && this.#refusals.add()) {
      this.#becomes({ kind: 'ended', message: NOT_ACCEPTED, retryAfter: 0 });
      await federation.disconnects.markEnded(this.#nodeID, NOT_ACCEPTED);
      return;
    }
    const node = await federation.nodes.get(this.#nodeID).catch(() => undefined);
    if (node && hasEnded(node, clock.now())) await federation.disconnects.markEndedByTime(this.#nodeID);
  }
}
