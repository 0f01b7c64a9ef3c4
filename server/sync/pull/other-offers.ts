import { createIDSet, type IDSet } from '../../base/id-set.ts';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { Partition } from '../../store/store.ts';
import { RECEIVED_ONCE } from '../tables.ts';

/**
 * Other lists of a partner that come, or once came, into the same list of ours. A row there doesn't say which
 * of the partner's lists it is from, so its absence in one doesn't make it deleted. Nor can all be assumed
 * present: a list that is withdrawn and shared again is another one here.
 */
export interface OtherOffers {
  /** Ids, at the partner, of further lists that come into it and can be read. */
  readonly offers: readonly string[];
  /** Rows of lists that are no longer mapped or offered stayed: whether the partner still has them can't be asked. */
  readonly hasUncheckedRows: boolean;
}

/**
 * Returns the partner's other offers that are mapped into the same list of ours; undefined if there are none. @param
 * offered the partner's offers, by our ids
 */
export function findOtherOffers(
  { composeModuleID, federationModuleID }: Mapping,
  mappings: readonly Mapping[],
  offered: ReadonlyMap<string, SharedModule>,
): OtherOffers | undefined {
  const others = mappings.filter(
    (other) => other.composeModuleID === composeModuleID && other.federationModuleID !== federationModuleID,
  );
  if (others.length === 0) return undefined;
  const offers = others.flatMap((other) => {
    const shared = offered.get(other.federationModuleID);
    return shared && shared.withdrawnAt === undefined ? [shared.externalFederationModuleID] : [];
  });
  return { offers, hasUncheckedRows: offers.length < others.length };
}

/** Returns whether our list may still have rows of another offer of this partner whose mapping ended. */
export async function hasRowsOfOthers(
  partition: Pick<Partition, 'find'>,
  { nodeID, moduleID }: Pick<SharedModule, 'nodeID' | 'moduleID'>,
): Promise<boolean> {
  const left = await partition.find(RECEIVED_ONCE, 'node', nodeID);
  return left.some(({ value }) => value.sharedModuleID !== moduleID);
}

/** About as many ids fit into one answer. */
const IDS_AT_ONCE = 2000;

/**
 * Fetches from the partner, in blocks, the ids of all rows in these lists of its. Throws PartnerError. @param about
 * the approximate number of rows
 */
export async function fetchIDs(
  calls: Pick<CompareCalls, 'digestBlock'>,
  moduleIDs: readonly string[],
  about: number,
): Promise<IDSet> {
  const ids = createIDSet();
  const blocks = Math.max(1, Math.ceil(about / IDS_AT_ONCE));
  for (const moduleID of moduleIDs)
    for (let block = 0; block < blocks; block++)
      for (const recordID of (await calls.digestBlock(moduleID, { fields: [], blocks, block })).keys())
        ids.add(recordID);
  return ids;
}
