import { createHmac } from 'node:crypto';
import { createOpaqueCursors, type OpaqueCursors } from '../../base/opaque-cursors.ts';
import type { Partition, Table } from '../../store/store.ts';
import { storedKey } from './stored-key.ts';

/** The table keeps its first name. */
const SEALING: Table<string> = { name: 'feed-places' };

/** Change feed cursors, opaque as numbers would disclose unshared rows and columns. */
export interface FeedCursors {
  /** One exposure's cursors are meaningless for others. */
  forExposure(exposureID: string): OpaqueCursors;
}

/** Opens the encryption of change numbers, by another key for each share. Makes and stores the main key if missing. */
export async function openFeedCursors(system: Partition): Promise<FeedCursors> {
  const key = await storedKey(system, SEALING);
  return {
    forExposure: (exposureID) => createOpaqueCursors(createHmac('sha256', key).update(exposureID).digest()),
  };
}
