import { CoalescingQueue } from '../../base/concurrency/coalescing-queue.ts';
import type { Node } from '../../federation/model.ts';
import { isApart } from '../../federation/partners/clocks.ts';
import { createLastSeen, GRACE_MS, type LastSeen } from '../../federation/partners/last-seen.ts';
import type { FootbridgeCalls } from '../../peer/dialects/footbridge.ts';
import type { Peer } from '../../peer/peer.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';
import { PullInterrupted, sumWritten, type RunResult, type WrittenRows } from '../pull/pull-partner.ts';
import { createReport } from '../status/report.ts';
import {
  createConnection,
  type Connection,
  getReconnectedNode,
  getConnectedNode,
  getCurrentNode,
  mayPull,
  notConnected,
  PartnerClock,
} from './connection.ts';
import type { Fallbacks } from './fallbacks.ts';
import { Fetching, type FetchingDeps } from './fetching.ts';
import type { PartnerSyncFacts } from './partner-sync-facts.ts';
import type { SyncLog } from './sync-log.ts';
import { Listening } from './listening.ts';
import { SyncScheduler } from './sync-scheduler.ts';
import { withValidToken } from './renewal.ts';
import { mergeRequests, PendingWork, type RunRequest } from './pending-work.ts';
import { createProgressReporter, type ProgressReporter } from './progress-reporter.ts';
import { hasTokenExpired } from './token-end.ts';
import { FailureState, type FailureStateDeps } from './failure-state.ts';

export interface PartnerSyncDeps extends FetchingDeps, FailureStateDeps {
  readonly openPartner: OpenPartner;
  /** Random name, by which partners detect a clone. */
  readonly ownRun: string;
  readonly fallbacks: Pick<Fallbacks, 'isOn'>;
  readonly notes: SyncLog;
  readonly federation: SyncFederation;
  /** Returns whether a keep-alive connection shows the partner reachable. */
  readonly isWatched: (nodeID: string) => boolean;
  readonly onStatus: (nodeID: string) => void;
}

/** Longer checks are shown as activity. */
const NOTICEABLE_MS = 1000;
/** A larger lead of the system clock over the monotonic one means sleep. */
const SLEEP_GAP_MS = 10_000;
/** Runs of an interrupted request. */
const MAX_RERUNS = 4;

/** Runs a partner's pulls one at a time: on schedule, request and announcement. */
export class PartnerSync {
  readonly #nodeID: string;
  readonly #deps: PartnerSyncDeps;
  readonly #connection: Connection;
  readonly #listening: Listening;
  readonly #queue: CoalescingQueue<RunRequest, RunResult>;
  readonly #scheduler: SyncScheduler;
  readonly #pending = new PendingWork();
  readonly #failures: FailureState;
  readonly #reporter: ProgressReporter;
  readonly #fetching: Fetching;
  /** Start of asking, last answer, last moment without pending work. */
  readonly #begun: LastSeen;
  readonly #heard: LastSeen;
  readonly #complete: LastSeen;
  /** Asleep: failures don't count; stopped: nothing starts. */
  #phase: 'awake' | 'asleep' | 'stopped' = 'awake';
  readonly #partnerClock: PartnerClock;
  /** Paused or not connected at the last look. */
  #isOff = false;

  constructor(nodeID: string, deps: PartnerSyncDeps) {
    const { clock, federation, random, interval } = deps;
    this.#nodeID = nodeID;
    this.#deps = deps;
    const changed = (): void => this.#notifyStatus();
    const contact = (): LastSeen => createLastSeen(clock, () => interval() + GRACE_MS, changed);
    this.#begun = contact();
    this.#heard = contact();
    this.#complete = contact();
    this.#partnerClock = new PartnerClock(clock);
    this.#connection = createConnection(federation, deps.openPartner, deps.fallbacks, (theirs) =>
      this.#recordPartnerTime(theirs),
    );
    this.#failures = new FailureState(nodeID, deps, () => this.#earlierTime());
    this.#reporter = createProgressReporter(createReport(deps, nodeID));
    this.#fetching = new Fetching(nodeID, deps, {
      reporter: this.#reporter,
      onPage: () => this.#heard.record(),
      onStallChange: changed,
    });
    this.#listening = new Listening(
      {
        clock,
        random,
        interval,
        run: deps.ownRun,
        isAsked: () => federation.incomingRequests.lastRequest(nodeID)?.fresh === true,
        isWatched: () => deps.isWatched(nodeID),
      },
      {
        onTwice: changed,
        onPoke: (request) => this.#onAnnouncement(request),
        onQuiet: (calls) => this.#onNoNews(calls),
        onLost: () => this.#onPollLost(),
      },
    );
    this.#scheduler = new SyncScheduler(
      deps,
      { trouble: this.#failures, listening: this.#listening, resting: this.#fetching.backoff },
      () => this.#queueInBackground({}),
    );
    this.#queue = new CoalescingQueue<RunRequest, RunResult>({
      body: (asked, signal) => this.#runPending(asked, signal),
      merge: mergeRequests,
      stopwatch: () => clock.monotonic(),
      onIdle: () => {
        void this.#planNext();
        changed();
      },
    });
  }

  /** Pulls everything after a running pull, whatever backoff and pause. Throws PartnerError, Refusal. */
  syncNow(): Promise<RunResult> {
    return this.#runRequested({ forced: true });
  }

  /** Pulls like {@link syncNow}, and refetches these rows of an offer (ids at the partner). */
  refetch(sharedModuleID: string, recordIDs: readonly string[]): Promise<RunResult> {
    return this.#runRequested({ forced: true, again: new Map([[sharedModuleID, new Set(recordIDs)]]) });
  }

  /** Returns the connection to the partner. Throws `node.not-paired` (conflict), AddressRefusedError. */
  async peer(): Promise<Peer> {
    return this.#connection.openFor(await getConnectedNode(this.#deps.federation, this.#nodeID));
  }

  /**
   * Schedules a pull within so many milliseconds, unless one runs; wakes a sleeping sync. A no-op once stopped.
   * `isNewRoute` restarts the long poll, whose connection may be broken unnoticed.
   */
  scheduleSoon(within: number, isNewRoute = false): void {
    if (this.#phase === 'stopped') return;
    if (this.#phase === 'asleep') this.#begun.record();
    this.#phase = 'awake';
    if (this.#isBusy) return;
    if (isNewRoute || !this.#listening.isLive) this.#listening.stop();
    this.#scheduler.scheduleIn(within);
  }

  /**
   * Applies a changed partner's record: interrupts a pull over an old connection or in a pause, schedules the next, and
   * queues, in the background, a pull of what is mapped differently.
   */
  async refresh(): Promise<void> {
    const node = await this.#deps.federation.nodes.get(this.#nodeID).catch(() => undefined);
    if (this.#isStopped) return;
    const isOff = !node || !mayPull(node, {});
    const { key } = this.#connection;
    const moved = key !== undefined && node !== undefined && key !== this.#connection.keyOf(node);
    if (isOff || moved) this.#resetConnection();
    // A request that ran meanwhile may miss later changes.
    const isBack = !isOff && (this.#isOff || this.#begun.lastContact() === undefined);
    this.#isOff = isOff;
    if (isBack) this.#begun.record();
    const isPaired = node?.status === 'paired';
    if (moved || !isPaired) this.#failures.forgetFormerConnection({ moved, isPaired });
    await this.#followMappingChanges(isOff);
    if (this.#isBusy) return;
    if (isOff) await this.#planNext();
    // While suspended, only the connection's end is scheduled.
    else if (this.#scheduler.nextAt === undefined || moved || isBack) this.#scheduler.scheduleIn(0);
    else this.#scheduler.planEnd(node);
  }

  /** Returns what the partner's status shows of this sync now. */
  stateFacts(): PartnerSyncFacts {
    return {
      running: this.#fetching.progress !== undefined || (this.#queue.busyFor() ?? 0) > NOTICEABLE_MS,
      progress: this.#fetching.progress,
      problem: this.#failures.current,
      nextAt: this.#scheduler.nextAt,
      twice: this.#listening.isClonedThere,
      live: this.#listening.isLive,
      beginning: this.#begun.lastContact()?.fresh === true,
      heard: this.#heard.lastContact(),
      complete: this.#complete.lastContact(),
      stalledMs: this.#fetching.stalledMs,
      isSearching: this.#fetching.isSearching,
      isReached: this.#fetching.isReached,
      clockAhead: this.#partnerClock.aheadMs,
    };
  }

  /** Sends our progress report after a user's decision, if the partner is being long-polled. Never rejects. */
  async reportDecision(): Promise<void> {
    if (this.#isStopped || !this.#listening.isOn) return;
    await this.peer()
      .then(({ footbridge }) => this.#reporter.send(footbridge))
      .catch(() => undefined);
  }

  /** Shortens a pause after failures: the partner's request shows that it is there. */
  onIncomingRequest(): void {
    if (this.#phase === 'awake' && !this.#isBusy) this.#scheduler.limitToInterval();
  }

  /**
   * Interrupts the pull, stops the long poll and cancels the schedule before sleep. Failures don't count until {@link
   * scheduleSoon}.
   */
  suspend(): void {
    if (!this.#isStopped) this.#phase = 'asleep';
    this.#scheduler.cancel();
    this.#listening.stop();
    this.#queue.interrupt();
  }

  /** Resolves when no pull from this partner runs. */
  whenIdle(): Promise<void> {
    return this.#queue.settled();
  }

  /**
   * Stops for good: ends the schedule, the long poll and, after its page, the running pull, and closes the connection.
   */
  async stop(): Promise<void> {
    this.#phase = 'stopped';
    this.#scheduler.cancel();
    for (const memory of [this.#begun, this.#heard, this.#complete]) memory.forget();
    this.#listening.stop();
    await this.#queue.stop();
    await this.#connection.close();
  }

  get #isBusy(): boolean {
    return this.#queue.busyFor() !== undefined;
  }

  get #isStopped(): boolean {
    return this.#phase === 'stopped';
  }

  #notifyStatus(): void {
    this.#deps.onStatus(this.#nodeID);
  }

  /** Records the partner's time; calls `onStatus` if the clock starts or ceases to differ noticeably. */
  #recordPartnerTime(theirs: number): void {
    const before = this.#partnerClock.aheadMs;
    this.#partnerClock.recordTime(theirs);
    if (isApart(before) !== isApart(this.#partnerClock.aheadMs)) this.#notifyStatus();
  }

  /** Returns our clock's time, or the partner's where that is noticeably earlier, as ours may be far ahead. */
  #earlierTime(): number {
    const [ours, theirs] = [this.#deps.clock.now(), this.#partnerClock.now()];
    return theirs !== undefined && isApart(this.#partnerClock.aheadMs) ? Math.min(theirs, ours) : ours;
  }

  /** Queues a pull without waiting for it; a failure is recorded all the same. */
  #queueInBackground(request: RunRequest): void {
    this.#queue.enqueue(request).catch(() => undefined);
  }

  /**
   * Runs a requested pull, after reconnecting an ended partner whose token we have. A pull interrupted while awake, as
   * by another address, runs again up to four times; the result counts all runs' rows (`earlier`). Throws
   * `node.not-paired` (conflict), or the pull's error.
   */
  async #runRequested(request: RunRequest, earlier: readonly WrittenRows[] = []): Promise<RunResult> {
    const node = await getReconnectedNode(this.#deps.federation, this.#nodeID);
    try {
      const result = await this.#queue.enqueue(request);
      // An awaited earlier pull may have ended the connection.
      if (result.skipped === true) throw notConnected(node);
      return { ...result, written: sumWritten([...earlier, result.written ?? new Map()]) };
    } catch (error) {
      if (!(error instanceof PullInterrupted) || this.#phase !== 'awake' || earlier.length >= MAX_RERUNS)
        throw error;
      return this.#runRequested(request, [...earlier, error.written]);
    }
  }

  /**
   * Pulls what is pending and requested, records the outcome, reports our progress and starts the long poll. A failed
   * or skipped request stays pending. Returns `skipped` if the partner may not be asked, and ends a connection whose
   * token has expired. Throws PullInterrupted, or the pull's error.
   */
  async #runPending(asked: RunRequest, signal: AbortSignal): Promise<RunResult> {
    const { clock, federation } = this.#deps;
    const request = this.#pending.takeMerged(asked);
    let isTakenIn = false;
    this.#scheduler.begin();
    const began = { wall: clock.now(), real: clock.monotonic() };
    try {
      const node = await getCurrentNode(federation, this.#nodeID);
      signal.throwIfAborted();
      if (!mayPull(node, request)) {
        if (hasTokenExpired(node, this.#earlierTime()))
          await federation.disconnects.markEndedByTime(this.#nodeID);
        return { lists: [], skipped: true };
      }
      if (this.#begun.lastContact() === undefined) this.#begun.record();
      // Either clock may be far ahead: the earlier counts.
      const isHeard = this.#heard.lastContact() !== undefined || this.#partnerClock.aheadMs !== undefined;
      const time = isHeard ? Math.min(this.#partnerClock.now() ?? Infinity, clock.now()) : undefined;
      const { peer, result } = await withValidToken(this.#connection, node, time, (peer) =>
        this.#fetching.pullRequested(peer, node, request, signal),
      );
      await this.#recordSuccess(node, peer, result);
      isTakenIn = true;
      this.#requeueUnsettled(result);
      if (this.#pending.isEmpty) this.#complete.record();
      await this.#fetching.sendReport(peer.footbridge);
      this.#startLongPoll(node, peer);
      return result;
    } catch (error) {
      if (signal.aborted) throw new PullInterrupted(this.#fetching.written);
      if (this.#sleptSince(began)) this.#begun.record();
      else if (this.#phase !== 'asleep') await this.#failures.record(error);
      throw error;
    } finally {
      if (!isTakenIn) this.#pending.add(request);
      this.#fetching.end();
    }
  }

  /**
   * Clears the failures, and records contact, dialect and activities. After a recovery adds an activity and stops the
   * long poll, for a new one.
   */
  async #recordSuccess(node: Node, peer: Peer, result: RunResult): Promise<void> {
    const { federation, notes } = this.#deps;
    this.#heard.record();
    if (node.reach === 'they-call-us') await federation.nodes.recordReached(this.#nodeID);
    await this.#recordDialect(node, peer);
    if (this.#failures.current) {
      notes.recordRecovery(node);
      // Suspended during failures, it restarts now.
      this.#listening.stop();
    }
    this.#failures.clear();
    await notes.recordSuccess(node, result);
  }

  /**
   * Makes a pull of lists pending whose rows are about to change, as the partner says, and reports the status: not
   * complete. The partner's announcement starts the pull.
   */
  #requeueUnsettled({ lists }: RunResult): void {
    const only = new Set(
      lists.flatMap(({ job, outcome }) =>
        outcome?.unsettled ? [job.shared.externalFederationModuleID] : [],
      ),
    );
    if (only.size === 0) return;
    this.#pending.add({ rowsOnly: true, only });
    this.#complete.forget();
    this.#notifyStatus();
  }

  /** Stores the dialect that other software turned out to speak, once. */
  async #recordDialect(node: Node, { dialect }: Peer): Promise<void> {
    if (node.dialect !== undefined || dialect === undefined || node.footbridge) return;
    this.#connection.noteDialect(node, dialect);
    await this.#deps.federation.nodes.recordDialect(this.#nodeID, dialect);
  }

  /** Returns whether the computer slept since: the system clock advanced more than the monotonic one. */
  #sleptSince(began: { readonly wall: number; readonly real: number }): boolean {
    const { clock } = this.#deps;
    return clock.now() - began.wall - (clock.monotonic() - began.real) > SLEEP_GAP_MS;
  }

  /** Schedules the next pull by the partner's present record; not while one runs or during sleep. */
  async #planNext(): Promise<void> {
    const node = await this.#deps.federation.nodes.get(this.#nodeID).catch(() => undefined);
    if (this.#phase === 'awake' && !this.#isBusy) this.#scheduler.plan(node);
  }

  /**
   * Stops fetching a remapped list and queues a pull of everything; also, unless `isOff`, if any mapping changed since
   * the last pull began.
   */
  async #followMappingChanges(isOff: boolean): Promise<void> {
    const dropped = await this.#fetching.dropRemappedList();
    if (!dropped && (isOff || !(await this.#fetching.haveMatchesChanged()))) return;
    this.#pending.addEverything();
    this.#queueInBackground({});
  }

  /** Interrupts a pull over the former connection, forgets all contacts, and makes a pull of everything pending. */
  #resetConnection(): void {
    this.#queue.interrupt();
    this.#listening.stop();
    this.#pending.addEverything();
    for (const memory of [this.#heard, this.#complete, this.#begun]) memory.forget();
  }

  /** Starts long polling a Footbridge, if it may be pulled from. */
  #startLongPoll(node: Node, { footbridge }: Peer): void {
    if (footbridge && !this.#isStopped && mayPull(node, {}))
      this.#listening.start(this.#connection.keyOf(node), footbridge);
  }

  /**
   * Pulls what the partner announced. Unless it is only of rows, the partner may have restarted: the next report is
   * sent.
   */
  #onAnnouncement(request: RunRequest): void {
    this.#heard.record();
    if (request.rowsOnly !== true) this.#reporter.forgetReported();
    this.#pending.add(request);
    this.#queueInBackground(request);
  }

  /** Records a long poll that ended without news: everything is synced if nothing is pending. Sends our report. */
  #onNoNews(footbridge: FootbridgeCalls): void {
    this.#heard.record();
    if (this.#pending.isEmpty && !this.#isBusy) this.#complete.record();
    // Our user's changes cause no pull.
    void this.#fetching.sendReport(footbridge);
  }

  /** Pulls everything and forgets which reports arrived, as the partner may have restarted. */
  #onPollLost(): void {
    this.#reporter.forgetReported();
    this.#pending.addEverything();
    this.#queueInBackground({});
  }
}
