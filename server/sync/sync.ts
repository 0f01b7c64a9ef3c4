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
import { forgetReleased } from './pull/forget-unmatched.ts';
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
import { asked, summed, type SyncNowResult } from './sync-now.ts';

export interface SyncDeps {
  readonly store: Store;
  readonly lists: Lists;
  readonly federation: SyncFederation;
  readonly openPartner: OpenPartner;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Id of this data folder, as rows carry it in `via`. */
  readonly installation: string;
  /** Milliseconds between two checks of a partner when all is well. */
  readonly interval: () => number;
  /** A connection that is pinged shows whether the partner can be reached. */
  readonly isWatched: (nodeID: string) => boolean;
  readonly log: Pick<Logger, 'error'>;
  readonly random?: () => number;
  /** Half of the computer's memory unless given. */
  readonly checkMemory?: HeapLimit;
  readonly onStatus?: (nodeID: string) => void;
  readonly onProgress?: (progress: Progress) => void;
  readonly onActivity?: (activity: Activity) => void;
}

/** The pull engine: brings what partners share, and says how it stands. */
export interface Sync {
  readonly decisions: Approvals;
  readonly failedRows: FailedRows;
  readonly history: Omit<History, 'add'>;
  /** Begins to pull from all paired partners. */
  start(): Promise<void>;
  /** Ends all pulls after the page in hand and closes all connections. */
  stop(): Promise<void>;
  /** Pulls from a partner now and waits for it. @throws Refusal `conflict`, `partner-failed`; StoreError */
  syncNow(nodeID: string): Promise<SyncNowResult>;
  /**
   * Are we identical? Pulls first, so that only true differences show, and compares by digests.
   * @throws as `syncNow`; Refusal `impossible` where the partner is no Footbridge
   */
  compare(nodeID: string, sharedModuleID: string): Promise<Comparison>;
  /** Fetches these rows (their ids at the partner) again, as `compare` named them. @throws as `syncNow` */
  repull(nodeID: string, sharedModuleID: string, recordIDs: readonly string[]): Promise<SyncNowResult>;
  /** Pulls from a partner soon, in the background. */
  poke(nodeID: string, isNewWay?: boolean): void;
  /**
   * Allows or forbids to read a live server's rows past its own feed, which then hands out all columns; those
   * that were not offered are dropped before anything is stored. Off unless the user says so.
   */
  setFallback(nodeID: string, on: boolean): Promise<void>;
  /** Tells a Footbridge on which routes we can be reached. @throws PartnerError, Refusal */
  announceRoutes(nodeID: string): Promise<{ readonly carried?: string | undefined }>;
  /** Remembers something about how a partner is connected, for the user to look up. */
  noteConnection(nodeID: string, message: Words): Promise<void>;
  /** Told of everything that a partner asks us for. */
  onIncomingRequest(nodeID: string): void;
  /** Told of every change of a partner, its offers and matchings. */
  partnerChanged(nodeID: string): void;
  status(nodeID: string): Promise<PartnerStatus>;
  /**
   * The rows of our list that this partner brought although they were there before, as they are now; how many there are
   * is told from then on.
   */
  findDuplicateRows(nodeID: string, sharedModuleID: string, moduleID: string): Promise<DuplicateRows>;
  /** Resolves when no pull from this partner is under way: no page in hand overtakes what is done then. */
  whenIdle(nodeID: string): Promise<void>;
  /**
   * Forgets what is kept of a partner beside the rows of a list: rows that wait or could not go in, and how far it was
   * read. To be called when no pull from it is under way.
   */
  forget(nodeID: string, moduleID: string): Promise<void>;
  /** The pulls that are under way. */
  progress(): Progress[];
  /** The computer goes to sleep: whatever breaks now is no error. */
  suspend(): void;
  /** The computer woke up: one catch-up for each partner, spread over some seconds. */
  resume(): void;
}

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
    onSuccess: (nodeID) => successes.note(nodeID),
  });
  const turns = createListLocks();
  const lanes = new PartnerSyncs({
    ...{ store, lists, clock, federation, states, turns, fallbacks, notes, log, onStatus },
    ...{ installation, interval, isWatched, openPartner, random, onProgress },
    time: createElapsedTimer(clock, ids.next()),
    ownRun: randomBytes(9).toString('base64url'),
    checkMemory: deps.checkMemory ?? createHeapLimit(),
  });
  const isDecided = (nodeID: string): void => {
    onStatus(nodeID);
    void lanes.known(nodeID)?.reportDecision();
  };
  const comparisons = createComparisons({
    ...{ lists, federation, clock, states },
    peerOf: (nodeID) => lanes.get(nodeID).peer(),
    onFound: isDecided,
  });
  const failedRows = new FailedRows({
    ...{ store, federation, states, turns },
    pull: (nodeID) => asked(lanes.get(nodeID).syncNow()),
    onStatus: isDecided,
  });
  const decisions = new Approvals({
    ...{ store, lists, federation, states, turns },
    onStatus: isDecided,
    // Decided it is, whether or not the partner answers; nobody waits for them here.
    onAllDecided: (nodeID, sharedModuleID) =>
      void comparisons.again(nodeID, sharedModuleID).catch(() => undefined),
    async onDecided(nodeID, { moduleID, name: listName }, message) {
      const partner = await nameOf(nodeID);
      await history.add({ nodeID, partner, kind: 'pull', outcome: 'ok', moduleID, listName, message });
    },
  });

  return {
    ...{ decisions, failedRows, history },
    start: () => lanes.start(),
    async stop() {
      await lanes.stop();
      await successes.flush();
    },
    syncNow: (nodeID) => asked(lanes.get(nodeID).syncNow().then(summed)),
    async compare(nodeID, sharedModuleID) {
      await asked(lanes.get(nodeID).syncNow());
      return comparisons.compare(nodeID, sharedModuleID);
    },
    async repull(nodeID, sharedModuleID, recordIDs) {
      const result = await asked(lanes.get(nodeID).refetch(sharedModuleID, recordIDs).then(summed));
      await comparisons.again(nodeID, sharedModuleID);
      return result;
    },
    poke: (nodeID, isNewWay) => lanes.poke(nodeID, isNewWay),
    async setFallback(nodeID, on) {
      await fallbacks.set(nodeID, on);
      onStatus(nodeID);
      await lanes.follow(nodeID);
    },
    async noteConnection(nodeID, message) {
      const partner = await nameOf(nodeID);
      await history.add({ nodeID, partner, kind: 'connection', outcome: 'ok', message });
    },
    announceRoutes: (nodeID) => announceRoutes(federation, lanes.get(nodeID), nodeID),
    onIncomingRequest: (nodeID) => lanes.known(nodeID)?.onIncomingRequest(),
    partnerChanged: (nodeID) => void lanes.follow(nodeID),
    async status(nodeID) {
      const node = await federation.nodes.get(nodeID);
      const statusDeps = { federation, states, store, clock, successes, fallbacks };
      return statusOf(statusDeps, node, lanes.known(nodeID)?.facts(), lanes.clocksAhead());
    },
    findDuplicateRows: createDuplicateFinder({ lists, federation, states, onStatus }),
    whenIdle: async (nodeID) => lanes.known(nodeID)?.whenIdle(),
    forget: (nodeID, moduleID) => forgetReleased({ store, states }, nodeID, moduleID),
    progress: () => lanes.progress(),
    suspend: () => lanes.suspend(),
    resume: () => lanes.catchUp(),
  };
}

async function announceRoutes(
  { nodes, announcements }: Pick<SyncFederation, 'nodes' | 'announcements'>,
  lane: Pick<PartnerSync, 'peer'>,
  nodeID: string,
): Promise<{ readonly carried?: string | undefined }> {
  const announcement = await announcements.forPartner(await nodes.get(nodeID));
  const { footbridge } = await lane.peer();
  return (announcement && (await footbridge?.announce(announcement))) ?? {};
}
