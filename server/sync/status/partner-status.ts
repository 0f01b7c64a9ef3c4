import type { Node } from '../../federation/model.ts';
import type { SharingFacts } from '../../federation/offers/destinations.ts';
import { RECORDS_BROKEN } from '../../peer/guard/errors.ts';
import type { SyncFederation } from '../ports.ts';
import type { Fallbacks } from '../schedule/fallbacks.ts';
import type { PartnerSyncFacts } from '../schedule/partner-sync-facts.ts';
import type { Progress } from '../schedule/progress.ts';
import type { Successes } from '../schedule/successes.ts';
import { gatherFacts, matchedStates, type FactsDeps } from './facts.ts';
import type { ListState, ListStates } from './list-states.ts';
import { computeFreshness } from './liveness.ts';
import { deriveState, type PartnerState } from './state.ts';

export interface PartnerStatus extends PartnerState {
  readonly nodeID: string;
  /** Known as of then, and valid until `freshUntil` without another message. */
  readonly asOf?: string;
  readonly freshUntil?: string;
  /** Absent: nothing is shared. */
  readonly sharing?: SharingFacts;
  readonly lastSuccessAt?: string;
  readonly nextSyncAt?: string;
  readonly progress?: Progress;
  /** Changes are announced as they happen. */
  readonly live: boolean;
  readonly lists: readonly ListState[];
  /** Rows are, or could be, read past a broken feed; absent if needless (docs/live-servers.md). */
  readonly fallback?: 'offered' | 'on';
}

interface StatusDeps extends FactsDeps {
  readonly federation: FactsDeps['federation'] & Pick<SyncFederation, 'mappings'>;
  readonly successes: Pick<Successes, 'lastSuccess'>;
  readonly fallbacks: Pick<Fallbacks, 'isOn'>;
}

/**
 * Returns a partner's status for the window. `sync` is undefined before the first pull; `aheads`: the milliseconds by
 * which partners' clocks are ahead of ours.
 */
export async function statusOf(
  deps: StatusDeps,
  node: Node,
  sync: PartnerSyncFacts | undefined,
  aheads: readonly number[],
): Promise<PartnerStatus> {
  const { nodeID } = node;
  const mappings = await deps.federation.mappings.list(nodeID);
  const facts = await gatherFacts(deps, node, mappings, sync, aheads);
  const { asOf, freshForMs } = computeFreshness(facts);
  const lastSuccessAt = deps.successes.lastSuccess(nodeID);
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

/** Returns whether reading past the partner's feed is on, or offered because its feed is broken; {} otherwise. */
function fallbackOf(
  { fallbacks, states }: { readonly fallbacks: Pick<Fallbacks, 'isOn'>; readonly states: ListStates },
  nodeID: string,
): Pick<PartnerStatus, 'fallback'> {
  if (fallbacks.isOn(nodeID)) return { fallback: 'on' };
  const isBroken = states.ofNode(nodeID).some(({ problemCode }) => problemCode === RECORDS_BROKEN);
  return isBroken ? { fallback: 'offered' } : {};
}
