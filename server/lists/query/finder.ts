/** Searches from `from`; -1: nowhere. */
export type Finder = (text: string, from: number) => number;

/** Below, the engine's own search is fastest even at worst. */
const FEW_STEPS = 1_000_000;

/** Returns a function that finds the pattern's first index from `from` on, -1 if none, in linear time. */
export function createFinder(pattern: string): Finder {
  let borders: Uint32Array | undefined;
  return (text, from) => {
    if ((text.length - from) * pattern.length <= FEW_STEPS) return text.indexOf(pattern, from);
    borders ??= findBorders(pattern);
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && pattern.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
      if (pattern.charCodeAt(matched) === code) matched++;
      if (matched === pattern.length) return at - matched + 1;
    }
    return -1;
  };
}

/** Returns the length of each prefix's longest proper border (Knuth–Morris–Pratt). */
function findBorders(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length);
  for (let at = 1, length = 0; at < pattern.length; at++) {
    while (length > 0 && pattern.charCodeAt(at) !== pattern.charCodeAt(length))
      length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(at) === pattern.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
