import type { Logger } from 'pino';
import type { Node } from '../../federation/model.ts';
import { stopsFetching } from '../../federation/partners/pausing.ts';
import { Refusal } from '../../base/refusal.ts';
import { PartnerEnded, TokenRefused } from '../../peer/guard/errors.ts';
import type { Peer } from '../../peer/peer.ts';
import { longestUnreached, pauseAfter } from './backoff.ts';
import { farApart, isApart } from '../../federation/partners/clocks.ts';
import { matchesInUse } from '../status/choice.ts';
import { createConnection } from './connection.ts';
import { createContactMemory, SLACK, type Contact } from '../../federation/partners/contact.ts';
import type { Fallbacks } from './fallbacks.ts';
import type { LaneNotes } from './lane-notes.ts';
import { listKey } from '../status/list-states.ts';
import { startPoller, type Poller } from './poller.ts';
import type { OpenPartner } from '../ports.ts';
import { failureOf, nextProblem, type Failure } from '../status/problems.ts';
import { createProgressMeter, type Progress } from './progress.ts';
import { renewIfDue } from './renewal.ts';
import { reportFor } from '../status/report.ts';
import type { PullJob } from '../pull/pull.ts';
import { isWanted, run, type ListResult, type RunDeps, type RunResult } from '../pull/run.ts';
import { coverage, merged, type RunRequest } from './run-request.ts';
import type { Problem } from '../status/state.ts';
import { createStillness } from './stillness.ts';
import { hasEnded, untilEnd } from './token-end.ts';
import { createTelling } from './telling.ts';
import { createTokenRefusals } from './token-refusals.ts';
import { createCoalescingQueue } from '../../base/concurrency/coalescing-queue.ts';
import { rightlyBlamed } from './who-answers.ts';
import { said } from '../../words/said.ts';

export interface LaneDeps extends RunDeps {
  readonly openPartner: OpenPartner;
  /** Random name of the present run of this program, by which partners tell it from a copy of it. */
  readonly ownRun: string;
  readonly fallbacks: Pick<Fallbacks, 'isOn'>;
  readonly notes: LaneNotes;
  readonly log: Pick<Logger, 'error'>;
  /** Milliseconds between two checks when all is well. */
  readonly interval: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onProgress: (progress: Progress) => void;
  /** Something about the partner's status changed. */
  readonly onStatus: (nodeID: string) => void;
}

/** How a lane stands. */
export interface LaneFacts {
  /** Rows are being fetched, or a check takes noticeably long. */
  readonly running: boolean;
  readonly progress: Progress | undefined;
  readonly problem: Problem | undefined;
  /** Milliseconds since the epoch by our clock. */
  readonly nextAt: number | undefined;
  /** Changes are told by the partner as they happen. */
  readonly live: boolean;
  /** The partner says that another program calls as us as well. */
  readonly twice: boolean;
  /** We have only just begun to ask. */
  readonly beginning: boolean;
  /** The last answer of the partner. */
  readonly heard: Contact | undefined;
  /** When it was last known that all that the partner told is taken in. */
  readonly complete: Contact | undefined;
  /** As {@link Lane.clockAhead}. */
  readonly clockAhead: number | undefined;
  /** Milliseconds for which the pull under way has stood still: nothing comes of what was asked for. */
  readonly stoodFor: number | undefined;
}

/**
 * The pulls of one partner: one at a time, on schedule, on request and when poked, whatever other partners do.
 */
export interface Lane {
  /** Pulls at once, whatever the back-off says, after a pull that is under way. @throws PartnerError, Refusal */
  now(): Promise<RunResult>;
  /** As {@link Lane.now}, and fetches these rows of an offer again. */
  again(sharedModuleID: string, recordIDs: readonly string[]): Promise<RunResult>;
  /** The open way to the partner, for questions beside the pulls. @throws Refusal, AddressRefused */
  peer(): Promise<Peer>;
  /** Pulls within so many milliseconds: something changed, or the computer woke up. */
  soon(within: number): void;
  /** The partner's record changed: goes on, rests, or connects anew, as it says. */
  refresh(): Promise<void>;
  facts(): LaneFacts;
  /** Milliseconds by which the partner's clock was ahead of ours at its last answer, where that told. */
  clockAhead(): number | undefined;
  /** Our user decided about rows: another Footbridge is told. */
  decided(): Promise<void>;
  /**
   * The partner asked us for something: it is there, and what failed before may go well now. The pause after failures
   * gets no longer than the usual interval, unless the partner asked for it.
   */
  partnerAsks(): void;
  /** The computer goes to sleep: what breaks from now on is no failure. {@link soon} wakes it up. */
  rest(): void;
  /** Resolves when no pull is under way. */
  settled(): Promise<void>;
  /** Ends what is under way after the page in hand. */
  stop(): Promise<void>;
}

/** While the partner tells of changes by itself, checking on schedule is only a safety net. */
const SAFETY_NET = 10 * 60_000;
/** A check that takes longer than this is worth showing. */
const NOTICEABLE = 1000;
/** The clock on the wall ran on by so much more than the stopwatch: the computer slept. */
const SLEPT = 10_000;

export function createLane(nodeID: string, deps: LaneDeps): Lane {
  const { clock, federation, log, notes } = deps;
  /** Milliseconds by which the partner's clock was ahead of ours at its last answer. */
  let clockAhead: number | undefined;
  const connection = createConnection(federation, deps.openPartner, deps.fallbacks, (theirs) => {
    const before = clockAhead;
    clockAhead = theirs - clock.now();
    if (isApart(before) !== isApart(clockAhead)) changed();
  });
  const meter = createProgressMeter(nodeID, clock, deps.onProgress);
  /** Lists that rest after a failure of their own: how many times in a row, and until when. */
  const resting = new Map<string, { failures: number; until: number }>();
  const refusals = createTokenRefusals(clock);
  const changed = (): void => deps.onStatus(nodeID);
  const bound = (): number => deps.interval() + SLACK;
  const begun = createContactMemory(clock, bound, changed);
  const heard = createContactMemory(clock, bound, changed);
  const complete = createContactMemory(clock, bound, changed);
  /** What has to be pulled before all that the partner told is taken in; failed and broken off pulls leave it. */
  let owed: RunRequest | undefined = {};
  const stillness = createStillness(clock, changed);
  /** The list whose rows come now. */
  let inHand: { readonly job: PullJob; readonly drop: () => void } | undefined;
  /** What was matched when the last try began. */
  let matched: string | undefined;
  const telling = createTelling(() => reportFor(deps, nodeID));
  let problem: Problem | undefined;
  let failures = 0;
  let twice = false;
  let retryAfter = 0;
  /** When the last try began, by the stopwatch. */
  let triedAt = -Infinity;
  let poller: { readonly key: string; readonly poller: Poller } | undefined;
  let cancelTimer: (() => void) | undefined;
  /** When the next try is due, by the stopwatch. */
  let dueAt: number | undefined;
  let stopped = false;
  let asleep = false;

  const queue = createCoalescingQueue<RunRequest, RunResult>({
    body: attempt,
    merge: merged,
    stopwatch: () => clock.monotonic(),
    onIdle() {
      void plan();
      deps.onStatus(nodeID);
    },
  });

  async function attempt(asked: RunRequest, signal: AbortSignal): Promise<RunResult> {
    const request = owed ? merged(coverage(owed), asked) : asked;
    owed = undefined;
    let isDone = false;
    if (begun.contact() === undefined) begun.note();
    cancelTimer?.();
    dueAt = undefined;
    const began = { wall: clock.now(), real: clock.monotonic() };
    triedAt = began.real;
    try {
      const node = await currentNode();
      signal.throwIfAborted();
      if (!mayRun(node, request)) {
        if (hasEnded(node, clock.now())) await federation.nodes.markEndedByTime(nodeID);
        return { lists: [], skipped: true };
      }
      const peer = await connection.to(await renewIfDue(federation, node, connection, clock));
      matched = await matchedNow();
      // Before any row comes: it may know more of us than is so since our data went back, and the pull may fail.
      void telling.tell(peer.footbridge).catch(logUntold);
      stillness.begin(() => peer.quietFor());
      const result = await run(deps, peer, node, request, {
        signal,
        rests: ({ shared, module }) =>
          (resting.get(listKey(shared.moduleID, module.moduleID))?.until ?? 0) > clock.monotonic(),
        onPage: ({ module }, rows, total) => {
          heard.note();
          if (rows > 0) meter.page(module, rows, total);
        },
        onList: (list) => listDone(node, list),
        onJob: (job, drop) => (inHand = { job, drop }),
      }).catch(async (error: unknown) => {
        throw await rightlyBlamed(error, node, peer, signal);
      });
      heard.note();
      if (node.reach === 'they-call-us') await federation.nodes.reached(nodeID);
      await remember(node, peer);
      if (problem) {
        notes.recovered(node);
        // The waiting question rests as long as the failures lasted; it is put again now.
        stopPolling();
      }
      problem = undefined;
      failures = 0;
      refusals.clear();
      await notes.finished(node, result);
      isDone = true;
      if (isNothingOwed()) complete.note();
      await telling.tell(peer.footbridge);
      listen(node, peer);
      return result;
    } catch (error) {
      if (signal.aborted)
        throw new Refusal('conflict', 'sync.interrupted', said`Fetching rows was interrupted. Try again.`);
      if (slept(began)) begun.note();
      else if (!asleep) await failed(error);
      throw error;
    } finally {
      inHand = undefined;
      if (!isDone) owe(coverage(request));
      stillness.end();
      meter.end();
    }
  }

  const logUntold = (err: unknown): void =>
    log.error({ err, nodeID }, 'how far we have come could not be told');

  function owe(request: RunRequest): void {
    owed = owed ? merged(owed, request) : request;
  }

  /** Differs as soon as anything of this partner is matched otherwise. */
  async function matchedNow(): Promise<string> {
    const each = (await federation.mappings.list(nodeID)).map(
      (mapping) => `${listKey(mapping.federationModuleID, mapping.composeModuleID)} ${matchesInUse(mapping)}`,
    );
    return each.join();
  }

  const isNothingOwed = (): boolean => owed === undefined;

  /** How the partner speaks, once its answers have told. */
  async function remember(node: Node, { dialect }: Peer): Promise<void> {
    if (node.dialect !== undefined || dialect === undefined || node.footbridge) return;
    connection.understood(node, dialect);
    await federation.nodes.understood(nodeID, dialect);
  }

  /** The partner's record; a pause that is over is taken back, and an end that only a wrong clock made. */
  async function currentNode(): Promise<Node> {
    const found = await federation.nodes.get(nodeID);
    const isInTime = found.endedByTime === true && federation.nodes.mayGoOn(found);
    const node = isInTime ? await federation.nodes.goOn(nodeID) : found;
    const until = node.paused?.until;
    if (until === undefined || Date.parse(until) > clock.now()) return node;
    await federation.nodes.resume(nodeID);
    return federation.nodes.get(nodeID);
  }

  async function listDone(node: Node, list: ListResult): Promise<void> {
    meter.end();
    const key = listKey(list.job.shared.moduleID, list.job.module.moduleID);
    if (list.error) {
      const times = (resting.get(key)?.failures ?? 0) + 1;
      resting.set(key, { failures: times, until: clock.monotonic() + pauseAfter(times, deps.random()) });
    } else {
      resting.delete(key);
    }
    await notes.listFinished(node, list);
  }

  async function failed(error: unknown): Promise<void> {
    const failure = failureOf(error, clock.now());
    if (await isOutOfReach(failure)) {
      failures++;
      return;
    }
    const isNew = problem?.kind !== failure.kind;
    problem = nextProblem(problem, failure, new Date(clock.now()).toISOString());
    failures++;
    retryAfter = failure.retryAfter;
    if (failure.kind === 'internal') log.error({ err: error, nodeID }, 'sync failed');
    // Neither must hide what went wrong; with a full disk both fail.
    const noted = (err: unknown): void =>
      log.error({ err, nodeID }, 'a failed sync could not be written down');
    if (isNew) await notes.failed(nodeID, failure).catch(noted);
    await ended(error).catch(noted);
  }

  /** Writes down that the connection has ended, where that is what the failure comes to. */
  async function ended(error: unknown): Promise<void> {
    if (error instanceof PartnerEnded) {
      await federation.nodes.endedByPartner(nodeID, error.asksRemoval);
      return;
    }
    if (error instanceof TokenRefused && !farApart(error.at, clock.now()) && refusals.add()) {
      problem = nextProblem(
        problem,
        { kind: 'ended', message: NOT_ACCEPTED, retryAfter: 0 },
        new Date(clock.now()).toISOString(),
      );
      await federation.nodes.markEnded(nodeID, NOT_ACCEPTED);
      return;
    }
    const node = await federation.nodes.get(nodeID).catch(() => undefined);
    if (node && hasEnded(node, clock.now())) await federation.nodes.markEndedByTime(nodeID);
  }

  /** The partner is known to be where our calls do not get; it calls us, and nothing is amiss. */
  async function isOutOfReach({ kind }: Failure): Promise<boolean> {
    if (kind !== 'unreachable' && kind !== 'address') return false;
    return (await federation.nodes.get(nodeID).catch(() => undefined))?.reach === 'they-call-us';
  }

  function slept(began: { wall: number; real: number }): boolean {
    return clock.now() - began.wall - (clock.monotonic() - began.real) > SLEPT;
  }

  /** Sets the timer for the next pull, if there is to be one. */
  async function plan(): Promise<void> {
    const node = await federation.nodes.get(nodeID).catch(() => undefined);
    if (stopped || asleep || queue.busyFor() !== undefined) return;
    cancelTimer?.();
    dueAt = undefined;
    const until = node?.paused?.until;
    // A clock that is put back, as it was wrong, tells nobody.
    if (node?.status === 'unpaired' && node.endedByTime === true) wakeIn(deps.interval());
    if (node?.status !== 'paired') return;
    const wakes = [
      // Whatever is planned: an end that is known beforehand is noticed when it comes.
      ...(hasEnded(node, clock.now()) ? [] : [untilEnd(node, clock.now())]),
      until === undefined ? undefined : Math.max(0, Date.parse(until) - clock.now()),
      stopsFetching(node) ? undefined : usualPause(),
    ].filter((each) => each !== undefined);
    if (wakes.length > 0) wakeIn(Math.min(...wakes));
  }

  function usualPause(): number {
    // A partner that has paused is no partner that fails: it is looked after as usual.
    if (failures > 0 && problem?.kind !== 'paused') {
      const longest = problem?.kind === 'unreachable' ? longestUnreached(deps.interval()) : undefined;
      return pauseAfter(failures, deps.random(), retryAfter, longest);
    }
    const interval = deps.interval();
    const pause = poller?.poller.healthy === true ? Math.max(SAFETY_NET, interval) : interval;
    const rested = [...resting.values()].map(({ until }) => Math.max(0, until - clock.monotonic()));
    // Never later than said: whoever is asked every minute is asked within the minute.
    return Math.min(pause * (0.9 + deps.random() / 10), ...rested);
  }

  function wakeIn(milliseconds: number): void {
    cancelTimer?.();
    dueAt = clock.monotonic() + milliseconds;
    cancelTimer = clock.after(milliseconds, () => {
      queue.want({}).catch(() => undefined);
    });
  }

  /** Between Footbridges the partner says when something changed. */
  function listen(node: Node, { footbridge }: Peer): void {
    const key = connection.keyOf(node);
    if (!footbridge || poller?.key === key || stopped) return;
    stopPolling();
    const { interval, random } = deps;
    const pull = (request: RunRequest): void => {
      owe(coverage(request));
      queue.want(request).catch(() => undefined);
    };
    poller = {
      key,
      poller: startPoller({
        calls: footbridge,
        clock,
        random,
        interval,
        run: deps.ownRun,
        onTwice(isTwice) {
          const isNews = twice !== isTwice;
          twice = isTwice;
          if (isNews) changed();
        },
        onPoke(request) {
          heard.note();
          // It may have been started anew without our noticing, and has forgotten what it was told.
          if (request.rowsOnly !== true) telling.forget();
          pull(request);
        },
        onQuiet() {
          heard.note();
          if (isNothingOwed() && queue.busyFor() === undefined) complete.note();
          // What our user did since goes with no pull; nothing is sent where nothing is new.
          void telling.tell(footbridge).catch(logUntold);
        },
        // The usual interval applies again, and the first look is now.
        onLost() {
          // Whoever was away may have forgotten.
          telling.forget();
          pull({});
        },
      }),
    };
  }

  async function connected(): Promise<Node> {
    const node = await federation.nodes.get(nodeID);
    if (node.status === 'paired') return node;
    throw notConnected(node);
  }

  /** Whoever asks for rows wants a connection that seems to have ended tried once more. */
  async function connectedAgain(): Promise<Node> {
    const node = await federation.nodes.get(nodeID);
    return federation.nodes.mayGoOn(node) ? federation.nodes.goOn(nodeID) : connected();
  }

  async function onRequest(request: RunRequest): Promise<RunResult> {
    const node = await connectedAgain();
    const result = await queue.want(request);
    // The connection may have ended while an earlier pull was waited for.
    if (result.skipped === true) throw notConnected(node);
    return result;
  }

  function stopPolling(): void {
    poller?.poller.stop();
    poller = undefined;
    twice = false;
  }

  return {
    now: () => onRequest({ forced: true }),
    again: (sharedModuleID, recordIDs) =>
      onRequest({ forced: true, again: new Map([[sharedModuleID, new Set(recordIDs)]]) }),
    peer: async () => connection.to(await connected()),
    soon(within) {
      if (asleep) begun.note();
      asleep = false;
      if (queue.busyFor() === undefined && !stopped) wakeIn(within);
    },
    async refresh() {
      const node = await federation.nodes.get(nodeID).catch(() => undefined);
      if (stopped) return;
      const isOff = !node || !mayRun(node, {});
      const moved =
        connection.key !== undefined && node !== undefined && connection.key !== connection.keyOf(node);
      if (isOff || moved) {
        queue.interrupt();
        stopPolling();
        owed = {};
        heard.forget();
        complete.forget();
        begun.forget();
      }
      const isBack = !isOff && begun.contact() === undefined;
      if (isBack) begun.note();
      if (moved || node?.status !== 'paired') {
        failures = 0;
        if (problem?.kind !== 'ended' || node?.status === 'paired') problem = undefined;
        if (moved) refusals.clear();
      }
      const dropped = inHand && !(await isWanted(deps, inHand.job)) ? inHand : undefined;
      dropped?.drop();
      if (dropped || (!isOff && matched !== undefined && matched !== (await matchedNow()))) {
        // What is matched otherwise now begins anew, at once or behind the pull under way, which may have passed it.
        owe({});
        queue.want({}).catch(() => undefined);
      }
      if (queue.busyFor() !== undefined) return;
      if (isOff) await plan();
      // What is planned while it is off is the end of the connection, which may be months away.
      else if (dueAt === undefined || moved || isBack) wakeIn(0);
    },
    partnerAsks() {
      const isTimed = problem === undefined || problem.kind === 'busy' || problem.kind === 'paused';
      if (isTimed || dueAt === undefined || asleep || stopped || queue.busyFor() !== undefined) return;
      const soonest = Math.max(clock.monotonic(), triedAt + deps.interval());
      if (dueAt > soonest) wakeIn(soonest - clock.monotonic());
    },
    rest() {
      asleep = true;
      cancelTimer?.();
      stopPolling();
      queue.interrupt();
    },
    clockAhead: () => clockAhead,
    facts: () => ({
      running: meter.current !== undefined || (queue.busyFor() ?? 0) > NOTICEABLE,
      progress: meter.current,
      problem,
      // By the stopwatch it stays as far off as it is, wherever the clock on the wall is put.
      nextAt: dueAt === undefined ? undefined : clock.now() + dueAt - clock.monotonic(),
      twice,
      live: poller?.poller.healthy === true,
      beginning: begun.contact()?.fresh === true,
      heard: heard.contact(),
      complete: complete.contact(),
      stoodFor: stillness.stoodFor(),
      clockAhead,
    }),
    async decided() {
      if (stopped || poller === undefined) return;
      await connection
        .to(await connected())
        .then(({ footbridge }) => telling.tell(footbridge))
        .catch(() => undefined);
    },
    settled: () => queue.settled(),
    async stop() {
      stopped = true;
      cancelTimer?.();
      for (const memory of [begun, heard, complete]) memory.forget();
      stopPolling();
      await queue.stop();
      await connection.close();
    },
  };
}

/** What is shown once our token was refused so often that the connection counts as ended. */
const NOT_ACCEPTED = said`The connection has ended: the partner no longer accepts us. Try again, or pair again with a new invite.`;

function notConnected(node: Node): Refusal {
  return new Refusal('conflict', 'node.not-paired', said`${node.name} is not connected. Pair first.`);
}

/** A pull on request goes through a pause; nothing goes through an end. */
function mayRun(node: Node, request: RunRequest): boolean {
  return (
    node.status === 'paired' &&
    node.deletedAt === undefined &&
    (!stopsFetching(node) || request.forced === true)
  );
}
