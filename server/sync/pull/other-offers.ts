import { createIDSet, type IDSet } from '../../base/id-set.ts';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { Partition } from '../../store/store.ts';
import { RECEIVED_ONCE } from '../tables.ts';

/**
 * What else of a partner comes into the same list of ours, or came once: nothing about a row there says which of the
 * partner's lists it is of, so that none may be taken for gone because one of these does not show it. Neither may all be
 * taken for there: a list that is withdrawn and shared anew is another one here.
 */
export interface OtherOffers {
  /** Ids, at the partner, of further lists that come into it and can be asked. */
  readonly offers: readonly string[];
  /** Rows of others stayed, which are not matched or offered any more, and cannot be asked. */
  readonly isUntold: boolean;
}

/** @param offered what the partner offers, by our ids */
export function otherOffersOf(
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
  return { offers, isUntold: offers.length < others.length };
}

/** Whether rows of another list of this partner stayed in ours when that one was left. */
export async function hasRowsOfOthers(
  partition: Pick<Partition, 'find'>,
  { nodeID, moduleID }: Pick<SharedModule, 'nodeID' | 'moduleID'>,
): Promise<boolean> {
  const left = await partition.find(RECEIVED_ONCE, 'node', nodeID);
  return left.some(({ value }) => value.sharedModuleID !== moduleID);
}

/** One answer carries about so many ids. */
const IDS_AT_ONCE = 2000;

/**
 * The ids of all rows that these lists of the partner show.
 * @param about how many those may be @throws PartnerError
 */
export async function idsIn(
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
