const BLOCK_ITEMS = 512;
const SMALL_BLOCK_ITEMS = BLOCK_ITEMS / 4;

interface Block<T> {
  items: T[];
  /** Older views share `items`: newer ones need a copy. */
  version: number;
}

/** Keeps sorted items in blocks: find, put and remove cost O(log n). */
export class SortedList<T, K> {
  readonly #keyOf: (item: T) => K;
  readonly #compare: (item: T, key: K) => number;
  readonly #blocks: Block<T>[] = [];
  #version = 0;
  #size = 0;

  /** `compare` compares an item with a key, like Array.sort. */
  constructor(keyOf: (item: T) => K, compare: (item: T, key: K) => number) {
    this.#keyOf = keyOf;
    this.#compare = compare;
  }

  size(): number {
    return this.#size;
  }

  /** Returns the item with this key; undefined if there is none. */
  get(key: K): T | undefined {
    const isBefore = (item: T): boolean => this.#compare(item, key) < 0;
    const items = this.#blocks[this.#blockFor(isBefore)]?.items;
    const item = items?.[lowerBound(items, isBefore)];
    return item !== undefined && this.#compare(item, key) === 0 ? item : undefined;
  }

  /** Returns the item at this position from 0; undefined after the last. Costs O(n / block). */
  at(place: number): T | undefined {
    let left = place;
    for (const { items } of this.#blocks) {
      if (left < items.length) return items[left];
      left -= items.length;
    }
    return undefined;
  }

  /** Adds an item; returns the one with the same key that it replaces, if any. */
  put(item: T): T | undefined {
    const key = this.#keyOf(item);
    const last = this.#blocks.at(-1)?.items.at(-1);
    if (last === undefined || this.#compare(last, key) < 0) {
      this.#size++;
      this.#insertIntoBlock(this.#blocks.length, 0, item);
      return undefined;
    }
    const isBefore = (other: T): boolean => this.#compare(other, key) < 0;
    const at = this.#blockFor(isBefore);
    const block = this.#blocks[at];
    const place = block ? lowerBound(block.items, isBefore) : 0;
    const old = block?.items[place];
    if (block && old !== undefined && this.#compare(old, key) === 0) {
      this.#writableItems(block)[place] = item;
      return old;
    }
    this.#size++;
    this.#insertIntoBlock(at, place, item);
    return undefined;
  }

  /** Removes and returns the item with this key, if any. */
  remove(key: K): T | undefined {
    const isBefore = (item: T): boolean => this.#compare(item, key) < 0;
    const at = this.#blockFor(isBefore);
    const block = this.#blocks[at];
    const place = block ? lowerBound(block.items, isBefore) : 0;
    const old = block?.items[place];
    if (!block || old === undefined || this.#compare(old, key) !== 0) return undefined;
    this.#writableItems(block).splice(place, 1);
    this.#size--;
    this.#mergeSmallBlocks(at);
    return old;
  }

  /**
   * Returns up to `limit` items, ascending, from the first for which `isBefore` is false; it must be true for a prefix.
   * The list keeps them.
   */
  takeFrom(isBefore: (item: T) => boolean, limit: number): T[] {
    const taken: T[] = [];
    let at = this.#blockFor(isBefore);
    let place = lowerBound(this.#blocks[at]?.items ?? [], isBefore);
    for (; taken.length < limit && at < this.#blocks.length; at++, place = 0) {
      const items = this.#blocks[at]?.items ?? [];
      for (; place < items.length && taken.length < limit; place++) taken.push(items[place] as T);
    }
    return taken;
  }

  /** Counts the items from the first for which `isBefore` is false. Costs O(n / block). */
  countFrom(isBefore: (item: T) => boolean): number {
    const at = this.#blockFor(isBefore);
    const before = lowerBound(this.#blocks[at]?.items ?? [], isBefore);
    return this.#blocks.slice(at).reduce((sum, { items }) => sum + items.length, 0) - before;
  }

  /** Returns up to `limit` items, descending, from the last for which `isBefore` is true. */
  takeBackFrom(isBefore: (item: T) => boolean, limit: number): T[] {
    const taken: T[] = [];
    let at = Math.min(this.#blockFor(isBefore), this.#blocks.length - 1);
    let place = lowerBound(this.#blocks[at]?.items ?? [], isBefore) - 1;
    for (; taken.length < limit && at >= 0; at--, place = (this.#blocks[at]?.items.length ?? 0) - 1) {
      const items = this.#blocks[at]?.items ?? [];
      for (; place >= 0 && taken.length < limit; place--) taken.push(items[place] as T);
    }
    return taken;
  }

  /** Returns all items in blocks as of now; later changes don't show. Costs O(n / block). */
  view(): readonly (readonly T[])[] {
    this.#version++;
    return this.#blocks.map((block) => block.items);
  }

  /**
   * Returns the index of the block with the first item for which `isBefore` is false; the number of blocks if there is
   * none.
   */
  #blockFor(isBefore: (item: T) => boolean): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#blocks[middle]?.items.at(-1);
      if (last !== undefined && isBefore(last)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the block's items to change, copied first if a view may share them. */
  #writableItems(block: Block<T>): T[] {
    if (block.version !== this.#version) {
      block.items = block.items.slice();
      block.version = this.#version;
    }
    return block.items;
  }

  /** Inserts an item into a block, which is split if too large; behind the last block it may begin a new one. */
  #insertIntoBlock(blockIndex: number, place: number, item: T): void {
    const block = this.#blocks[blockIndex] ?? this.#blocks.at(-1);
    if (!block || (blockIndex === this.#blocks.length && block.items.length >= BLOCK_ITEMS)) {
      this.#blocks.push({ items: [item], version: this.#version });
      return;
    }
    const items = this.#writableItems(block);
    if (blockIndex === this.#blocks.length) items.push(item);
    else items.splice(place, 0, item);
    if (items.length > BLOCK_ITEMS) {
      this.#blocks.splice(blockIndex + 1, 0, {
        items: items.splice(BLOCK_ITEMS / 2),
        version: this.#version,
      });
    }
  }

  /** Merges a small block with a neighbour if both fit into half a block; removes an empty one. */
  #mergeSmallBlocks(blockIndex: number): void {
    if ((this.#blocks[blockIndex]?.items.length ?? BLOCK_ITEMS) >= SMALL_BLOCK_ITEMS) return;
    for (const first of [blockIndex, blockIndex - 1]) {
      const [one, other] = [this.#blocks[first], this.#blocks[first + 1]];
      if (one && other && one.items.length + other.items.length <= BLOCK_ITEMS / 2) {
        this.#blocks.splice(first, 2, { items: [...one.items, ...other.items], version: this.#version });
      }
    }
    if (this.#blocks[blockIndex]?.items.length === 0) this.#blocks.splice(blockIndex, 1);
  }
}

/** Returns the index of the first item for which `isBefore` is false, by binary search; the length if there is none. */
const lowerBound = <T>(items: readonly T[], isBefore: (item: T) => boolean): number => {
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

/** Returns the index of the last of these ascending starts at or before `place`; -1 if none. */
export function lastStartingBefore(starts: ArrayLike<number>, place: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Compares keys: shorter ones first, then by code unit, so decimal ids sort numerically. */
export function compareKeys(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
