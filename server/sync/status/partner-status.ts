import type { Node } from '../../federation/model.ts';
import type { SharingFacts } from '../../federation/offers/destinations.ts';
import { RECORDS_BROKEN } from '../../peer/guard/errors.ts';
import type { SyncFederation } from '../ports.ts';
import type { Fallbacks } from '../schedule/fallbacks.ts';
import type { PartnerSyncFacts } from '../schedule/partner-sync-facts.ts';
import type { Progress } from '../schedule/progress.ts';
import type { Successes } from '../schedule/successes.ts';
import { factsOf, matchedStates, type FactsDeps } from './facts.ts';
import type { ListState, ListStates } from './list-states.ts';
import { computeFreshness } from './liveness.ts';
import { deriveState, type PartnerState } from './state.ts';

export interface PartnerStatus extends PartnerState {
  readonly nodeID: string;
  /** As of when the state is known, and until when it counts without another message. */
  readonly asOf?: string;
  readonly freshUntil?: string;
  /** How far what we share has come; absent if nothing is shared. */
  readonly sharing?: SharingFacts;
  readonly lastSuccessAt?: string;
  readonly nextSyncAt?: string;
  readonly progress?: Progress;
  /** The partner announces changes as they happen. */
  readonly live: boolean;
  readonly lists: readonly ListState[];
  /** Reading past a broken feed (docs/live-servers.md: Past a broken feed); absent: not needed. */
  readonly fallback?: 'offered' | 'on';
}

interface StatusDeps extends FactsDeps {
  readonly federation: FactsDeps['federation'] & Pick<SyncFederation, 'mappings'>;
  readonly successes: Pick<Successes, 'last'>;
  readonly fallbacks: Pick<Fallbacks, 'isOn'>;
}

/**
 * Returns a partner's status for the window: state, times, progress and lists. For `sync` and `aheads` see
 * {@link factsOf}.
 */
export async function statusOf(
  deps: StatusDeps,
  node: Node,
  sync: PartnerSyncFacts | undefined,
  aheads: readonly number[],
): Promise<PartnerStatus> {
  const { nodeID } = node;
  const mappings = await deps.federation.mappings.list(nodeID);
  const facts = await factsOf(deps, node, mappings, sync, aheads);
  const { asOf, freshForMs } = computeFreshness(facts);
  const lastSuccessAt = deps.successes.last(nodeID);
  return {
    nodeID,
    ...deriveState(facts),
    ...(asOf === undefined ? {} : { asOf }),
    ...(freshForMs === undefined ? {} : { freshUntil: new Date(facts.now + freshForMs).toISOString() }),
    ...(facts.sharing ? { sharing: facts.sharing } : {}),
    ...(lastSuccessAt === undefined ? {} : { lastSuccessAt }),
    ...(sync?.nextAt === undefined ? {} : { nextSyncAt: new Date(sync.nextAt).toISOString() }),
    ...(sync?.progress ? { progress: sync.progress } : {}),
    live: sync?.live ?? false,
    lists: matchedStates(deps.states, mappings, nodeID),
    ...fallbackOf(deps, nodeID),
  };
}

/**
 * Returns whether reading rows past the partner's broken record feed is on, or could be switched on; an empty object
 * if neither.
 */
function fallbackOf(
  { fallbacks, states }: { readonly fallbacks: Pick<Fallbacks, 'isOn'>; readonly states: ListStates },
  nodeID: string,
): Pick<PartnerStatus, 'fallback'> {
  if (fallbacks.isOn(nodeID)) return { fallback: 'on' };
  const isBroken = states.ofNode(nodeID).some(({ problemCode }) => problemCode === RECORDS_BROKEN);
  return isBroken ? { fallback: 'offered' } : {};
}
