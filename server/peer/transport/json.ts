import { randomInt } from 'node:crypto';
import { ProtocolViolationError } from '../guard/errors.ts';
import type { PeerLimits } from '../guard/limits.ts';

type JSONLimits = Pick<PeerLimits, 'jsonDepth' | 'jsonParts' | 'jsonNames' | 'rowParts' | 'rowBytes'>;

/** An answer's bytes: `rows` whole rows, comma-separated, without brackets. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

/** The answer's array of rows: `set`, at the top or in `response`. */
export interface RowsLocation {
  /** Opening bracket; `to` is behind the closing one. */
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly RowRange[];
  readonly rows: number;
}

/** Parsed, checked and written together. */
const PIECE_BYTES = 512 * 1024;
const PIECE_ROWS = 500;

/**
 * Parses an answer as JSON, with limits on depth, parts and names, which cost far more memory. Keys such as `__proto__`
 * are plain own properties (against prototype pollution). Throws ProtocolViolationError.
 */
export function parseJSON(bytes: Uint8Array, limits: JSONLimits): unknown {
  locateRows(bytes, limits);
  return parseBetween(new TextDecoder('utf-8', { fatal: true }), bytes);
}

/**
 * Returns one piece's rows, unchecked. Throws ProtocolViolationError for invalid UTF-8 or JSON, or another number of
 * rows than {@link locateRows} counted.
 */
export function parseRows(bytes: Uint8Array, { from, to, rows }: RowRange): readonly unknown[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const list = parseBetween(decoder, bytes.subarray(from, to), '[', ']');
  if (!Array.isArray(list) || list.length !== rows)
    throw new ProtocolViolationError('the answer is not valid JSON.');
  return list;
}

/**
 * Parses these bytes, completed to JSON by `before` and `after`. Throws ProtocolViolationError for invalid UTF-8 or
 * JSON.
 */
function parseBetween(decoder: TextDecoder, bytes: Uint8Array, before = '', after = ''): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw new ProtocolViolationError('the answer is not valid UTF-8 text.', { cause });
  }
  try {
    return JSON.parse(before + text + after) as unknown;
  } catch (cause) {
    throw new ProtocolViolationError('the answer is not valid JSON.', { cause });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns where the array of rows and its pieces are, if any. Looks only at bytes outside strings, and doesn't validate
 * JSON otherwise. Throws ProtocolViolationError beyond the limits.
 */
export function locateRows(bytes: Uint8Array, limits: JSONLimits): RowsLocation | undefined {
  const { length } = bytes;
  const open: number[] = [];
  const key = { first: '', second: '' };
  const seen = new Uint8Array(HASHES);
  let names = 0;
  let textFrom = 0;
  let textTo = 0;
  let parts = 0;
  let found: RowsLocation | undefined;
  let cutting: RowSplitter | undefined;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      textFrom = at + 1;
      // Most of an answer is text, so this loop is tight.
      for (at++; at < length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
      textTo = at;
    } else if (byte === COMMA) {
      if (cutting?.depth === open.length) cutting.endRow(at, parts);
      parts++;
    } else if (byte === COLON) {
      const hash = hashName(bytes, textFrom, textTo);
      if (seen[hash] === 0) {
        seen[hash] = 1;
        if (++names > limits.jsonNames)
          throw new ProtocolViolationError('the answer has too many different names.');
      }
      if (open.length === 1) key.first = readName(bytes, textFrom, textTo);
      else if (open.length === 2) key.second = readName(bytes, textFrom, textTo);
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      const isSet =
        byte === OPEN_ARRAY &&
        open.at(-1) === OPEN_OBJECT &&
        ((open.length === 1 && key.first === 'set') ||
          (open.length === 2 && key.first === 'response' && key.second === 'set'));
      open.push(byte);
      parts++;
      if (open.length > limits.jsonDepth)
        throw new ProtocolViolationError('the answer is nested too deeply.');
      if (open.length === 2) key.second = '';
      if (isSet) {
        if (found ?? cutting) throw new ProtocolViolationError('the answer names its rows twice.');
        cutting = new RowSplitter(bytes, { at, parts, depth: open.length }, limits);
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (cutting?.depth === open.length) {
        found = cutting.endArray(at, parts);
        cutting = undefined;
      }
      open.pop();
    }
    if (parts > limits.jsonParts) throw new ProtocolViolationError('the answer has too many parts.');
  }
  if (cutting) throw new ProtocolViolationError('the answer is not valid JSON.');
  return found;
}

/** Splits rows into pieces while {@link locateRows} reads. */
class RowSplitter {
  readonly depth: number;
  readonly #bytes: Uint8Array;
  readonly #limits: JSONLimits;
  readonly #at: number;
  readonly #pieces: RowRange[] = [];
  #pieceFrom: number;
  #rowFrom: number;
  #partsBefore: number;
  #inPiece = 0;
  #rows = 0;

  constructor(
    bytes: Uint8Array,
    start: { readonly at: number; readonly parts: number; readonly depth: number },
    limits: JSONLimits,
  ) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.depth = start.depth;
    this.#at = start.at;
    this.#pieceFrom = start.at + 1;
    this.#rowFrom = this.#pieceFrom;
    this.#partsBefore = start.parts;
  }

  /**
   * Ends a row at this byte offset, and a piece once it is large enough. Throws ProtocolViolationError for a row that
   * is too large.
   */
  endRow(at: number, parts: number): void {
    this.#finishRow(at, parts);
    if (this.#inPiece >= PIECE_ROWS || at - this.#pieceFrom >= PIECE_BYTES) this.#finishPiece(at);
  }

  /**
   * Ends the array at this byte offset, after so many parts of the text. Throws ProtocolViolationError if the last row
   * is too large.
   */
  endArray(at: number, parts: number): RowsLocation {
    const isEmpty = this.#rows === 0 && this.#bytes.subarray(this.#pieceFrom, at).every(isBlank);
    if (!isEmpty) {
      this.#finishRow(at, parts);
      this.#finishPiece(at);
    }
    return { from: this.#at, to: at + 1, pieces: this.#pieces, rows: this.#rows };
  }

  /** Counts a row. Throws ProtocolViolationError for too many bytes or parts. */
  #finishRow(at: number, parts: number): void {
    if (parts - this.#partsBefore > this.#limits.rowParts)
      throw new ProtocolViolationError('a row has too many parts.');
    if (at - this.#rowFrom > this.#limits.rowBytes) throw new ProtocolViolationError('a row is too large.');
    this.#partsBefore = parts;
    this.#rowFrom = at + 1;
    this.#inPiece++;
    this.#rows++;
  }

  /** Ends a piece at this byte offset, and begins the next one after it. */
  #finishPiece(to: number): void {
    this.#pieces.push({ from: this.#pieceFrom, to, rows: this.#inPiece });
    this.#pieceFrom = to + 1;
    this.#inPiece = 0;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Returns a name of the length of `set` or `response`; else an empty text, unread. */
function readName(bytes: Uint8Array, from: number, to: number): string {
  if (to - from !== 3 && to - from !== 8) return '';
  return String.fromCharCode(...bytes.subarray(from, to));
}

const HASHES = 2 ** 16;
/** Random, against prepared collisions. */
const HASH_SEED = randomInt(2 ** 32);

/** Returns a seeded FNV-1a hash in 16 bits, to count distinct names roughly. */
function hashName(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_SEED;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 16)) & (HASHES - 1);
}
