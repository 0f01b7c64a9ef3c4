import { PartnerFaulty } from './errors.ts';

/**
 * Parses an answer's bytes as JSON, with a bound on depth and on the number of arrays and objects: a small
 * text of brackets would otherwise cost a hundred times its size in memory. A byte order mark is skipped.
 * The result is unknown data for a schema; keys such as `__proto__` are plain own properties in it.
 * @throws PartnerFaulty
 */
export function parseJSON(bytes: Uint8Array, limits: { jsonDepth: number; jsonContainers: number }): unknown {
  checkNesting(bytes, limits);
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
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function checkNesting(bytes: Uint8Array, limits: { jsonDepth: number; jsonContainers: number }): void {
  let depth = 0;
  let containers = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (inString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      containers++;
      if (++depth > limits.jsonDepth) throw new PartnerFaulty('the answer is nested too deeply.');
      if (containers > limits.jsonContainers) throw new PartnerFaulty('the answer has too many parts.');
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth--;
    }
  }
}
