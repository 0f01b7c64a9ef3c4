const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number | undefined> = new Set([0x5d, 0x7d]);

/**
 * Returns whether JSON in UTF-8 has more than `most` levels, without parsing it: `JSON.parse` blocks for a microsecond
 * a level, so half a second for 1 MiB of brackets.
 */
export function isDeeperThan(most: number, json: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
    } else if (OPENING.has(byte)) {
      if (++depth > most) return true;
    } else if (CLOSING.has(byte)) depth--;
  }
  return false;
}
