import type { Mapping, SharedModule } from '../../federation/model.ts';
import { omit } from '../../base/omit.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { Lists } from '../../lists/lists.ts';
import type { StandingReport } from '../../peer/dialects/footbridge.ts';
import type { Store } from '../../store/store.ts';
import { waitingIn } from '../pull/brake.ts';
import { changedHere } from './changed-here.ts';
import { settled, unsettled } from './kept.ts';
import { createMissedThere } from './missed-there.ts';
import type { ListState, ListStates } from './list-states.ts';
import type { SyncFederation } from '../ports.ts';
import { CHECKPOINTS, type FeedMark } from '../tables.ts';

interface ReportDeps {
  readonly store: Store;
  readonly lists: Pick<Lists, 'rows'>;
  readonly federation: Pick<SyncFederation, 'shared' | 'mappings' | 'nodes' | 'tokens'>;
  readonly states: ListStates;
}

/** What another Footbridge is told of how far we have come with what it shares: numbers, and nothing of any row. */
export function createReport(deps: ReportDeps, nodeID: string): () => Promise<StandingReport> {
  const missedThere = createMissedThere(deps);
  return () => reportFor(deps, nodeID, missedThere);
}

async function reportFor(
  { store, federation, states }: ReportDeps,
  nodeID: string,
  missedThere: ReturnType<typeof createMissedThere>,
): Promise<StandingReport> {
  const node = await federation.nodes.get(nodeID);
  const installation = await federation.tokens.installation(node);
  const partner = { nodeID, ...(installation === undefined ? {} : { installation }) };
  const mappings = new Map<string, Mapping[]>();
  for (const mapping of await federation.mappings.list(nodeID)) {
    const those = mappings.get(mapping.federationModuleID);
    if (those) those.push(mapping);
    else mappings.set(mapping.federationModuleID, [mapping]);
  }
  const partitions = new Set(await store.partitions());
  const lists: StandingReport['lists'] = [];
  /** Lists of ours whose rows that the user changed are told already, with another offer that goes into them. */
  const counted = new Set<string>();
  for (const shared of await federation.shared.list(nodeID)) {
    const { moduleID, externalFederationModuleID, dismissedAt } = shared;
    const into = mappings.get(moduleID) ?? [];
    const told = { moduleID: externalFederationModuleID, held: 0, lost: 0, apart: 0 };
    const fresh = into.filter(({ composeModuleID }) => !counted.has(composeModuleID));
    if (into.length === 0) {
      lists.push({ ...told, wanted: dismissedAt === undefined ? 'undecided' : 'no' });
      continue;
    }
    const read: Read[] = [];
    let stays = 0;
    for (const { composeModuleID } of into) {
      const name = listPartition(composeModuleID);
      const checkpoint = partitions.has(name)
        ? await (await store.partition(name)).get(CHECKPOINTS, moduleID)
        : undefined;
      const {
        brake,
        couldNotApply = 0,
        differing = 0,
        ...known
      }: Partial<ListState> = states.get(moduleID, composeModuleID) ?? {};
      const lost = brake?.wentBack ?? 0;
      told.held += (brake ? waitingIn(brake) : 0) - lost;
      told.lost += lost;
      told.apart += couldNotApply + unsettled(known) + differing;
      stays += settled(known);
      const { feed } = checkpoint ?? {};
      // Before all that it has was read, nothing can be said to be missing there.
      if (feed && !feed.anew && !counted.has(composeModuleID)) {
        const missed = await missedThere(composeModuleID, partner);
        told.lost += missed.lost;
        told.apart += missed.apart;
      }
      read.push(feed ? omit(feed, 'anew') : {});
    }
    const changed = (await changedHere({ store, states }, fresh, node)) + stays;
    for (const { composeModuleID } of fresh) counted.add(composeModuleID);
    const parked = into.reduce((sum, mapping) => sum + parkedOf(mapping, shared), 0);
    const [first, ...others] = read;
    lists.push({
      ...told,
      ...(changed > 0 ? { changed } : {}),
      ...(parked > 0 ? { parked } : {}),
      wanted: 'yes',
      ...first,
      // Which of them has come least far only the partner knows.
      ...(others.length > 0 ? { others: others.slice(0, MOST_OTHERS) } : {}),
    });
  }
  return { lists };
}

/** Matches that wait, where a column is shared that they may be for: one that is shared no more is missed by nobody. */
function parkedOf(mapping: Pick<Mapping, 'fields'>, shared: Pick<SharedModule, 'fields'>): number {
  const going = mapping.fields.filter(({ parked }) => parked === undefined);
  const taken = new Set(going.map(({ origin }) => origin.name));
  const left = shared.fields.filter(({ name }) => !taken.has(name));
  return Math.min(left.length, mapping.fields.length - going.length);
}

/** More lists of one offer are not told of; no partner takes more. */
const MOST_OTHERS = 100;

type Read = Partial<Pick<FeedMark, 'epoch' | 'state' | 'after'>>;
