/** Tells in which columns, or of which of them together, no two lines say the same, so that they can be told apart by them. */
export interface Distinct {
  see(column: number, text: string): void;
  /** Whether no two lines have said the same so far. */
  maySee(column: number): boolean;
  /** @param lines how many were seen; one alone tells nothing */
  isDistinct(column: number, lines: number): boolean;
}

/** Nothing that lines are told apart by is longer. */
const MAX_KEY_CHARS = 200;
/** So many cells are known at a time; past that, columns on the right are forgotten, as such ones stand on the left. */
const MAX_CELLS = 1_000_000;

export function createDistinct(): Distinct {
  /** By place; null for a column that is none. */
  const columns: (MarkSet | null)[] = [];
  let held = 0;
  const drop = (column: number): void => {
    held -= columns[column]?.size ?? 0;
    columns[column] = null;
  };
  return {
    see(column, text) {
      const seen = columns[column];
      if (seen === null) return;
      const said = text.trim();
      const marks = seen ?? (columns[column] = new MarkSet());
      if (said === '' || said.length > MAX_KEY_CHARS || !marks.add(markOf(said))) {
        drop(column);
        return;
      }
      if (++held > MAX_CELLS) drop(columns.findLastIndex((each) => each));
    },
    maySee: (column) => columns[column] !== null,
    isDistinct: (column, lines) => lines > 1 && columns[column]?.size === lines,
  };
}

/** A hash set of marks with open addressing: a third of the memory of a `Set`, and outside of the JavaScript heap. */
class MarkSet {
  size = 0;
  /** A mark and one; 0 is a free place. The length is a power of two. */
  #places = new Float64Array(64);

  /** Returns false for a mark that is there already. */
  add(mark: number): boolean {
    if (this.size * 3 >= this.#places.length * 2) this.#grow();
    if (!this.#put(mark + 1)) return false;
    this.size++;
    return true;
  }

  #put(held: number): boolean {
    const last = this.#places.length - 1;
    // The low bits of a mark are spread evenly.
    let at = (held % 0x100000000) & last;
    for (let there = this.#places[at]; there !== 0; there = this.#places[at]) {
      if (there === held) return false;
      at = (at + 1) & last;
    }
    this.#places[at] = held;
    return true;
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Float64Array(2 * before.length);
    for (const held of before) if (held !== 0) this.#put(held);
  }
}

/** A number of 53 bits for it: a text would keep all of the file that it is a piece of. */
function markOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + at), 0x85ebca6b);
    low ^= low >>> 13;
  }
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}
