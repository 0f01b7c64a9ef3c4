import { loadChain, type Chain, type ChainPlace } from './chain.ts';
import { listGenerations, snapshotName, type Generations } from './generations.ts';
import type { PartitionState } from './partition-state.ts';

/** The state that the newest good snapshot leads to, and the names of newer ones that are damaged. */
export interface NewestChain {
  /** Undefined when neither a snapshot nor the beginning of the first journal can be read. */
  readonly chain: Chain | undefined;
  readonly badSnapshots: readonly string[];
}

/** Tries a partition's snapshots from the newest on, then its beginning. Nothing is written. */
export async function newestChain(place: ChainPlace, found: Generations): Promise<NewestChain> {
  const badSnapshots: string[] = [];
  for (const number of found.snapshots.toReversed()) {
    const chain = await loadChain(place, found, number);
    if (chain) return { chain, badSnapshots };
    badSnapshots.push(snapshotName(number));
  }
  const chain = found.journals[0] === 1 ? await loadChain(place, found, 0) : undefined;
  return { chain, badSnapshots };
}

/** The state of a partition that is not in use; undefined when something in it must be repaired first. */
export async function readUnused(place: ChainPlace): Promise<PartitionState | undefined> {
  const { chain, badSnapshots } = await newestChain(place, await listGenerations(place.disk, place.folder));
  return chain?.tail && chain.torn === 0 && badSnapshots.length === 0 ? chain.state : undefined;
}
