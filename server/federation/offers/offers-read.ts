import type { Partition } from '../../store/store.ts';
import type { SharedModule } from '../model.ts';
import { SHARED_MODULES } from '../tables.ts';

/** Returns a partner's offers, withdrawn ones included, oldest first, as of the last durable change. */
export type OffersRead = (nodeID: string) => Promise<readonly SharedModule[]>;

/** Offers cached, for the partners used last. */
const MAX_KEPT = 2000;

/**
 * The window asks for the same thousand offers several times in one answer and every few seconds: they are
 * read again only after a write.
 */
export function createOffersRead(system: Pick<Partition, 'find' | 'lastSeq'>): OffersRead {
  const kept = new Map<string, { readonly seq: number; readonly offers: readonly SharedModule[] }>();
  const keep = (nodeID: string, seq: number, offers: readonly SharedModule[]): void => {
    kept.delete(nodeID);
    kept.set(nodeID, { seq, offers });
    let sum = [...kept.values()].reduce((all, each) => all + each.offers.length, 0);
    for (const [oldest, { offers: theirs }] of kept) {
      if (sum <= MAX_KEPT) break;
      kept.delete(oldest);
      sum -= theirs.length;
    }
  };
  return async (nodeID) => {
    // Read before the offers: a change in between makes the next call read them again.
    const seq = await system.lastSeq();
    const known = kept.get(nodeID);
    if (known?.seq === seq) return known.offers;
    const offers = (await system.find(SHARED_MODULES, 'node', nodeID)).map(({ value }) => value);
    keep(nodeID, seq, offers);
    return offers;
  };
}
