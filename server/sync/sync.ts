import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Lists } from '../lists/lists.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Store } from '../store/store.ts';
import type { Comparison } from './compare/compare.ts';
import { createComparisons } from './compare/comparisons.ts';
import { createDuplicateFinder, type DuplicateRows } from './compare/duplicate-rows.ts';
import { Approvals } from './deletion-guard/approval.ts';
import { FailedRows } from './pull/failed-rows.ts';
import { forgetReleasedList } from './pull/forget-unmapped.ts';
import { createListLocks } from './pull/list-locks.ts';
import { openHistory, type Activity, type History } from './status/history.ts';
import { openFallbacks } from './schedule/fallbacks.ts';
import { SyncLog } from './schedule/sync-log.ts';
import type { PartnerSync } from './schedule/partner-sync.ts';
import { PartnerSyncs } from './schedule/partner-syncs.ts';
import { openListStates } from './status/list-states.ts';
import { createHeapLimit, type HeapLimit } from './schedule/heap-limit.ts';
import type { OpenPartner, SyncFederation } from './ports.ts';
import type { Progress } from './schedule/progress.ts';
import { createElapsedTimer } from '../base/elapsed-timer.ts';
import { openSuccesses } from './schedule/successes.ts';
import { statusOf, type PartnerStatus } from './status/partner-status.ts';
import type { Words } from '../words/said.ts';
import { orRefusal, toSyncNowResult, type SyncNowResult } from './sync-now.ts';

export interface SyncDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly federation: SyncFederation;
  readonly openPartner: OpenPartner;
  readonly clock: Clock;
  readonly ids: Ids;
  /** This data folder's id, sent with rows as `via`. */
  readonly installation: string;
  /** Milliseconds between checks when all is well. */
  readonly interval: () => number;
  /** Returns whether a keep-alive connection shows the partner reachable. */
  readonly isWatched: (nodeID: string) => boolean;
  readonly log: Pick<Logger, 'error'>;
  readonly random?: () => number;
  /** Default: half of the memory. */
  readonly checkMemory?: HeapLimit;
  readonly onStatus?: (nodeID: string) => void;
  readonly onProgress?: (progress: Progress) => void;
  readonly onActivity?: (activity: Activity) => void;
}

export interface Sync {
  readonly decisions: Approvals;
  readonly failedRows: FailedRows;
  readonly history: Omit<History, 'add'>;
  /** Pulls from all paired partners. */
  start(): Promise<void>;
  /** Stops pulls after their page, closes connections and stores the last successes. */
  stop(): Promise<void>;
  /** Returns the counts by list. Throws Refusal `conflict`, `partner-failed`; StoreError. */
  syncNow(nodeID: string): Promise<SyncNowResult>;
  /** Pulls, then compares offer and list. Throws like `syncNow`; Refusal `impossible` for other software. */
  compare(nodeID: string, sharedModuleID: string): Promise<Comparison>;
  /** Fetches rows by the partner's ids, then repeats a comparison that differed. Throws like `syncNow`. */
  repull(nodeID: string, sharedModuleID: string, recordIDs: readonly string[]): Promise<SyncNowResult>;
  /** Pulls soon, but not before `start`. `isNewRoute` restarts the long poll. */
  poke(nodeID: string, isNewRoute?: boolean): void;
  /** Stores whether a live server may be read past its own feed, without unoffered columns; reconnects. */
  setFallback(nodeID: string, on: boolean): Promise<void>;
  /**
   * Sends a Footbridge our signed routes; resolves to {} for other software. Throws PartnerError, Refusal.
   */
  announceRoutes(nodeID: string): Promise<{ readonly carried?: string | undefined }>;
  /** Adds an activity about the connection. */
  recordConnection(nodeID: string, message: Words): Promise<void>;
  /** Notes that the partner just called us. */
  onIncomingRequest(nodeID: string): void;
  /** Follows changed partners, offers or mappings. */
  partnerChanged(nodeID: string): void;
  /** Returns the status for the window. Throws `node.unknown`. */
  status(nodeID: string): Promise<PartnerStatus>;
  /** Returns the partner's duplicates of our list's earlier rows. */
  findDuplicateRows(nodeID: string, sharedModuleID: string, moduleID: string): Promise<DuplicateRows>;
  /** Resolves when no pull from the partner runs. */
  whenIdle(nodeID: string): Promise<void>;
  /** Deletes a partner's stored facts for one list, except rows. None of its pulls may run. */
  forgetList(nodeID: string, moduleID: string): Promise<void>;
  /** Returns the progress of all running pulls. */
  progress(): Progress[];
  /** Call it before sleep: failures don't count until `resume`. */
  suspend(): void;
  /** Call it after wake-up: pulls from each partner, spread over some seconds. */
  resume(): void;
}

/**
 * Creates the pull engine and reads its stored states, successes, fallbacks and activities. It pulls nothing before
 * `start`.
 */
export async function createSync(deps: SyncDeps): Promise<Sync> {
  const { store, lists, federation, clock, ids, log, installation, interval, openPartner, isWatched } = deps;
  const { onStatus = () => undefined, onProgress = () => undefined, random = Math.random } = deps;
  const system = await store.partition('system');
  const states = await openListStates(system);
  const successes = await openSuccesses(system, clock);
  const fallbacks = await openFallbacks(system, clock);
  const history = await openHistory({ system, clock, ids, onActivity: deps.onActivity ?? (() => undefined) });
  const nameOf = async (nodeID: string): Promise<string> => (await federation.nodes.get(nodeID)).name;
  const notes = new SyncLog({
    ...{ clock, states, history, nameOf },
    onSuccess: successRecorder(successes, federation, log, (nodeID) => partnerSyncs.get(nodeID).syncNow()),
  });
  const turns = createListLocks();
  const partnerSyncs: PartnerSyncs = new PartnerSyncs({
    ...{ store, lists, clock, federation, states, turns, fallbacks, notes, log, onStatus },
    ...{ installation, interval, isWatched, openPartner, random, onProgress },
    time: createElapsedTimer(clock, ids.next()),
    ownRun: randomBytes(9).toString('base64url'),
    checkMemory: deps.checkMemory ?? createHeapLimit(),
  });
  /** Calls `onStatus`, and reports the decision to the partner in the background. */
  const reportDecision = (nodeID: string): void => {
    onStatus(nodeID);
    void partnerSyncs.find(nodeID)?.reportDecision();
  };
  const comparisons = createComparisons({
    ...{ lists, federation, clock, states },
    peerOf: (nodeID) => partnerSyncs.get(nodeID).peer(),
    onFound: reportDecision,
  });
  const failedRows = new FailedRows({
    ...{ store, federation, states, turns },
    pull: (nodeID) => orRefusal(partnerSyncs.get(nodeID).syncNow()),
    onStatus: reportDecision,
  });
  const decisions = new Approvals({
    ...{ store, lists, federation, states, turns },
    onStatus: reportDecision,
    // Not awaited: the decision stands in any case.
    onAllDecided: (nodeID, sharedModuleID) =>
      void comparisons.repeatIfDifferent(nodeID, sharedModuleID).catch(() => undefined),
    /** Adds the decision to the partner's activities. */
    async onDecided(nodeID, { moduleID, name: listName }, message) {
      const partner = await nameOf(nodeID);
      await history.add({ nodeID, partner, kind: 'pull', outcome: 'ok', moduleID, listName, message });
    },
  });

  return {
    ...{ decisions, failedRows, history },
    start: () => partnerSyncs.start(),
    /** Stops all pulls after their page, closes all connections, then stores the last successes. */
    async stop() {
      await partnerSyncs.stop();
      await successes.flush();
    },
    syncNow: (nodeID) => orRefusal(partnerSyncs.get(nodeID).syncNow().then(toSyncNowResult)),
    /** Pulls the partner's lists, then compares the offer with our list. Throws Refusal for a partner's error. */
    async compare(nodeID, sharedModuleID) {
      await orRefusal(partnerSyncs.get(nodeID).syncNow());
      return comparisons.compare(nodeID, sharedModuleID);
    },
    /** Pulls these rows again, then compares if the offer differed. Throws Refusal for a partner's error. */
    async repull(nodeID, sharedModuleID, recordIDs) {
      const result = await orRefusal(
        partnerSyncs.get(nodeID).refetch(sharedModuleID, recordIDs).then(toSyncNowResult),
      );
      await comparisons.repeatIfDifferent(nodeID, sharedModuleID);
      return result;
    },
    poke: (nodeID, isNewRoute) => partnerSyncs.poke(nodeID, isNewRoute),
    /** Stores whether rows may be read past the partner's own feed, reports the status and reconnects if needed. */
    async setFallback(nodeID, on) {
      await fallbacks.set(nodeID, on);
      onStatus(nodeID);
      await partnerSyncs.applyRecord(nodeID);
    },
    /** Adds an activity about the partner's connection. */
    async recordConnection(nodeID, message) {
      const partner = await nameOf(nodeID);
      await history.add({ nodeID, partner, kind: 'connection', outcome: 'ok', message });
    },
    announceRoutes: (nodeID) => announceRoutes(federation, partnerSyncs.get(nodeID), nodeID),
    onIncomingRequest: (nodeID) => partnerSyncs.find(nodeID)?.onIncomingRequest(),
    partnerChanged: (nodeID) => void partnerSyncs.applyRecord(nodeID),
    /** Returns the partner's status for the window. Throws `node.unknown`. */
    async status(nodeID) {
      const node = await federation.nodes.get(nodeID);
      const statusDeps = { federation, states, store, clock, successes, fallbacks };
      return statusOf(statusDeps, node, partnerSyncs.find(nodeID)?.stateFacts(), partnerSyncs.clocksAhead());
    },
    findDuplicateRows: createDuplicateFinder({ lists, federation, states, onStatus }),
    whenIdle: async (nodeID) => partnerSyncs.find(nodeID)?.whenIdle(),
    forgetList: (nodeID, moduleID) => forgetReleasedList({ store, states }, nodeID, moduleID),
    progress: () => partnerSyncs.progress(),
    suspend: () => partnerSyncs.suspend(),
    resume: () => partnerSyncs.catchUp(),
  };
}

/**
 * Returns a function that stores a partner's success. The first time since the start, or since an answer failed to
 * come, it ends in the background a second connection with the same office if that still answers too, and removes its
 * ended records.
 */
function successRecorder(
  successes: Pick<Awaited<ReturnType<typeof openSuccesses>>, 'recordSuccess'>,
  { disconnects }: Pick<SyncFederation, 'disconnects'>,
  log: Pick<Logger, 'error'>,
  pull: (nodeID: string) => Promise<unknown>,
): (nodeID: string) => Promise<void> {
  const answered = new Set<string>();
  /**
   * Pulls once more; returns false for a partner that never answered, or when the pull fails: then its next answer
   * counts as its first.
   */
  const pullAgain = (nodeID: string): Promise<boolean> => {
    if (!answered.has(nodeID)) return Promise.resolve(false);
    return pull(nodeID).then(
      () => true,
      // Its next answer counts as its first.
      () => !answered.delete(nodeID),
    );
  };
  return async (nodeID) => {
    await successes.recordSuccess(nodeID);
    if (answered.has(nodeID)) return;
    answered.add(nodeID);
    disconnects
      .endSecondConnection(nodeID, pullAgain)
      .then(() => disconnects.removeEndedRecords(nodeID))
      .catch((error: unknown) => log.error({ err: error, nodeID }, 'a second record of this office stays'));
  };
}

/**
 * Sends our signed routes to a Footbridge and returns its answer. Sends nothing and returns {} for other software, or
 * without an installation key. Throws PartnerError, also for an unreachable partner, and Refusal `node.unknown` or
 * `node.not-paired`.
 */
async function announceRoutes(
  { nodes, announcements }: Pick<SyncFederation, 'nodes' | 'announcements'>,
  partnerSync: Pick<PartnerSync, 'peer'>,
  nodeID: string,
): Promise<{ readonly carried?: string | undefined }> {
  const node = await nodes.get(nodeID);
  const { footbridge } = await partnerSync.peer();
  if (!footbridge) return {};
  return (await announcements.announce(node, (sent) => footbridge.announceRoutes(sent))) ?? {};
}
