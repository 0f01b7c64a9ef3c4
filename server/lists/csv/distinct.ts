export interface Distinct {
  /** Excludes a column for an empty, repeated, or over 200 characters long cell. */
  recordCell(column: number, text: string): void;
  isPossible(column: number): boolean;
  /** Returns whether all of `lines` values differed; false for a single line. */
  isDistinct(column: number, lines: number): boolean;
}

const MAX_KEY_CHARS = 200;
/** Beyond, the rightmost columns are excluded: keys are usually left. */
const MAX_CELLS = 1_000_000;

/**
 * Creates a finder of columns whose trimmed texts of at most 200 characters differ in all lines. With too many texts in
 * all, the last columns are ruled out.
 */
export function createDistinctFinder(): Distinct {
  /** Null: excluded. */
  const columns: (MarkSet | null)[] = [];
  let held = 0;
  /** Takes the column for not distinct, and frees its hashes. */
  const ruleOut = (column: number): void => {
    held -= columns[column]?.size ?? 0;
    columns[column] = null;
  };
  return {
    /**
     * Remembers a column's text. An empty, long or repeated one rules the column out; beyond 1,000,000 texts in all,
     * the rightmost column is too.
     */
    recordCell(column, text) {
      const seen = columns[column];
      if (seen === null) return;
      const said = text.trim();
      const marks = seen ?? (columns[column] = new MarkSet());
      if (said === '' || said.length > MAX_KEY_CHARS || !marks.add(hashOf(said))) {
        ruleOut(column);
        return;
      }
      if (++held > MAX_CELLS) ruleOut(columns.findLastIndex((each) => each));
    },
    isPossible: (column) => columns[column] !== null,
    isDistinct: (column, lines) => lines > 1 && columns[column]?.size === lines,
  };
}

/** Open addressing: a third of a `Set`'s memory, outside the JavaScript heap. */
class MarkSet {
  size = 0;
  /** Hash plus one; 0: free. The length is a power of two. */
  #places = new Float64Array(64);

  /** Adds a hash; returns false if it is present. */
  add(mark: number): boolean {
    if (this.size * 3 >= this.#places.length * 2) this.#grow();
    if (!this.#insertHash(mark + 1)) return false;
    this.size++;
    return true;
  }

  /** Inserts a hash plus one by linear probing; returns false if it is present. */
  #insertHash(held: number): boolean {
    const last = this.#places.length - 1;
    let at = (held % 0x100000000) & last;
    for (let there = this.#places[at]; there !== 0; there = this.#places[at]) {
      if (there === held) return false;
      at = (at + 1) & last;
    }
    this.#places[at] = held;
    return true;
  }

  /** Doubles the table and inserts the hashes again. */
  #grow(): void {
    const before = this.#places;
    this.#places = new Float64Array(2 * before.length);
    for (const held of before) if (held !== 0) this.#insertHash(held);
  }
}

/** Returns 53 bits; the texts themselves would keep the whole file in memory. */
function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + at), 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}
