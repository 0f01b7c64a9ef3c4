import { lastStartingBefore } from '../../base/sorted-list.ts';

export const ENTRIES_PER_SKIP = 1024;

/** A range's first rank, and the entries before it. */
export interface SkipEntry {
  readonly first: Buffer;
  readonly before: number;
}

/** In-memory positions of a ranking's ranges, to skip entries before one. */
export class SkipIndex {
  /** The first rank is empty. */
  readonly #firsts: readonly Buffer[];
  readonly #counts: number[];
  readonly #before: number[];

  /** Takes every 1,024th entry's rank, from the first, and the number of entries. */
  constructor(firsts: readonly Buffer[], length: number) {
    this.#firsts = [Buffer.alloc(0), ...firsts.slice(1)];
    this.#counts = this.#firsts.map((_, at) =>
      Math.min(ENTRIES_PER_SKIP, Math.max(0, length - at * ENTRIES_PER_SKIP)),
    );
    this.#before = this.#counts.map(() => 0);
    this.#sumCounts();
  }

  /** Returns the range with the entry at this position, from 0. */
  at(place: number): SkipEntry {
    const at = lastStartingBefore(this.#before, place);
    return { first: this.#firsts[at] ?? Buffer.alloc(0), before: this.#before[at] ?? 0 };
  }

  /** Counts removed and added entries in their ranges. */
  applyChanges(gone: readonly Buffer[], come: readonly Buffer[]): void {
    for (const rank of gone) this.#count(rank, -1);
    for (const rank of come) this.#count(rank, 1);
    this.#sumCounts();
  }

  /** Returns whether a range exceeds 16,384 entries, so that the index should be rebuilt. */
  needsRebuild(): boolean {
    return this.#counts.some((count) => count > 16 * ENTRIES_PER_SKIP);
  }

  /** Changes the count of the range that the rank belongs to. */
  #count(rank: Buffer, by: 1 | -1): void {
    const at = this.#rangeOf(rank);
    this.#counts[at] = (this.#counts[at] ?? 0) + by;
  }

  /** Returns the index of the range that a rank belongs to; 0 for one before all. */
  #rangeOf(rank: Buffer): number {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.#firsts[middle];
      if (first && Buffer.compare(first, rank) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** Sums the entries before each range. */
  #sumCounts(): void {
    let sum = 0;
    for (const [at, count] of this.#counts.entries()) {
      this.#before[at] = sum;
      sum += count;
    }
  }
}
