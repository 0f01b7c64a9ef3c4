import { createFinder, type Finder } from './finder.ts';

/**
 * Returns a test of a folded text by a LIKE pattern: `%` is any text, `_` one UTF-16 unit; a backslash escapes these
 * and itself, and is a sign of its own elsewhere. Time is linear in the text, times a 32nd of the pattern's length at
 * worst.
 * @param folded the pattern, folded like the texts
 */
export function createLike(folded: string): (text: string) => boolean {
  const parts = splitPattern(folded);
  const first = parts[0] ?? [];
  const last = parts.at(-1) ?? [];
  if (parts.length === 1) return (text) => text.length === first.length && matchesAt(text, 0, first);
  const middle = parts
    .slice(1, -1)
    .filter(({ length }) => length > 0)
    .map((part) => ({ length: part.length, find: createPartFinder(part) }));

  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !matchesAt(text, 0, first) || !matchesAt(text, end, last)) return false;
    let at = first.length;
    for (const { length, find } of middle) {
      const found = find(text, at);
      if (found < 0) return false;
      at = found + length;
    }
    return at <= end;
  };
}

/** Undefined: any character. */
type Part = readonly (string | undefined)[];

/** Splits at each `%`; unescapes, and turns `_` into undefined. */
function splitPattern(pattern: string): Part[] {
  let part: (string | undefined)[] = [];
  const parts = [part];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === '\\' && /[%_\\]/.test(pattern.charAt(at + 1))) part.push(pattern.charAt(++at));
    else if (character === '%') parts.push((part = []));
    else part.push(character === '_' ? undefined : character);
  }
  return parts;
}

/** Returns whether the part matches at this index; undefined stands for any character. */
function matchesAt(text: string, index: number, part: Part): boolean {
  return part.every(
    (character, offset) => character === undefined || text.charAt(index + offset) === character,
  );
}

/** Returns a finder of the part's first match. */
function createPartFinder(part: Part): Finder {
  const known = part.filter((character) => character !== undefined);
  return known.length === part.length ? createFinder(known.join('')) : createGappedFinder(part);
}

const WORD = 32;

/** Returns a finder of a pattern in which undefined is any character (Shift-And); linear in the text. */
function createGappedFinder(pattern: readonly (string | undefined)[]): Finder {
  const words = Math.ceil(pattern.length / WORD);
  const last = { word: words - 1, bit: 1 << ((pattern.length - 1) % WORD) };
  /** Bit n: the character may occur at position n. */
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
