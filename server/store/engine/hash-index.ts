import { compareKeys, SortedList } from '../../base/sorted-list.ts';

/** Keys by a text's hash. Callers compare the text, as hashes collide. */
export interface HashIndex {
  add(text: string, key: string): void;
  remove(text: string, key: string): void;
  keys(text: string): readonly string[];
}

/** Growing one map of a million entries blocks for 100 ms. */
const SHARDS = 256;
/** From so many on, a hash's keys are a sorted list of blocks. */
const SORTED_LIST_FROM = 512;

type Posting = string | string[] | SortedList<string, string>;

const NONE: readonly string[] = [];
const identity = (key: string): string => key;

/** Creates an empty index, whose keys of one hash are in a sorted array, and in a sorted list beyond 512. */
export function createHashIndex(): HashIndex {
  const shards: (Map<number, Posting> | undefined)[] = [];
  return {
    /** Adds the key to those of the text's hash, unless it is there. */
    add(text, key) {
      const hash = hashOf(text);
      const shard = (shards[hash % SHARDS] ??= new Map<number, Posting>());
      const slot = Math.floor(hash / SHARDS);
      const old = shard.get(slot);
      if (old === undefined) shard.set(slot, key);
      else if (typeof old === 'string') {
        if (old !== key) shard.set(slot, compareKeys(old, key) < 0 ? [old, key] : [key, old]);
      } else if (!Array.isArray(old)) old.put(key);
      else {
        const place = insertionPoint(old, key);
        if (old[place] !== key) old.splice(place, 0, key);
        if (old.length > SORTED_LIST_FROM) {
          const sorted = new SortedList(identity, compareKeys);
          for (const one of old) sorted.put(one);
          shard.set(slot, sorted);
        }
      }
    },
    /** Removes the key from those of the text's hash, if it is there. */
    remove(text, key) {
      const hash = hashOf(text);
      const shard = shards[hash % SHARDS];
      const slot = Math.floor(hash / SHARDS);
      const old = shard?.get(slot);
      if (!shard || old === undefined) return;
      if (typeof old === 'string') {
        if (old === key) shard.delete(slot);
      } else if (Array.isArray(old)) {
        const place = insertionPoint(old, key);
        if (old[place] === key) old.splice(place, 1);
        if (old.length === 0) shard.delete(slot);
      } else {
        old.remove(key);
        if (old.size() === 0) shard.delete(slot);
      }
    },
    /** Returns keys with the text's hash in key order. The caller mustn't change the array. */
    keys(text) {
      if (shards.length === 0) return NONE;
      const hash = hashOf(text);
      const posting = shards[hash % SHARDS]?.get(Math.floor(hash / SHARDS));
      if (posting === undefined) return NONE;
      if (typeof posting === 'string') return [posting];
      return Array.isArray(posting) ? posting : posting.takeFrom(() => false, Infinity);
    },
  };
}

/** Returns an unsigned 32-bit hash: FNV-1a over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Returns the index of the first key not before `key`, by binary search. */
function insertionPoint(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
