const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number | undefined> = new Set([0x5d, 0x7d]);

/**
 * Returns whether JSON in UTF-8 has more than `most` levels, without parsing it: `JSON.parse` blocks for a microsecond
 * a level, so half a second for 1 MiB of brackets.
 */
export function isDeeperThan(most: number, json: Uint8Array): boolean {
  let depth = 0;
  return isOutsideTexts(json, (byte) => {
    if (CLOSING.has(byte)) depth--;
    return OPENING.has(byte) && ++depth > most;
  });
}

/**
 * Returns whether JSON in UTF-8 has more than `most` commas, arrays and objects, without parsing it: a schema reports
 * each bad one, in some microseconds and a kilobyte.
 */
export function hasMoreParts(most: number, json: Uint8Array): boolean {
  let parts = 0;
  return isOutsideTexts(json, (byte) => (byte === COMMA || OPENING.has(byte)) && ++parts > most);
}

/** Returns whether `isFound` is true for a byte outside JSON's texts; asks for no further ones then. */
function isOutsideTexts(json: Uint8Array, isFound: (byte: number | undefined) => boolean): boolean {
  for (let at = 0; at < json.length; at++) {
    if (json[at] === QUOTE) {
      for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
    } else if (isFound(json[at])) return true;
  }
  return false;
}
