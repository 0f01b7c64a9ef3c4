import type { Sorted } from '../../base/sorted.ts';
import type { Order, SortKey } from '../query/sort.ts';

/** The rows of a list that fit something, in some order, as of one moment: their keys only. */
export interface View {
  readonly length: number;
  /** The keys at these places, `end` left out; all behind `start` without it. */
  slice(start: number, end?: number): SortKey[];
  /** The place of the first key that stands behind this one, whether this one is there or not. */
  placeBehind(key: SortKey): number;
}

/** What `sorted` holds now; later changes do not show. */
export function viewOf(sorted: Sorted<SortKey, SortKey>, order: Order): View {
  return viewOfBlocks(sorted.view(), order);
}

/** @param keys in order */
export function viewOfKeys(keys: readonly SortKey[], order: Order): View {
  return viewOfBlocks([keys], order);
}

function viewOfBlocks(blocks: readonly (readonly SortKey[])[], { compare }: Order): View {
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  return {
    length,
    slice(start, end = length) {
      const keys: SortKey[] = [];
      let first = 0;
      for (const block of blocks) {
        if (first >= end) break;
        if (first + block.length > start) {
          for (const key of block.slice(Math.max(0, start - first), end - first)) keys.push(key);
        }
        first += block.length;
      }
      return keys;
    },
    placeBehind(key) {
      let place = 0;
      for (const block of blocks) {
        const last = block.at(-1);
        if (last && compare(last, key) <= 0) place += block.length;
        else return place + firstBehind(block, key, compare);
      }
      return place;
    },
  };
}

function firstBehind(block: readonly SortKey[], key: SortKey, compare: Order['compare']): number {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = block[middle];
    if (entry && compare(entry, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
