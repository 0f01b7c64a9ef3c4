import type { Mapping, Node, SharedModule } from '../../federation/model.ts';
import { omit } from '../../base/omit.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Lists } from '../../lists/lists.ts';
import type { SyncReport } from '../../peer/dialects/footbridge.ts';
import type { Store } from '../../store/store.ts';
import { countPending } from '../deletion-guard/threshold.ts';
import { countLocalOverrides } from './local-overrides.ts';
import { settled, countUnsettled } from './rejected-counts.ts';
import { createUnsyncedAtPeer } from './unsynced-at-peer.ts';
import type { ListState, ListStates } from './list-states.ts';
import type { SyncFederation } from '../ports.ts';
import { CHECKPOINTS, type FeedMark } from '../tables.ts';

interface ReportDeps {
  readonly store: Store;
  readonly lists: Pick<Lists, 'rows'>;
  readonly federation: Pick<SyncFederation, 'shared' | 'mappings' | 'nodes' | 'tokens'>;
  readonly states: ListStates;
}

/** Returns a function that makes the progress report for another Footbridge: numbers only. */
export function createReport(deps: ReportDeps, nodeID: string): () => Promise<SyncReport> {
  const missedThere = createUnsyncedAtPeer(deps);
  return () => reportFor(deps, nodeID, missedThere);
}

interface Reporting extends ReportDeps {
  readonly node: Node;
  readonly partner: { readonly nodeID: string; readonly installation?: string };
  readonly partitions: ReadonlySet<string>;
  readonly missedThere: MissedThere;
  /** Already reported with another offer. */
  readonly counted: Set<string>;
}

type MissedThere = ReturnType<typeof createUnsyncedAtPeer>;

/** Makes a partner's progress report, with an entry for each offer that isn't withdrawn; unmapped ones have zeros. */
async function reportFor(deps: ReportDeps, nodeID: string, missedThere: MissedThere): Promise<SyncReport> {
  const { store, federation } = deps;
  const node = await federation.nodes.get(nodeID);
  const installation = await federation.tokens.installation(node);
  const reporting = {
    ...{ ...deps, node, missedThere },
    partner: { nodeID, ...(installation === undefined ? {} : { installation }) },
    partitions: new Set(await store.partitions()),
    counted: new Set<string>(),
  };
  const mappings = await federation.mappings.list(nodeID);
  const lists: SyncReport['lists'] = [];
  for (const shared of await federation.shared.list(nodeID)) {
    const into = mappings.filter(({ federationModuleID }) => federationModuleID === shared.moduleID);
    const wanted = shared.dismissedAt === undefined ? 'undecided' : 'no';
    const moduleID = shared.externalFederationModuleID;
    lists.push(
      into.length === 0
        ? { moduleID, held: 0, lost: 0, apart: 0, wanted }
        : await listReport(reporting, shared, into),
    );
  }
  return { lists };
}

/**
 * Returns an offer's entry, and adds its lists to `counted`. Doesn't count missing and locally changed rows of lists
 * that are in it already, as another entry has those.
 */
async function listReport(
  reporting: Reporting,
  shared: SharedModule,
  into: readonly Mapping[],
): Promise<SyncReport['lists'][number]> {
  const { counted, partner, missedThere, states, node } = reporting;
  const counts = { moduleID: shared.externalFederationModuleID, held: 0, lost: 0, apart: 0 };
  const fresh = into.filter(({ composeModuleID }) => !counted.has(composeModuleID));
  const read: Read[] = [];
  let stays = 0;
  for (const { composeModuleID } of into) {
    const feed = await readFeedPosition(reporting, shared.moduleID, composeModuleID);
    const state: Partial<ListState> = states.get(shared.moduleID, composeModuleID) ?? {};
    const { brake, couldNotApply = 0, differing = 0 } = state;
    const lost = brake?.wentBack ?? 0;
    counts.held += (brake ? countPending(brake) : 0) - lost;
    counts.lost += lost;
    counts.apart += couldNotApply + countUnsettled(state) + differing;
    stays += settled(state);
    // Before a complete read, nothing is missing.
    if (feed && !feed.anew && !counted.has(composeModuleID)) {
      const missed = await missedThere(composeModuleID, partner);
      counts.lost += missed.lost;
      counts.apart += missed.apart;
    }
    read.push(feed ? omit(feed, 'anew') : {});
  }
  const changed = (await countLocalOverrides(reporting, fresh, node)) + stays;
  for (const { composeModuleID } of fresh) counted.add(composeModuleID);
  const parked = into.reduce((sum, mapping) => sum + countParked(mapping, shared), 0);
  const [first, ...others] = read;
  return {
    ...counts,
    ...(changed > 0 ? { changed } : {}),
    ...(parked > 0 ? { parked } : {}),
    wanted: 'yes',
    ...first,
    // Only the partner knows which is furthest behind.
    ...(others.length > 0 ? { others: others.slice(0, MAX_OTHERS) } : {}),
  };
}

/** Returns the stored position in the partner's feed; undefined if the list was never read that way. */
async function readFeedPosition(
  { store, partitions }: Reporting,
  sharedModuleID: string,
  composeModuleID: string,
): Promise<FeedMark | undefined> {
  const name = listPartition(composeModuleID);
  if (!partitions.has(name)) return undefined;
  return (await (await store.partition(name)).get(CHECKPOINTS, sharedModuleID))?.feed;
}

/** Returns how many columns the partner shares that aren't in use, at most as many as are parked. */
function countParked(mapping: Pick<Mapping, 'fields'>, shared: Pick<SharedModule, 'fields'>): number {
  const going = mapping.fields.filter(({ parked }) => parked === undefined);
  const taken = new Set(going.map(({ origin }) => origin.name));
  const left = shared.fields.filter(({ name }) => !taken.has(name));
  return Math.min(left.length, mapping.fields.length - going.length);
}

/** Partners accept no more. */
const MAX_OTHERS = 100;

type Read = Partial<Pick<FeedMark, 'epoch' | 'state' | 'after'>>;
