import type { Logger } from 'pino';
import type { Node } from '../../federation/model.ts';
import type { Peer } from '../../peer/peer.ts';
import type { RouteTest } from '../../peer/transport/dispatcher.ts';
import type { ApplyCounts } from '../../lists/definitions/model.ts';
import type { PullJob } from '../pull/job.ts';
import {
  isStillMapped,
  pullPartner,
  sumWritten,
  type ListResult,
  type RunDeps,
  type RunResult,
  type WrittenRows,
} from '../pull/pull-partner.ts';
import { digestOfMatches } from '../status/choice.ts';
import { listKey } from '../status/list-states.ts';
import type { SyncLog } from './sync-log.ts';
import { createProgressMeter, type Progress, type ProgressMeter } from './progress.ts';
import type { RunRequest } from './pending-work.ts';
import { createStallDetector, type StallDetector } from './stall-detector.ts';
import type { ProgressReporter } from './progress-reporter.ts';
import type { Clock } from '../../base/clock.ts';
import { retryDelayMs } from './backoff.ts';
import {
  ForeignProgramError,
  hasStatus,
  HTMLResponseError,
  ProtocolViolationError,
  RequestRefusedError,
  TokenRejectedError,
} from '../../peer/guard/errors.ts';

export interface FetchingDeps extends RunDeps {
  readonly notes: Pick<SyncLog, 'recordListResult' | 'recordInterruptedList'>;
  readonly log: Pick<Logger, 'error'>;
  /** 0 to 1. */
  readonly random: () => number;
  readonly onProgress: (progress: Progress) => void;
}

interface FetchingEvents {
  readonly reporter: ProgressReporter;
  readonly onPage: () => void;
  /** Called when the pull stalls or continues. */
  readonly onStallChange: () => void;
}

/** Fetches a partner's rows; tracks current list, progress, and lists that back off. */
export class Fetching {
  readonly backoff: ListBackoff;
  readonly #nodeID: string;
  readonly #deps: FetchingDeps;
  readonly #events: FetchingEvents;
  readonly #meter: ProgressMeter;
  readonly #stallDetector: StallDetector;
  #peer: Pick<Peer, 'endSilentRoutes'> | undefined;
  #isTestingRoutes = false;
  /** Last test of the stalled pull's routes. */
  #found: RouteTest | 'under-way' | undefined;
  #current: { readonly job: PullJob; readonly drop: () => void } | undefined;
  /** Matches at the last start, as text; undefined before the first pull. */
  #matched: string | undefined;
  #written: WrittenRows = new Map();

  constructor(nodeID: string, deps: FetchingDeps, events: FetchingEvents) {
    this.#nodeID = nodeID;
    this.#deps = deps;
    this.#events = events;
    this.backoff = new ListBackoff(deps.clock, deps.random);
    this.#meter = createProgressMeter(nodeID, deps.clock, deps.onProgress);
    this.#stallDetector = createStallDetector(deps.clock, () => {
      this.#testRoutes();
      events.onStallChange();
    });
  }

  get progress(): Progress | undefined {
    return this.#meter.current;
  }

  /** Milliseconds without data from the partner, once noticeable. */
  get stalledMs(): number | undefined {
    return this.#stallDetector.stalledMs();
  }

  /** The pull is stalled and its routes are being tested. */
  get isSearching(): boolean {
    return this.stalledMs !== undefined && (this.#found === 'under-way' || this.#found === 'ended');
  }

  /** The pull is stalled although the partner can be reached. */
  get isReached(): boolean {
    return this.stalledMs !== undefined && this.#found === 'reached';
  }

  /** Rows written by list since {@link pullPartner} began, until {@link end}; for an interrupted run. */
  get written(): WrittenRows {
    return this.#written;
  }

  /**
   * Pulls what is requested, and reports our progress in the background; {@link end} must follow. A failure makes the
   * peer avoid its route. Throws PartnerError (ForeignProgramError if another program answers at the address),
   * StoreError, or the signal's reason.
   */
  async pullRequested(peer: Peer, node: Node, request: RunRequest, signal: AbortSignal): Promise<RunResult> {
    this.#matched = await this.#readMatches();
    // The pull may fail; and since our data went back, the partner may overestimate it.
    void this.sendReport(peer.footbridge);
    this.#peer = peer;
    this.#stallDetector.watchPull(() => peer.quietFor());
    const running = pullPartner(this.#deps, peer, node, request, {
      signal,
      isBackingOff: (job) => this.backoff.isBackingOff(keyOfJob(job)),
      onPage: ({ module }, rows, total) => {
        this.#events.onPage();
        if (rows > 0) this.#meter.recordPage(module, rows, total);
      },
      onList: (list) => this.#recordResult(node, list),
      onInterrupted: (job, counts, milliseconds) => {
        this.#addWritten(job, counts);
        return this.#deps.notes.recordInterruptedList(node, job, counts, milliseconds);
      },
      onListStart: (job, drop) => (this.#current = { job, drop }),
    });
    const result = await running.catch(async (error: unknown) => {
      if (!signal.aborted) peer.avoidRouteOf(error);
      throw await attributeError(error, node, peer, signal);
    });
    return { ...result, written: this.#written };
  }

  /** Ends what {@link pullRequested} began: forgets the current list, the written counts and the watch for stalls. */
  end(): void {
    this.#current = undefined;
    this.#written = new Map();
    this.#stallDetector.end();
    this.#meter.end();
  }

  /**
   * Tests the partner's routes during a stall, one test at a time, and calls `onStallChange` with its result. Later
   * tests in the same stall show only if the last found a dead route.
   */
  #testRoutes(): void {
    if (this.stalledMs === undefined) this.#found = undefined;
    else if (!this.#isTestingRoutes) {
      const test = this.#peer?.endSilentRoutes();
      if (!test) return;
      this.#isTestingRoutes = true;
      this.#found ??= 'under-way';
      void test
        .catch(() => 'none' as const)
        .then((found) => {
          this.#isTestingRoutes = false;
          this.#found &&= found;
          this.#events.onStallChange();
        });
    }
  }

  /** Sends our progress report, if changed. Logs a failure and never rejects. */
  sendReport(calls: Peer['footbridge']): Promise<void> {
    const nodeID = this.#nodeID;
    return this.#events.reporter.send(calls).catch((err: unknown) => {
      this.#deps.log.error({ err, nodeID }, 'how far we have come could not be told');
    });
  }

  /** Stops fetching the current list if its mapping or columns changed; returns whether so. */
  async dropRemappedList(): Promise<boolean> {
    const inHand = this.#current;
    if (!inHand || (await isStillMapped(this.#deps, inHand.job))) return false;
    inHand.drop();
    return true;
  }

  /** Returns whether matches changed since the last pull began; false before the first. */
  async haveMatchesChanged(): Promise<boolean> {
    return this.#matched !== undefined && this.#matched !== (await this.#readMatches());
  }

  /** Returns a text that changes with any mapping of this partner. */
  async #readMatches(): Promise<string> {
    const each = (await this.#deps.federation.mappings.list(this.#nodeID)).map(
      (mapping) =>
        `${listKey(mapping.federationModuleID, mapping.composeModuleID)} ${digestOfMatches(mapping)}`,
    );
    return each.join();
  }

  /** Adds a list's counts to those of this run. */
  #addWritten(job: PullJob, counts: ApplyCounts): void {
    this.#written = sumWritten([this.#written, new Map([[keyOfJob(job), counts]])]);
  }

  /**
   * Ends a list: counts its rows, delays its next pull after an error, else ends that delay, and stores its state and
   * activity.
   */
  async #recordResult(node: Node, list: ListResult): Promise<void> {
    this.#meter.end();
    if (list.outcome) this.#addWritten(list.job, list.outcome.counts);
    if (list.error) this.backoff.recordFailure(keyOfJob(list.job));
    else this.backoff.recordSuccess(keyOfJob(list.job));
    await this.#deps.notes.recordListResult(node, list);
  }
}

function keyOfJob({ shared, module }: PullJob): string {
  return listKey(shared.moduleID, module.moduleID);
}

export class ListBackoff {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #random: () => number;
  /** By {@link listKey}; `until` is monotonic. */
  readonly #pauses = new Map<string, { readonly failures: number; readonly until: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns whether the list's pause after a failure isn't over yet. */
  isBackingOff(key: string): boolean {
    return (this.#pauses.get(key)?.until ?? 0) > this.#clock.monotonic();
  }

  /** Pauses the list, longer with each failure in a row. */
  recordFailure(key: string): void {
    const failures = (this.#pauses.get(key)?.failures ?? 0) + 1;
    const until = this.#clock.monotonic() + retryDelayMs(failures, this.#random());
    this.#pauses.set(key, { failures, until });
  }

  /** Ends the list's pause and its count of failures. */
  recordSuccess(key: string): void {
    this.#pauses.delete(key);
  }

  /** Milliseconds until the first pause ends; infinite without one. */
  get nextRetryMs(): number {
    const now = this.#clock.monotonic();
    return Math.min(...[...this.#pauses.values()].map(({ until }) => until - now).filter((ms) => ms > 0));
  }
}

/**
 * Returns ForeignProgramError if a probe shows another program at the partner's address, else the error. Probes only
 * for errors that another program may cause.
 */
async function attributeError(
  error: unknown,
  node: Pick<Node, 'footbridge'>,
  peer: Pick<Peer, 'probe'>,
  signal: AbortSignal,
): Promise<unknown> {
  if (!mightBeForeignHost(error, node)) return error;
  try {
    const found = await peer.probe(signal);
    return node.footbridge && !found.footbridge ? new ForeignProgramError() : error;
  } catch (nobody) {
    // Something answered, but not this interface.
    return nobody instanceof ProtocolViolationError || nobody instanceof HTMLResponseError
      ? new ForeignProgramError()
      : error;
  }
}

/**
 * Returns whether another program may have answered: an unknown path (404, 405) or, in place of a Footbridge, also 403,
 * a refused token or a broken protocol.
 */
function mightBeForeignHost(error: unknown, { footbridge }: Pick<Node, 'footbridge'>): boolean {
  if (error instanceof RequestRefusedError)
    return hasStatus(error, 404, 405) || (footbridge && hasStatus(error, 403));
  return footbridge && (error instanceof TokenRejectedError || error instanceof ProtocolViolationError);
}
