/** Where a pattern begins in a text, at `from` or behind it; -1: nowhere. */
export type Finder = (text: string, from: number) => number;

/** Up to so many steps the engine's own search is quickest, even where it is at its worst. */
const FEW_STEPS = 1_000_000;

/**
 * Finds `pattern` in a time that grows with the length of the text, whatever both look like: the engine's own search
 * takes seconds for some patterns in a value of 1 MB.
 */
export function createFinder(pattern: string): Finder {
  let borders: Uint32Array | undefined;
  return (text, from) => {
    if ((text.length - from) * pattern.length <= FEW_STEPS) return text.indexOf(pattern, from);
    borders ??= bordersOf(pattern);
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

/** How long the longest true beginning is that each beginning of the pattern ends with (Knuth, Morris, Pratt). */
function bordersOf(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length);
  for (let at = 1, length = 0; at < pattern.length; at++) {
    while (length > 0 && pattern.charCodeAt(at) !== pattern.charCodeAt(length))
      length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(at) === pattern.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
