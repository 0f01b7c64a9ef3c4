import type { Node } from '../federation/model.ts';
import type { Clock } from '../store/clock.ts';
import type { LaneFacts } from './lane.ts';
import { listKey, type ListState, type ListStates } from './list-states.ts';
import type { SyncFederation } from './ports.ts';
import type { PartnerFacts } from './state.ts';
import type { Successes } from './successes.ts';

interface FactsDeps {
  readonly federation: Pick<SyncFederation, 'mappings' | 'shared'>;
  readonly states: ListStates;
  readonly successes: Pick<Successes, 'last'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Gathers all that the state of a partner depends on; `lane` is undefined before it was ever pulled from. */
export async function factsOf(
  { federation, states, successes, clock }: FactsDeps,
  node: Node,
  lane: LaneFacts | undefined,
): Promise<PartnerFacts> {
  const { nodeID } = node;
  const mappings = await federation.mappings.list(nodeID);
  const matched = new Set(mappings.map(({ federationModuleID }) => federationModuleID));
  const offered = await federation.shared.list(nodeID);
  const listStates = await matchedStates({ federation, states }, nodeID);
  const brakes = listStates.flatMap(({ brake }) => (brake ? [brake] : []));
  return {
    name: node.name,
    status: node.status,
    role: node.role,
    pairingProblem: node.problem,
    paused: node.paused,
    running: lane?.running ?? false,
    problem: lane?.problem,
    listProblem: listStates.find(({ problem }) => problem !== undefined)?.problem,
    brakes: brakes.length,
    heldRows: brakes.reduce((sum, { removes, empties }) => sum + removes + empties, 0),
    couldNotApply: listStates.reduce((sum, { couldNotApply }) => sum + couldNotApply, 0),
    parked: mappings.flatMap(({ fields }) => fields).filter(({ parked }) => parked !== undefined).length,
    newOffers: offered.filter(
      ({ moduleID, dismissedAt, withdrawnAt }) =>
        dismissedAt === undefined && withdrawnAt === undefined && !matched.has(moduleID),
    ).length,
    expiresAt: node.tokenExpiresAt,
    renews: node.footbridge,
    lastSuccessAt: successes.last(nodeID),
    now: new Date(clock.now()).toISOString(),
  };
}

/** How the lists stand that are matched now; what is left of others says nothing any more. */
export async function matchedStates(
  { federation, states }: Pick<FactsDeps, 'states'> & { federation: Pick<SyncFederation, 'mappings'> },
  nodeID: string,
): Promise<readonly ListState[]> {
  const mappings = await federation.mappings.list(nodeID);
  const keys = new Set(
    mappings.map(({ federationModuleID, composeModuleID }) => listKey(federationModuleID, composeModuleID)),
  );
  return states
    .ofNode(nodeID)
    .filter(({ sharedModuleID, moduleID }) => keys.has(listKey(sharedModuleID, moduleID)));
}
