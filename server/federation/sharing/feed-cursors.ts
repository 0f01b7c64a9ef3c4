import { createHmac } from 'node:crypto';
import { createOpaqueCursors, type OpaqueCursors } from '../../base/opaque-cursors.ts';
import type { Partition, Table } from '../../store/store.ts';
import { storedKey } from './stored-key.ts';

/** The key that places in change feeds are sealed with. */
const SEALING: Table<string> = { name: 'feed-places' };

/**
 * How partners name places in a change feed. Change numbers are used up by all that is written in a list: columns and
 * rows that are not shared, and what is no row. So they do not leave; what leaves in their place tells of no other place.
 */
export interface FeedCursors {
  /** Those of one exposure: what was given out for one means nothing for another. */
  forExposure(exposureID: string): OpaqueCursors;
}

export async function openFeedCursors(system: Partition): Promise<FeedCursors> {
  const key = await storedKey(system, SEALING);
  return {
    forExposure: (exposureID) => createOpaqueCursors(createHmac('sha256', key).update(exposureID).digest()),
  };
}
