import { lastStartingBefore } from '../../base/sorted-list.ts';

/** Entries between two offsets. */
export const ENTRIES_PER_SKIP = 1024;

/** The start of a range, and the number of entries before it. */
export interface SkipEntry {
  readonly first: Buffer;
  readonly before: number;
}

/** Positions of a ranking's ranges, in memory, so that not all before one must be read. */
export class SkipIndex {
  /** The rank of the first entry of each range; the first one is empty, before all ranks. */
  readonly #firsts: readonly Buffer[];
  readonly #counts: number[];
  /** Entries before each range. */
  readonly #before: number[];

  /** @param firsts the rank of every {@link ENTRIES_PER_SKIP}th entry, from the first one */
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

  /** Counts removed and added entries in their ranges, by their ranks. */
  change(gone: readonly Buffer[], come: readonly Buffer[]): void {
    for (const rank of gone) this.#count(rank, -1);
    for (const rank of come) this.#count(rank, 1);
    this.#sumCounts();
  }

  /** Returns whether a range has become so long that the index should be made again. */
  needsRebuild(): boolean {
    return this.#counts.some((count) => count > 16 * ENTRIES_PER_SKIP);
  }

  /** Changes the count of the range that contains this rank. Call {@link #sumCounts} afterwards. */
  #count(rank: Buffer, by: 1 | -1): void {
    const at = this.#rangeOf(rank);
    this.#counts[at] = (this.#counts[at] ?? 0) + by;
  }

  /** Returns the number of the range that contains this rank, by bisection. */
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

  /** Computes how many entries are before each range. */
  #sumCounts(): void {
    let sum = 0;
    for (const [at, count] of this.#counts.entries()) {
      this.#before[at] = sum;
      sum += count;
    }
  }
}
