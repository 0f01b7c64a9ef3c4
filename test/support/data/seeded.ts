/** Chance that is the same in every run. */
export interface Seeded {
  /** At least 0, less than 1. */
  number(): number;
  /** A whole number, at least 0 and less than `below`. */
  below(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** Whether something happens that happens so often, 0 to 1. */
  happens(often: number): boolean;
}

/** A small generator of even numbers (mulberry32). */
export function seeded(seed: number): Seeded {
  let state = seed | 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(number() * end);
  return {
    number,
    below,
    pick(list) {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error('There is nothing to pick from.');
      return found;
    },
    happens: (often) => number() < often,
  };
}
