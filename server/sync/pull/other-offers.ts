import { createIDSet, type IDSet } from '../../base/id-set.ts';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { CompareCalls } from '../../peer/dialects/footbridge-compare.ts';
import type { Partition } from '../../store/store.ts';
import { RECEIVED_ONCE } from '../tables.ts';

/**
 * The partner's other lists for ours, now or formerly. Rows don't say their list, so absence from one doesn't
 * mean deleted.
 */
export interface OtherOffers {
  /** Partner's ids of the readable ones. */
  readonly offers: readonly string[];
  /** Rows of lists no longer mapped or offered stayed; the partner can't be asked for them. */
  readonly hasUncheckedRows: boolean;
}

/**
 * Returns the partner's other offers that are mapped into our list; undefined if there are none. `offered` is by our
 * ids. Those that aren't offered any more only set `hasUncheckedRows`.
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

/** Returns whether our list may have rows of another, no longer mapped offer of this partner. */
export async function hasRowsOfEndedOffers(
  partition: Pick<Partition, 'find'>,
  { nodeID, moduleID }: Pick<SharedModule, 'nodeID' | 'moduleID'>,
): Promise<boolean> {
  const left = await partition.find(RECEIVED_ONCE, 'node', nodeID);
  return left.some(({ value }) => value.sharedModuleID !== moduleID);
}

/** As many fit into one answer. */
const IDS_AT_ONCE = 2000;

/** Fetches all row ids of these lists, in blocks for about `about` rows. Throws PartnerError. One request a block. */
export async function fetchRowIDs(
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
