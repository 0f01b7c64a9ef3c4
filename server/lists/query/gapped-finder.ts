import type { Finder } from './finder.ts';

const WORD = 32;

/**
 * Returns a {@link Finder} of a pattern in which undefined is any character, in linear time of the text
 * (Shift-And).
 */
export function createGappedFinder(pattern: readonly (string | undefined)[]): Finder {
  const words = Math.ceil(pattern.length / WORD);
  const last = { word: words - 1, bit: 1 << ((pattern.length - 1) % WORD) };
  /** Bit n of a character: it may occur at position n. */
  const others = new Int32Array(words);
  const masks = new Map<number, Int32Array>();
  for (const character of new Set(pattern)) {
    if (character !== undefined) masks.set(character.charCodeAt(0), new Int32Array(words));
  }
  for (const [at, character] of pattern.entries()) {
    const fitting =
      character === undefined ? [others, ...masks.values()] : [masks.get(character.charCodeAt(0))];
    for (const mask of fitting) if (mask) mask[at >> 5] = (mask[at >> 5] ?? 0) | (1 << (at % WORD));
  }

  return (text, from) => {
    const state = new Int32Array(words);
    for (let at = from; at < text.length; at++) {
      const mask = masks.get(text.charCodeAt(at)) ?? others;
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const before = state[word] ?? 0;
        state[word] = ((before << 1) | carry) & (mask[word] ?? 0);
        carry = before >>> 31;
      }
      if ((state[last.word] ?? 0) & last.bit) return at - pattern.length + 1;
    }
    return -1;
  };
}
