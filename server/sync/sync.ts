import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { SharingFacts } from '../federation/offers/destinations.ts';
import type { Lists } from '../lists/lists.ts';
import { omit } from '../base/omit.ts';
import { Refusal } from '../base/refusal.ts';
import { PartnerError } from '../peer/guard/errors.ts';
import { RECORDS_BROKEN } from '../peer/dialects/feed-live.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Store } from '../store/store.ts';
import { compareOffer, type Comparison } from './compare/compare.ts';
import { createDecisions, type Decisions } from './pull/decisions.ts';
import { createListTurns } from './pull/list-turns.ts';
import { isToCollect, startCollecting, type Collecting } from './schedule/collecting.ts';
import { openHistory, type Activity, type History } from './status/history.ts';
import { factsOf, matchedStates } from './status/facts.ts';
import { openFallbacks } from './schedule/fallbacks.ts';
import { createLaneNotes } from './schedule/lane-notes.ts';
import { Lane } from './schedule/lane.ts';
import { openListStates, type ListState } from './status/list-states.ts';
import { createMemoryBound, type MemoryBound } from './schedule/memory-bound.ts';
import type { OpenPartner, SyncFederation } from './ports.ts';
import type { Progress } from './schedule/progress.ts';
import type { PullCounts } from './pull/job.ts';
import { totalOf, type RunResult } from './pull/run.ts';
import { createSlowTime } from '../base/slow-time.ts';
import { deriveState, type StateAndReason } from './status/state.ts';
import { knownFor } from './status/silence.ts';
import { openSuccesses } from './schedule/successes.ts';
import { english, said } from '../words/said.ts';

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
  readonly log: Pick<Logger, 'error'>;
  readonly random?: () => number;
  /** Half of the computer's memory unless given. */
  readonly checkMemory?: MemoryBound;
  readonly onStatus?: (nodeID: string) => void;
  readonly onProgress?: (progress: Progress) => void;
  readonly onActivity?: (activity: Activity) => void;
}

/** What “sync now” answers (docs/interface.md: Errors). */
export interface SyncNowResult extends PullCounts {
  readonly modules: readonly SyncedModule[];
}

export interface SyncedModule extends PullCounts {
  /** Our id of the offer. */
  readonly moduleID: string;
  /** Our list that receives. */
  readonly composeModuleID: string;
  readonly name: string;
  /** Why this list failed; the others went on. */
  readonly error?: string;
}

export interface PartnerStatus extends StateAndReason {
  readonly nodeID: string;
  /** As of when the state is known, and until when it may be taken for true without another word from the partner. */
  readonly asOf?: string;
  readonly freshUntil?: string;
  /** How far that has got which we share; absent where nothing is. */
  readonly sharing?: SharingFacts;
  readonly lastSuccessAt?: string;
  readonly nextSyncAt?: string;
  readonly progress?: Progress;
  /** The partner tells of changes as they happen. */
  readonly live: boolean;
  readonly lists: readonly ListState[];
  /**
   * Another way to read rows of a live server whose record feed is broken (docs/live-servers.md: Past a broken feed):
   * `offered` when that is the case, `on` when the user allowed it. Absent: there is no need.
   */
  readonly fallback?: 'offered' | 'on';
}

/** The pull engine: brings what partners share, and says how it stands. */
export interface Sync extends Decisions {
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
  poke(nodeID: string): void;
  /**
   * Allows or forbids to read a live server's rows past its own feed, which then hands out all columns; those
   * that were not offered are dropped before anything is stored. Off unless the user says so.
   */
  setFallback(nodeID: string, on: boolean): Promise<void>;
  /** Told of everything that a partner asks us for. */
  partnerAsks(nodeID: string): void;
  /** Told of every change of a partner, its offers and matchings. */
  partnerChanged(nodeID: string): void;
  status(nodeID: string): Promise<PartnerStatus>;
  /** Resolves when no pull from this partner is under way: no page in hand overtakes what is done then. */
  settled(nodeID: string): Promise<void>;
  /** The pulls that are under way. */
  progress(): Progress[];
  /** The computer goes to sleep: whatever breaks now is no error. */
  suspend(): void;
  /** The computer woke up: one catch-up for each partner, spread over some seconds. */
  resume(): void;
}

/** Catch-ups after start and waking are spread over so many milliseconds. */
const SPREAD = 3000;

export async function createSync(deps: SyncDeps): Promise<Sync> {
  const { store, lists, federation, clock, ids, log } = deps;
  const random = deps.random ?? Math.random;
  const ownRun = randomBytes(9).toString('base64url');
  const onStatus = deps.onStatus ?? (() => undefined);
  const system = await store.partition('system');
  const states = await openListStates(system);
  const successes = await openSuccesses(system, clock);
  const fallbacks = await openFallbacks(system, clock);
  const history = await openHistory({ system, clock, ids, onActivity: deps.onActivity ?? (() => undefined) });
  const notes = createLaneNotes({
    clock,
    states,
    history,
    nameOf: async (nodeID) => (await federation.nodes.get(nodeID)).name,
    onSuccess: (nodeID) => successes.note(nodeID),
  });
  const time = createSlowTime(clock, ids.next());
  const turns = createListTurns();
  const lanes = new Map<string, Lane>();
  const collecting = new Map<string, Collecting>();
  let running = false;

  function laneOf(nodeID: string): Lane {
    const known = lanes.get(nodeID);
    if (known) return known;
    const lane = new Lane(nodeID, {
      store,
      lists,
      clock,
      time,
      federation,
      states,
      turns,
      fallbacks,
      notes,
      log,
      random,
      onStatus,
      installation: deps.installation,
      ownRun,
      interval: deps.interval,
      openPartner: deps.openPartner,
      checkMemory: deps.checkMemory ?? createMemoryBound(),
      onProgress: deps.onProgress ?? (() => undefined),
    });
    lanes.set(nodeID, lane);
    return lane;
  }

  async function follow(nodeID: string): Promise<void> {
    const node = await federation.nodes.get(nodeID).catch(() => undefined);
    if (!running) return;
    if (node && isToCollect(node)) {
      if (!collecting.has(nodeID)) collecting.set(nodeID, startCollecting(nodeID, deps));
    } else {
      void collecting.get(nodeID)?.stop();
      collecting.delete(nodeID);
    }
    await laneOf(nodeID).refresh();
  }

  /** Compares, and remembers whether anything differs besides what our user kept. */
  async function compared(nodeID: string, sharedModuleID: string): Promise<Comparison> {
    const peer = await asked(laneOf(nodeID).peer());
    const found = await asked(compareOffer({ lists, federation, clock }, peer, { nodeID, sharedModuleID }));
    const list = matchedStates(states, await federation.mappings.list(nodeID), nodeID).find(
      (each) => each.sharedModuleID === sharedModuleID,
    );
    const differing = Math.max(0, found.differing.length - (list?.kept ?? 0));
    if (list) await states.put({ ...omit(list, 'differing'), ...(differing > 0 ? { differing } : {}) });
    onStatus(nodeID);
    void lanes.get(nodeID)?.decided();
    return found;
  }

  /** By how much the clocks of partners are ahead of ours, of those that have told. */
  function aheads(): number[] {
    return [...lanes.values()].flatMap((lane) => lane.facts().clockAhead ?? []);
  }

  function catchUp(): void {
    for (const lane of lanes.values()) lane.soon(random() * SPREAD);
  }

  function fallbackOf(nodeID: string): Pick<PartnerStatus, 'fallback'> {
    if (fallbacks.isOn(nodeID)) return { fallback: 'on' };
    const isBroken = states.ofNode(nodeID).some(({ problemCode }) => problemCode === RECORDS_BROKEN);
    return isBroken ? { fallback: 'offered' } : {};
  }

  /** What a comparison found is told until the next one, so that it follows whatever may have settled it. */
  async function comparedAgain(nodeID: string, sharedModuleID: string): Promise<void> {
    const wasDifferent = states
      .ofNode(nodeID)
      .some((list) => list.sharedModuleID === sharedModuleID && list.differing);
    if (wasDifferent) await compared(nodeID, sharedModuleID);
  }

  const decisions = createDecisions({
    store,
    lists,
    federation,
    states,
    turns,
    pull: (nodeID) => asked(laneOf(nodeID).now()),
    onStatus(nodeID) {
      onStatus(nodeID);
      void lanes.get(nodeID)?.decided();
    },
  });

  return {
    ...decisions,
    async decideHeld(nodeID, sharedModuleID, word) {
      const decided = await decisions.decideHeld(nodeID, sharedModuleID, word);
      // Decided it is, whether or not the partner answers; nobody waits for them here.
      void comparedAgain(nodeID, sharedModuleID).catch(() => undefined);
      return decided;
    },
    history,
    async start() {
      running = true;
      for (const node of await federation.nodes.list()) {
        if (node.deletedAt === undefined) await follow(node.nodeID);
      }
      catchUp();
    },
    async stop() {
      running = false;
      await Promise.all([...lanes.values(), ...collecting.values()].map((each) => each.stop()));
      await successes.flush();
    },
    syncNow: (nodeID) => asked(laneOf(nodeID).now().then(summed)),
    async compare(nodeID, sharedModuleID) {
      await asked(laneOf(nodeID).now());
      return compared(nodeID, sharedModuleID);
    },
    async repull(nodeID, sharedModuleID, recordIDs) {
      const result = await asked(laneOf(nodeID).again(sharedModuleID, recordIDs).then(summed));
      await comparedAgain(nodeID, sharedModuleID);
      return result;
    },
    poke(nodeID) {
      if (running) laneOf(nodeID).soon(0);
    },
    async setFallback(nodeID, on) {
      await fallbacks.set(nodeID, on);
      onStatus(nodeID);
      if (running) await follow(nodeID);
    },
    partnerAsks: (nodeID) => lanes.get(nodeID)?.partnerAsks(),
    partnerChanged(nodeID) {
      if (running) void follow(nodeID);
    },
    async status(nodeID) {
      const node = await federation.nodes.get(nodeID);
      const lane = lanes.get(nodeID)?.facts();
      const mappings = await federation.mappings.list(nodeID);
      const facts = await factsOf({ federation, states, store, clock }, node, mappings, lane, aheads());
      const { asOf, freshFor } = knownFor(facts);
      const lastSuccessAt = successes.last(nodeID);
      return {
        nodeID,
        ...deriveState(facts),
        ...(asOf === undefined ? {} : { asOf }),
        ...(freshFor === undefined ? {} : { freshUntil: new Date(facts.now + freshFor).toISOString() }),
        ...(facts.sharing ? { sharing: facts.sharing } : {}),
        ...(lastSuccessAt === undefined ? {} : { lastSuccessAt }),
        ...(lane?.nextAt === undefined ? {} : { nextSyncAt: new Date(lane.nextAt).toISOString() }),
        ...(lane?.progress ? { progress: lane.progress } : {}),
        live: lane?.live ?? false,
        lists: matchedStates(states, mappings, nodeID),
        ...fallbackOf(nodeID),
      };
    },
    settled: async (nodeID) => lanes.get(nodeID)?.settled(),
    progress: () => [...lanes.values()].flatMap((lane) => lane.facts().progress ?? []),
    suspend() {
      for (const lane of lanes.values()) lane.rest();
    },
    resume: catchUp,
  };
}

/** What a partner did wrong, as the refusal of what our user asked for. */
async function asked<T>(pull: Promise<T>): Promise<T> {
  try {
    return await pull;
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    throw new Refusal('partner-failed', `partner.${error.kind}`, error.words, { cause: error });
  }
}

/** Where our user ended what was going on. */
const DROPPED = said`The list was removed or matched otherwise while its rows were coming in. Look at what you receive.`;

function summed(result: RunResult): SyncNowResult {
  return {
    ...totalOf(result.lists),
    modules: result.lists.map(({ job: { shared, module }, outcome, error, dropped }) => ({
      moduleID: shared.moduleID,
      composeModuleID: module.moduleID,
      name: module.name,
      ...(outcome?.counts ?? { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 }),
      ...(error ? { error: error.message } : {}),
      ...(dropped ? { error: english(DROPPED) } : {}),
    })),
  };
}
