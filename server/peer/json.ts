import { PartnerFaulty } from './errors.ts';
import type { PeerLimits } from './limits.ts';

type JSONLimits = Pick<PeerLimits, 'jsonDepth' | 'jsonParts' | 'jsonMembers'>;

/**
 * Parses an answer's bytes as JSON, with a bound on depth, on the number of parts, and on the members of one
 * object: 64 MiB of brackets, digits or names would otherwise cost twenty times their size in memory and hold up
 * the whole node for as long as parsing them takes. A byte order mark is skipped. The result is unknown data for a
 * schema; keys such as `__proto__` are plain own properties in it.
 * @throws PartnerFaulty
 */
export function parseJSON(bytes: Uint8Array, limits: JSONLimits): unknown {
  checkStructure(bytes, limits);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PartnerFaulty('the answer is not valid UTF-8 text.', { cause });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PartnerFaulty('the answer is not valid JSON.', { cause });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Looks at the bytes outside of strings only, and knows nothing of whether they are JSON otherwise. */
function checkStructure(bytes: Uint8Array, limits: JSONLimits): void {
  const { length } = bytes;
  /** Of the arrays and objects that are open: commas so far in an object, -1 for an array. */
  const open: number[] = [];
  let parts = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      // Most of an answer is text: the loop that passes over it is kept as tight as can be.
      for (at++; at < length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COMMA) {
      const commas = open.at(-1) ?? -1;
      if (commas >= limits.jsonMembers) throw new PartnerFaulty('the answer has too many parts.');
      if (commas >= 0) open[open.length - 1] = commas + 1;
      parts++;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      open.push(byte === OPEN_OBJECT ? 0 : -1);
      parts++;
      if (open.length > limits.jsonDepth) throw new PartnerFaulty('the answer is nested too deeply.');
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      open.pop();
    }
    if (parts > limits.jsonParts) throw new PartnerFaulty('the answer has too many parts.');
  }
}
