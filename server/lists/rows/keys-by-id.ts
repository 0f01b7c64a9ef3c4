import { createPause } from '../../base/yield.ts';
import type { SortKey } from '../query/sort.ts';

/** Finds the key by which a row was sorted in. */
export interface KeysByID {
  get(recordID: string): SortKey | undefined;
  set(key: SortKey): void;
  delete(recordID: string): void;
}

/** So many small maps instead of one: a single map of a million keys stands still for 100 ms when it grows. */
const SHARDS = 256;

/** All of these, gathered without holding the event loop. */
export async function createKeysByID(keys: readonly SortKey[]): Promise<KeysByID> {
  const shards: Map<string, SortKey>[] = Array.from({ length: SHARDS }, () => new Map<string, SortKey>());
  // The last digits of ids differ most.
  const shardOf = (recordID: string): Map<string, SortKey> | undefined =>
    shards[Number(recordID.slice(-6)) % SHARDS];
  const pause = createPause();
  for (const key of keys) {
    shardOf(key.recordID)?.set(key.recordID, key);
    await pause();
  }
  return {
    get: (recordID) => shardOf(recordID)?.get(recordID),
    set: (key) => shardOf(key.recordID)?.set(key.recordID, key),
    delete: (recordID) => shardOf(recordID)?.delete(recordID),
  };
}
