/** Items in order, in blocks: finding, putting and removing cost O(log n), whatever the size. */
export interface Sorted<T, K> {
  size(): number;
  get(key: K): T | undefined;
  /** The item that had the same key and is replaced, if any. */
  put(item: T): T | undefined;
  remove(key: K): T | undefined;
  /** Up to `limit` items from the first one on that `isBefore` does not hold for. It must hold for a first part only. */
  takeFrom(isBefore: (item: T) => boolean, limit: number): T[];
  /** How many items there are from the first one on that `isBefore` does not hold for. Costs O(n / block). */
  countFrom(isBefore: (item: T) => boolean): number;
  /** Up to `limit` items backwards, from the last one on that `isBefore` holds for. */
  takeBackFrom(isBefore: (item: T) => boolean, limit: number): T[];
  /** Everything as of now; changes made later do not show in it. Costs O(n / block). */
  view(): readonly (readonly T[])[];
}

const FULL = 512;
const SPARSE = FULL / 4;

interface Block<T> {
  items: T[];
  /** The number of views that existed when `items` was made: older views share it, so it must be copied first. */
  version: number;
}

/** An empty collection ordered by `compare`, which tells how an item stands to a key, as Array.sort wants it. */
export function createSorted<T, K>(
  keyOf: (item: T) => K,
  compare: (item: T, key: K) => number,
): Sorted<T, K> {
  const blocks: Block<T>[] = [];
  let version = 0;
  let size = 0;

  /** Index of the first block whose last item is not before; `blocks.length` when there is none. */
  const blockFor = (isBefore: (item: T) => boolean): number => {
    let low = 0;
    let high = blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = blocks[middle]?.items.at(-1);
      if (last !== undefined && isBefore(last)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const placeIn = (items: readonly T[], isBefore: (item: T) => boolean): number => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const item = items[middle];
      if (item !== undefined && isBefore(item)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** The block's items for changing: a copy when a view may hold them. */
  const own = (block: Block<T>): T[] => {
    if (block.version !== version) {
      block.items = block.items.slice();
      block.version = version;
    }
    return block.items;
  };
  const insert = (at: number, place: number, item: T): void => {
    const block = blocks[at] ?? blocks.at(-1);
    if (!block || (at === blocks.length && block.items.length >= FULL)) {
      blocks.push({ items: [item], version });
      return;
    }
    const items = own(block);
    if (at === blocks.length) items.push(item);
    else items.splice(place, 0, item);
    if (items.length > FULL) {
      blocks.splice(at + 1, 0, { items: items.splice(FULL / 2), version });
    }
  };
  /** Keeps blocks from becoming many and small after removals. */
  const tidy = (at: number): void => {
    if ((blocks[at]?.items.length ?? FULL) >= SPARSE) return;
    for (const first of [at, at - 1]) {
      const [one, other] = [blocks[first], blocks[first + 1]];
      if (one && other && one.items.length + other.items.length <= FULL / 2) {
        blocks.splice(first, 2, { items: [...one.items, ...other.items], version });
      }
    }
    if (blocks[at]?.items.length === 0) blocks.splice(at, 1);
  };

  return {
    size: () => size,
    get(key) {
      const isBefore = (item: T): boolean => compare(item, key) < 0;
      const items = blocks[blockFor(isBefore)]?.items;
      const item = items?.[placeIn(items, isBefore)];
      return item !== undefined && compare(item, key) === 0 ? item : undefined;
    },
    put(item) {
      const key = keyOf(item);
      const last = blocks.at(-1)?.items.at(-1);
      if (last === undefined || compare(last, key) < 0) {
        size++;
        insert(blocks.length, 0, item);
        return undefined;
      }
      const isBefore = (other: T): boolean => compare(other, key) < 0;
      const at = blockFor(isBefore);
      const block = blocks[at];
      const place = block ? placeIn(block.items, isBefore) : 0;
      const old = block?.items[place];
      if (block && old !== undefined && compare(old, key) === 0) {
        own(block)[place] = item;
        return old;
      }
      size++;
      insert(at, place, item);
      return undefined;
    },
    remove(key) {
      const isBefore = (item: T): boolean => compare(item, key) < 0;
      const at = blockFor(isBefore);
      const block = blocks[at];
      const place = block ? placeIn(block.items, isBefore) : 0;
      const old = block?.items[place];
      if (!block || old === undefined || compare(old, key) !== 0) return undefined;
      own(block).splice(place, 1);
      size--;
      tidy(at);
      return old;
    },
    takeFrom(isBefore, limit) {
      const taken: T[] = [];
      let at = blockFor(isBefore);
      let place = placeIn(blocks[at]?.items ?? [], isBefore);
      for (; taken.length < limit && at < blocks.length; at++, place = 0) {
        const items = blocks[at]?.items ?? [];
        for (; place < items.length && taken.length < limit; place++) taken.push(items[place] as T);
      }
      return taken;
    },
    countFrom(isBefore) {
      const at = blockFor(isBefore);
      const before = placeIn(blocks[at]?.items ?? [], isBefore);
      return blocks.slice(at).reduce((sum, { items }) => sum + items.length, 0) - before;
    },
    takeBackFrom(isBefore, limit) {
      const taken: T[] = [];
      let at = Math.min(blockFor(isBefore), blocks.length - 1);
      let place = placeIn(blocks[at]?.items ?? [], isBefore) - 1;
      for (; taken.length < limit && at >= 0; at--, place = (blocks[at]?.items.length ?? 0) - 1) {
        const items = blocks[at]?.items ?? [];
        for (; place >= 0 && taken.length < limit; place--) taken.push(items[place] as T);
      }
      return taken;
    },
    view() {
      version++;
      return blocks.map((block) => block.items);
    },
  };
}

/** The order of keys: shorter ones first, then by code unit, so that decimal ids stand in numeric order. */
export function compareKeys(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
