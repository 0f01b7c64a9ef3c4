import { createFinder, type Finder } from './finder.ts';
import { createGappedFinder } from './gapped-finder.ts';

/**
 * Returns a function that matches a folded text against a LIKE pattern: `%` is any text, `_` one character, a
 * backslash escapes. Time is linear in the text, times a 32nd of the pattern's length at worst.
 * @param folded the pattern, folded like the texts
 */
export function createLike(folded: string): (text: string) => boolean {
  const parts = split(folded);
  const first = parts[0] ?? [];
  const last = parts.at(-1) ?? [];
  if (parts.length === 1) return (text) => text.length === first.length && fits(text, 0, first);
  const middle = parts
    .slice(1, -1)
    .filter(({ length }) => length > 0)
    .map((part) => ({ length: part.length, find: finderOf(part) }));

  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !fits(text, 0, first) || !fits(text, end, last)) return false;
    let at = first.length;
    for (const { length, find } of middle) {
      const found = find(text, at);
      if (found < 0) return false;
      at = found + length;
    }
    return at <= end;
  };
}

/** Characters to match; undefined: any one. */
type Part = readonly (string | undefined)[];

/** Splits a pattern at each `%` into parts; `_` becomes undefined. */
function split(pattern: string): Part[] {
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

/** Returns whether a part matches the text at this position. */
function fits(text: string, at: number, part: Part): boolean {
  return part.every((character, offset) => character === undefined || text.charAt(at + offset) === character);
}

/** Returns the finder of a part: a plain one unless it contains `_`. */
function finderOf(part: Part): Finder {
  const known = part.filter((character) => character !== undefined);
  return known.length === part.length ? createFinder(known.join('')) : createGappedFinder(part);
}
