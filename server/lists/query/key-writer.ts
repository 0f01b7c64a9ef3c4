import type { Language } from '../../base/vocabulary.ts';
import { hasOwnLetters } from '../values/text.ts';
import { KEY_ROOM, NEEDS_GENERAL_PATH, packDictionaryKey, packFolded } from './byte-text.ts';
import { EXACT_DIGITS, type PackedNumbers, type PackedTexts } from './packed-keys.ts';
import { isOfNumbers, type PackedRows } from './packed-rows.ts';
import type { SortPart } from './sort.ts';

/** Computes one part's sort key from the value's bytes, equal to that of `sort.ts` from text. */
export interface KeyWriter {
  /** Returns false to request decoded text. Negative `from`: no value. */
  prepare(bytes: Uint8Array, from: number, to: number): boolean;
  /** Appends the key to a part's column. */
  pushPrepared(rows: PackedRows, part: number): void;
}

/** Creates a writer of a sort part's keys from bytes. Texts are in dictionary order, unless `part.isByCharacter`. */
export function createKeyWriter(part: SortPart, language: Language): KeyWriter {
  if (isOfNumbers(part)) return createNumberKeyWriter();
  const isPlain = part.kind === 'DateTime' || part.kind === 'Bool';
  const own = hasOwnLetters(language);
  const key = new Uint8Array(KEY_ROOM);
  let length = 0;
  return {
    /** Packs the value's key, none for an absent or empty value; returns false if it needs the general path. */
    prepare(bytes, from, to) {
      if (from < 0 || (from === to && part.kind !== 'Bool')) length = NONE;
      else if (isPlain) length = packPlain(bytes, from, to, key);
      else if (part.isByCharacter) length = packFolded(bytes, from, to, key);
      else length = packDictionaryKey(bytes, from, to, key, own);
      return length !== NEEDS_GENERAL_PATH;
    },
    /** Appends the prepared key to column `at`, undefined for none. */
    pushPrepared(rows, at) {
      const column = rows.columns[at] as PackedTexts;
      if (length === NONE) column.push(undefined);
      else column.pushPacked(key, length);
    },
  };
}

const NONE = -2;
const ASCII = 0x80;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** Packs an ASCII value that fits into `key`; returns its length, or `NEEDS_GENERAL_PATH` (-1) for others. */
function packPlain(bytes: Uint8Array, from: number, to: number, key: Uint8Array): number {
  if (to - from > key.length) return NEEDS_GENERAL_PATH;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= ASCII) return NEEDS_GENERAL_PATH;
    key[at - from] = byte + 1;
  }
  return to - from;
}

/** Creates a writer of number keys, stored as JavaScript numbers. */
function createNumberKeyWriter(): KeyWriter {
  let number: number | undefined;
  return {
    /** Reads the number, none for an absent or empty value; returns false if it needs the general path. */
    prepare(bytes, from, to) {
      number = undefined;
      if (from < 0 || from === to) return true;
      number = numberIn(bytes, from, to);
      return number !== undefined;
    },
    /** Appends the number to column `at`, undefined for none. */
    pushPrepared(rows, at) {
      const column = rows.columns[at] as PackedNumbers;
      if (number === undefined) column.push(undefined);
      else column.pushNumber(number);
    },
  };
}

/** Parses digits with a point, at most 15 characters behind an optional minus, exactly; undefined for others. */
function numberIn(bytes: Uint8Array, from: number, to: number): number | undefined {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  if (to - start > EXACT_DIGITS || to === start) return undefined;
  let digits = 0;
  let point = -1;
  for (let at = start; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === POINT && point < 0) point = at;
    else if (byte >= ZERO && byte <= ZERO + 9) digits = digits * 10 + byte - ZERO;
    else return undefined;
  }
  const number = point < 0 ? digits : digits / 10 ** (to - point - 1);
  return isNegative ? -number : number;
}
