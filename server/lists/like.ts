/**
 * LIKE: `%` is any text, `_` any one character, a backslash takes their meaning away; case and accents aside.
 * @param folded both are folded already. Costs text length times pattern length at worst.
 */
export function createLike(folded: string): (text: string) => boolean {
  const parts = split(folded);
  const first = parts[0] ?? [];
  const last = parts.at(-1) ?? [];
  if (parts.length === 1) return (text) => text.length === first.length && fits(text, 0, first);

  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !fits(text, 0, first) || !fits(text, end, last)) return false;
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = indexOf(text, part, at, end);
      if (found === undefined) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** Characters to match; undefined: any one. */
type Part = readonly (string | undefined)[];

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

function fits(text: string, at: number, part: Part): boolean {
  return part.every((character, offset) => character === undefined || text.charAt(at + offset) === character);
}

function indexOf(text: string, part: Part, from: number, end: number): number | undefined {
  if (!part.includes(undefined)) {
    const found = text.indexOf(part.join(''), from);
    return found < 0 || found + part.length > end ? undefined : found;
  }
  for (let at = from; at + part.length <= end; at++) if (fits(text, at, part)) return at;
  return undefined;
}
