import type { Node } from '../../federation/model.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import { UNREADABLE, type ApplyCounts } from '../../lists/definitions/model.ts';
import { ListDeletedError, PartnerError, RequestRefusedError } from '../../peer/guard/errors.ts';
import type { Peer } from '../../peer/peer.ts';
import { said } from '../../words/said.ts';
import type { ListStates } from '../status/list-states.ts';
import type { ListLocks } from './list-locks.ts';
import type { Reconciliation } from '../../federation/offers/offers.ts';
import type { SyncFederation } from '../ports.ts';
import { isOtherDefinition } from './feed-pages.ts';
import { findOtherOffers } from './other-offers.ts';
import { pullList } from './pull.ts';
import type { PullCounts, PullDeps, PullJob, PullOutcome } from './job.ts';
import type { RunRequest } from '../schedule/pending-work.ts';
import { pullStructure } from './structure.ts';
import { fillReferences } from './fill-references.ts';
import { readableLists } from './referred.ts';
import { forgetUnmappedLists } from './forget-unmapped.ts';

export interface ListResult {
  readonly job: PullJob;
  readonly outcome?: PullOutcome;
  readonly error?: PartnerError | Refusal;
  /** Our user ended or changed the mapping, or removed the list, meanwhile. */
  readonly dropped?: true;
  readonly milliseconds: number;
}

export interface RunResult {
  /** Nothing happened: the partner must not be asked. */
  readonly skipped?: boolean;
  readonly news?: Reconciliation;
  readonly lists: readonly ListResult[];
  /** By `listKey`, interrupted pulls included. */
  readonly written?: WrittenRows;
}

export type WrittenRows = ReadonlyMap<string, ApplyCounts>;

export interface RunDeps extends PullDeps {
  readonly federation: SyncFederation;
  readonly states: ListStates;
  readonly turns: ListLocks;
}

export const NOTHING_WRITTEN: ApplyCounts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };

/** Returns several runs' writes summed by list. */
export function sumWritten(runs: readonly WrittenRows[]): WrittenRows {
  const sum = new Map<string, ApplyCounts>();
  for (const [key, { created, updated, deleted, unchanged }] of runs.flatMap((run) => [...run])) {
    const before = sum.get(key) ?? NOTHING_WRITTEN;
    sum.set(key, {
      created: before.created + created,
      updated: before.updated + updated,
      deleted: before.deleted + deleted,
      unchanged: before.unchanged + unchanged,
    });
  }
  return sum;
}

export class PullInterrupted extends Refusal {
  readonly written: WrittenRows;

  constructor(written: WrittenRows) {
    super('conflict', 'sync.interrupted', said('pull.interrupted'));
    this.written = written;
  }
}

export type IsBackingOff = (job: PullJob) => boolean;

/**
 * Pulls from a partner once what `request` asks for, by default all: definitions, then each mapped list that isn't
 * backing off; then fills in references. First forgets ended mappings. One list's error is part of the result; an
 * unreachable, busy or disconnecting partner stops the run. Throws PartnerError, StoreError, and the signal's reason.
 */
export async function pullPartner(
  deps: RunDeps,
  peer: Peer,
  node: Node,
  request: RunRequest,
  options: {
    readonly signal: AbortSignal;
    readonly isBackingOff: IsBackingOff;
    readonly onPage: (job: PullJob, rows: number, total: number | undefined) => void;
    readonly onList: (result: ListResult) => Promise<void>;
    /** Interrupted after these counts. */
    readonly onInterrupted: (job: PullJob, counts: PullCounts, milliseconds: number) => Promise<void>;
    /** A list's pull begins; `drop` stops only that. */
    readonly onListStart: (job: PullJob, drop: () => void) => void;
  },
): Promise<RunResult> {
  const { signal } = options;
  await forgetUnmappedLists(deps, node.nodeID);
  /**
   * Applies changed definitions: marks their lists for rereading, and ends withdrawn sources. Passes the changes on.
   */
  const applyToLists = async (news: Reconciliation): Promise<Reconciliation> => {
    await markOutdated(deps, node.nodeID, news);
    await removeWithdrawnSources(deps, node.nodeID, news);
    return news;
  };
  const readDefinitions = async (): Promise<Reconciliation> =>
    applyToLists(await pullStructure(deps.federation, peer, node, signal));
  const news = request.rowsOnly === true ? undefined : await readDefinitions();
  const lists: ListResult[] = [];
  if (news?.awaited) return { lists };
  const jobs = await findJobs(deps, node);
  const from = await mappedListIDs(deps, node.nodeID);
  const readAgain: Reconciliation[] = [];
  for (const job of jobs) {
    signal.throwIfAborted();
    if (request.only && !request.only.has(job.shared.externalFederationModuleID)) continue;
    if (request.forced !== true && options.isBackingOff(job)) continue;
    /** Records a deleted list that is still offered as withdrawn, and adds what changed to `readAgain`. */
    const onDeleted = async (): Promise<void> => {
      const deletedAt = new Date(deps.clock.now()).toISOString();
      const gone = [{ ...job.shared, deletedAt }];
      readAgain.push(
        await applyToLists(await deps.federation.shared.reconcile(node.nodeID, gone, { complete: false })),
      );
    };
    const result = await pullExclusively(
      deps,
      peer,
      job,
      request,
      { ...options, from, onDeleted },
      async () => {
        readAgain.push(await readDefinitions());
        const now = await findJobs(deps, node);
        return now.find(({ mapping }) => mapping.federationModuleID === job.mapping.federationModuleID);
      },
    );
    if (result) lists.push(result);
  }
  const asMatched = readAgain.length === 0 ? jobs : await findJobs(deps, node);
  const readable = await readableLists(deps.lists, from);
  for (const job of asMatched) if (await isStillMapped(deps, job)) await fillReferences(deps, job, readable);
  const all = [...(news ? [news] : []), ...readAgain];
  return { ...(all.length > 0 ? { news: mergeReconciliations(all) } : {}), lists };
}

/** Marks withdrawn and changed offers' lists as not completely read. */
async function markOutdated(
  { states }: Pick<RunDeps, 'states'>,
  nodeID: string,
  { withdrawn, changed }: Reconciliation,
): Promise<void> {
  const missed = new Set([...withdrawn, ...changed.map(({ module }) => module)].map((each) => each.moduleID));
  for (const state of states.ofNode(nodeID))
    if (missed.has(state.sharedModuleID)) await states.put({ ...state, missed: true });
}

/** Ends the partner as a source of rows of withdrawn offers; the rows stay. */
async function removeWithdrawnSources(
  { federation }: Pick<RunDeps, 'federation'>,
  nodeID: string,
  { withdrawn }: Reconciliation,
): Promise<void> {
  if (withdrawn.length === 0) return;
  const gone = new Set(withdrawn.map(({ moduleID }) => moduleID));
  for (const { federationModuleID, composeModuleID } of await federation.mappings.list(nodeID))
    if (gone.has(federationModuleID))
      await federation.rowHandover.removeSource(nodeID, 'keep', [composeModuleID]);
}

/**
 * Concatenates the offers of several reconciliations, repeats included, without `awaited`: a pull with it ends earlier.
 */
function mergeReconciliations(all: readonly Reconciliation[]): Reconciliation {
  return {
    added: all.flatMap(({ added }) => added),
    changed: all.flatMap(({ changed }) => changed),
    withdrawn: all.flatMap(({ withdrawn }) => withdrawn),
    returned: all.flatMap(({ returned }) => returned),
  };
}

/**
 * Pulls a list under its lock and reports the result, unless dropped. Restarts if the user decided about its rows
 * meanwhile. Returns undefined, unreported, if the list is gone.
 */
async function pullExclusively(
  deps: RunDeps,
  peer: Peer,
  job: PullJob,
  request: RunRequest,
  options: Parameters<typeof pullPartner>[4] & {
    readonly from: readonly string[];
    /** The partner deleted a list it still offers. */
    readonly onDeleted: () => Promise<void>;
  },
  readAgain: () => Promise<PullJob | undefined>,
): Promise<ListResult | undefined> {
  for (;;) {
    const result = await deps.turns.runPull(job.shared.moduleID, async (giveWay) => {
      const pulled = await pullOne(deps, peer, job, request, { ...options, giveWay }, readAgain);
      if (pulled && pulled !== PREEMPTED && pulled.dropped !== true) await options.onList(pulled);
      return pulled;
    });
    if (result !== PREEMPTED) return result;
  }
}

/** Reads of a definition; then rows of any are taken. */
const MAX_READINGS = 3;
/** The user decided about rows before all had arrived. */
const PREEMPTED = 'gave-way';

/**
 * Pulls one list; if its definition changed, rereads that and starts over. Returns undefined if the list is gone,
 * `PREEMPTED` if the user decided about its rows, a result with `dropped` if it was dropped or is no longer mapped,
 * with `error` for a failure of this list alone. Throws other errors. Calls `onInterrupted` for any begun pull that
 * ends early.
 */
async function pullOne(
  deps: RunDeps,
  peer: Peer,
  job: PullJob,
  request: RunRequest,
  options: Parameters<typeof pullExclusively>[4] & { readonly giveWay: AbortSignal },
  /** Rereads the definitions; undefined if the list is no longer mapped. */
  readAgain: () => Promise<PullJob | undefined>,
  readings = 0,
): Promise<ListResult | typeof PREEMPTED | undefined> {
  const began = deps.clock.monotonic();
  const again = request.again?.get(job.shared.moduleID);
  const took = (): number => Math.round(deps.clock.monotonic() - began);
  const known = deps.states.get(job.shared.moduleID, job.module.moduleID);
  const dropped = new AbortController();
  options.onListStart(job, () => dropped.abort());
  let written: (() => PullCounts) | undefined;
  try {
    const outcome = await pullList(deps, peer, job, {
      signal: AbortSignal.any([options.signal, dropped.signal, options.giveWay]),
      retryFailedNow: request.forced === true,
      isFirst: known?.lastPulledAt === undefined,
      receivingListIDs: options.from,
      ...(again ? { refetchIDs: again } : {}),
      anyDefinition: readings === MAX_READINGS,
      onBegun: (counts) => (written = counts),
      onPage: ({ rows, total }) => options.onPage(job, rows, total),
    });
    return { job, outcome, milliseconds: took() };
  } catch (error) {
    if (written) await options.onInterrupted(job, written(), took());
    if (options.signal.aborted) throw error;
    if (dropped.signal.aborted || !(await isStillMapped(deps, job)))
      return { job, dropped: true, milliseconds: took() };
    if (options.giveWay.aborted) return PREEMPTED;
    if (isOtherDefinition(error)) {
      const changedJob = await readAgain();
      return changedJob && pullOne(deps, peer, changedJob, request, options, readAgain, readings + 1);
    }
    if (error instanceof ListDeletedError) {
      await options.onDeleted();
      return undefined;
    }
    if (!concernsOneList(error)) throw error;
    return { job, error, milliseconds: took() };
  }
}

/**
 * Returns whether partner, list and mapping exist, with unchanged columns; another label, kind or order is a change. The
 * offer may be withdrawn.
 */
export async function isStillMapped(
  { federation, lists }: Pick<RunDeps, 'federation' | 'lists'>,
  { shared, mapping, module }: PullJob,
): Promise<boolean> {
  const partners = await federation.nodes.list();
  if (!partners.some(({ nodeID }) => nodeID === shared.nodeID)) return false;
  const now = (await federation.mappings.list(shared.nodeID)).find(
    ({ federationModuleID, composeModuleID }) =>
      federationModuleID === mapping.federationModuleID && composeModuleID === mapping.composeModuleID,
  );
  const isMatched = now !== undefined && JSON.stringify(now.fields) === JSON.stringify(mapping.fields);
  return isMatched && (await lists.modules()).some(({ moduleID }) => moduleID === module.moduleID);
}

/** Returns whether an error affects one list only: it is unreadable, or the partner refused it or sent faulty data. */
function concernsOneList(error: unknown): error is PartnerError | Refusal {
  if (error instanceof Refusal) return error.code === UNREADABLE;
  if (!(error instanceof PartnerError)) return false;
  return error.kind === 'faulty' || error instanceof RequestRefusedError;
}

/**
 * Returns jobs for mapped, still offered lists, oldest mapping first, without those just removed here. Waits for
 * pending column changes.
 */
async function findJobs({ federation, lists }: RunDeps, node: Node): Promise<PullJob[]> {
  const { nodeID } = node;
  // Otherwise rows could enter columns that took over a name.
  await lists.caughtUp();
  const installation = await federation.tokens.installation(node);
  const partner = { isLive: node.dialect === 'live', ...omitUndefined({ installation }) };
  const offered = new Map((await federation.shared.list(nodeID)).map((shared) => [shared.moduleID, shared]));
  const jobs: PullJob[] = [];
  const mappings = await federation.mappings.list(nodeID);
  for (const mapping of mappings) {
    const otherOffers = findOtherOffers(mapping, mappings, offered);
    const shared = offered.get(mapping.federationModuleID);
    if (!shared || shared.withdrawnAt !== undefined) continue;
    try {
      const module = await lists.module(mapping.composeModuleID);
      jobs.push({ shared, mapping, module, ...partner, ...(otherOffers ? { otherOffers } : {}) });
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'not-found') throw error;
    }
  }
  return jobs;
}

/** Returns our lists that are mapped to this partner's, also to withdrawn ones, whose rows others still refer to. */
async function mappedListIDs(
  { federation, lists }: Pick<RunDeps, 'federation' | 'lists'>,
  nodeID: string,
): Promise<readonly string[]> {
  const matched = new Set((await federation.mappings.list(nodeID)).map((each) => each.composeModuleID));
  return (await lists.modules()).flatMap(({ moduleID }) => (matched.has(moduleID) ? [moduleID] : []));
}
