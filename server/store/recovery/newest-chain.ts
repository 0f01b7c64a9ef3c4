import { loadChain, type Chain, type ChainPlace } from './chain.ts';
import { listGenerations, snapshotName, type Generations } from '../engine/generations.ts';
import type { PartitionState } from '../engine/partition-state.ts';

export interface NewestChain {
  /** Undefined: neither snapshot nor empty start is readable. */
  readonly chain: Chain | undefined;
  readonly badSnapshots: readonly string[];
}

/**
 * Returns the newest snapshot whose journals lead to the end, else the one with the most of them (`tail` undefined), if
 * any. Also names, newest first, unreadable snapshots and those newer than a chain that leads to the end.
 */
export async function findNewestChain(place: ChainPlace, found: Generations): Promise<NewestChain> {
  const unread = new Set<number>();
  let best: Chain | undefined;
  const beginnings = [...found.snapshots.toReversed(), ...(found.journals[0] === 1 ? [0] : [])];
  for (const number of beginnings) {
    const chain = await loadChain(place, found, number);
    if (!chain) unread.add(number);
    else if (!best || isFuller(chain, best)) best = chain;
    if (best?.tail) break;
  }
  const newer = found.snapshots.filter((number) => unread.has(number) || (best?.tail && number > best.base));
  return { chain: best, badSnapshots: newer.toReversed().map(snapshotName) };
}

/** Returns whether the chain has more changes than `than`, or as many and can be continued. */
function isFuller({ state, tail }: Chain, than: Chain): boolean {
  const more = state.lastSeq() - than.state.lastSeq();
  return tail ? more >= 0 : more > 0;
}

/** Returns an unloaded partition's state; undefined if its files need repair. */
export async function readIntactState(place: ChainPlace): Promise<PartitionState | undefined> {
  const { chain, badSnapshots } = await findNewestChain(
    place,
    await listGenerations(place.disk, place.folder),
  );
  return chain?.tail && chain.torn === 0 && badSnapshots.length === 0 ? chain.state : undefined;
}
