import type { Mapping, Node, SharedModule } from '../../federation/model.ts';
import { awaitsOffers, undecidedOffers } from '../../federation/offers/offers.ts';
import { isApart, isOursWrong } from '../../federation/partners/clocks.ts';
import { stopsFetching, stopsServing } from '../../federation/partners/pausing.ts';
import { msUntilWarnedEnd } from '../../federation/partners/token-life.ts';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';
import type { PartnerSyncFacts } from '../schedule/partner-sync-facts.ts';
import { countPending } from '../deletion-guard/threshold.ts';
import { countLocalOverrides } from './local-overrides.ts';
import { settled, countUnsettled } from './rejected-counts.ts';
import { isPulled, listKey, type ListState, type ListStates } from './list-states.ts';
import type { SyncFederation } from '../ports.ts';
import type { PartnerFacts } from './partner-facts.ts';

export interface FactsDeps {
  readonly federation: Pick<
    SyncFederation,
    'shared' | 'incomingRequests' | 'cloneDetector' | 'destinations' | 'unread'
  >;
  readonly states: ListStates;
  readonly store: Pick<Store, 'unwritable' | 'partitions' | 'partition'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Gathers all that a partner's state depends on. `sync` is undefined before the first pull; `aheads`, the milliseconds
 * by which partners' clocks are ahead, show whether ours is wrong.
 */
export async function gatherFacts(
  { federation, states, store, clock }: FactsDeps,
  node: Node,
  mappings: readonly Mapping[],
  sync: PartnerSyncFacts | undefined,
  aheads: readonly number[] = [],
): Promise<PartnerFacts> {
  const { nodeID } = node;
  const since = federation.unread.stalledSince(nodeID);
  const offered = await federation.shared.list(nodeID, { withdrawn: true });
  const offers = offerFacts(offered, mappings, states);
  return {
    ...offers,
    newOffers: undecidedOffers(node, offered, mappings).length,
    awaitsOffers: awaitsOffers(node) && offered.some(({ withdrawnAt }) => withdrawnAt === undefined),
    ...rowFacts(matchedStates(states, mappings, nodeID), withdrawnOffers(offered)),
    name: node.name,
    status: node.status,
    role: node.role,
    approved: node.pairing?.as === 'inviter' && node.pairing.yes !== undefined,
    hasWords: node.footbridge,
    isLive: node.dialect === 'live',
    pairingProblem: node.problem,
    paused: stopsFetching(node) ? node.paused : undefined,
    closed: stopsServing(node) ? (node.paused ?? {}) : undefined,
    unsure: node.unsure !== undefined,
    copiedThere: federation.cloneDetector.isCloned(nodeID),
    copiedHere: sync?.twice,
    unwritable: store.unwritable()?.code,
    running: sync?.running ?? false,
    problem: sync?.problem,
    beginning: sync?.beginning ?? true,
    callsUs: node.reach === 'they-call-us',
    cannotCallUs: node.footbridge && node.reach === 'we-call-them',
    heard: sync?.heard,
    asked: federation.incomingRequests.lastRequest(nodeID),
    stalledMs: sync?.stalledMs,
    isSearching: sync?.isSearching,
    isReached: sync?.isReached,
    unreadSince: since === undefined ? undefined : new Date(since).toISOString(),
    complete: sync?.complete,
    changedHere: await countLocalOverrides({ store, states }, mappings, node),
    endsIn: msUntilWarnedEnd(node, clock.now()),
    clock: isApart(sync?.clockAhead) ? { ahead: sync.clockAhead, ours: isOursWrong(aheads) } : undefined,
    sharing: await federation.destinations.sharingFacts(node),
    now: clock.now(),
  };
}

/**
 * Counts a partner's mappings, unread ones and parked columns, and names mapped, withdrawn offers that our user hasn't
 * dismissed. Withdrawn ones count in no number.
 */
function offerFacts(
  offered: readonly SharedModule[],
  mappings: readonly Mapping[],
  states: Pick<ListStates, 'get'>,
): Pick<PartnerFacts, 'matched' | 'unpulled' | 'withdrawn' | 'parked'> {
  const matched = new Set(mappings.map(({ federationModuleID }) => federationModuleID));
  const withdrawn = offered.filter(({ withdrawnAt }) => withdrawnAt !== undefined);
  const gone = withdrawnOffers(offered);
  const going = mappings.filter(({ federationModuleID }) => !gone.has(federationModuleID));
  return {
    matched: going.length,
    unpulled: going.filter(
      (mapping) => !isPulled(states.get(mapping.federationModuleID, mapping.composeModuleID), mapping),
    ).length,
    withdrawn: withdrawn
      .filter(({ moduleID, dismissedAt }) => dismissedAt === undefined && matched.has(moduleID))
      .map(({ name }) => name),
    parked: going.flatMap(({ fields }) => fields).filter(({ parked }) => parked !== undefined).length,
  };
}

/** Returns the ids of withdrawn offers. */
const withdrawnOffers = (offered: readonly SharedModule[]): ReadonlySet<string> =>
  new Set(offered.filter(({ withdrawnAt }) => withdrawnAt !== undefined).map(({ moduleID }) => moduleID));

/**
 * Sums what the lists' states report; `listProblem` is the first; `reviews` counts lists with rows to approve. Of
 * withdrawn ones only these rows count: no pull will end their problems.
 */
function rowFacts(
  all: readonly ListState[],
  withdrawn: ReadonlySet<string>,
): Pick<
  PartnerFacts,
  | ('listProblem' | 'reviews' | 'heldRows' | 'wentBack' | 'missing')
  | ('couldNotApply' | 'keptRows' | 'settledRows' | 'differing')
> {
  const lists = all.filter(({ sharedModuleID }) => !withdrawn.has(sharedModuleID));
  return {
    listProblem: lists.find(({ problem }) => problem !== undefined)?.problem,
    reviews: all.filter(({ brake }) => brake).length,
    heldRows: sumOf(all, ({ brake }) => brake && countPending(brake)),
    wentBack: sumOf(all, ({ brake }) => brake?.wentBack),
    missing: sumOf(all, ({ brake }) => brake?.missing),
    couldNotApply: sumOf(lists, ({ couldNotApply }) => couldNotApply),
    keptRows: sumOf(lists, countUnsettled),
    settledRows: sumOf(lists, settled),
    differing: sumOf(lists, ({ differing }) => differing),
  };
}

function sumOf(lists: readonly ListState[], number: (list: ListState) => number | undefined): number {
  return lists.reduce((sum, list) => sum + (number(list) ?? 0), 0);
}

/** Returns the states of the partner's lists that are mapped now. */
export function matchedStates(
  states: Pick<ListStates, 'ofNode'>,
  mappings: readonly Mapping[],
  nodeID: string,
): readonly ListState[] {
  const keys = new Set(
    mappings.map(({ federationModuleID, composeModuleID }) => listKey(federationModuleID, composeModuleID)),
  );
  return states
    .ofNode(nodeID)
    .filter(({ sharedModuleID, moduleID }) => keys.has(listKey(sharedModuleID, moduleID)));
}
