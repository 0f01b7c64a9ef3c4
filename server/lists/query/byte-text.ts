import { fold, KEY_LENGTH, TIE_LENGTH } from '../values/text.ts';
import { packUnit } from './packed-keys.ts';

/** Not for the UTF-8 fast paths: decode the text for `values/text.ts`. */
export const NEEDS_GENERAL_PATH = -1;

const ASCII = 0x80;
/** Folds differently at the end of a word. */
const SIGMA = 0x3a3;
/** By BMP character: the folded form's length, above up to three letters. */
const UNKNOWN = 0;
const OTHER = 0xff000000 | 0;
const folds = new Int32Array(0x10000);
for (let code = 0; code < ASCII; code++)
  folds[code] = (1 << 24) | String.fromCharCode(code).toLowerCase().charCodeAt(0);

/**
 * Caches and returns the folded character: up to three ASCII letters packed into a number, {@link EMPTY}, or {@link
 * OTHER} for any other form.
 */
function cacheFold(code: number): number {
  const folded = fold(String.fromCharCode(code));
  let packed = folded.length << 24;
  for (let at = 0; at < folded.length; at++) packed |= folded.charCodeAt(at) << (8 * at);
  // eslint-disable-next-line no-control-regex -- ASCII is what bytes hold
  const isSimple = folded.length <= 3 && /^[\x00-\x7f]*$/.test(folded) && code !== SIGMA;
  return (folds[code] = isSimple ? packed || EMPTY : OTHER);
}

/** Combining marks fold to nothing. */
const EMPTY = 1 << 30;

/** Decodes two or three UTF-8 bytes; {@link NEEDS_GENERAL_PATH} (-1) for four. */
function decodeAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0xe0) return ((first & 0x1f) << 6) | ((bytes[at + 1] ?? 0) & 0x3f);
  if (first >= 0xf0) return NEEDS_GENERAL_PATH;
  return ((first & 0xf) << 12) | (((bytes[at + 1] ?? 0) & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f);
}

/**
 * Folds case and accents of up to `maxChars` of `bytes[from..to)` (UTF-8) into `into` from `start` on. Returns the
 * index after it, or {@link NEEDS_GENERAL_PATH} (-1) if a character doesn't fold to ASCII. `into` needs half as much
 * room again.
 */
export function foldBytes(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Uint8Array,
  start: number,
  maxChars = Infinity,
): number {
  let end = start;
  let characters = 0;
  for (let at = from; at < to && characters < maxChars; characters++) {
    const byte = bytes[at] ?? 0;
    if (byte < ASCII) {
      into[end++] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
      at++;
      continue;
    }
    const code = decodeAt(bytes, at);
    if (code === NEEDS_GENERAL_PATH) return NEEDS_GENERAL_PATH;
    at += byte < 0xe0 ? 2 : 3;
    const known = folds[code] ?? UNKNOWN;
    const packed = known === UNKNOWN ? cacheFold(code) : known;
    if (packed === OTHER) return NEEDS_GENERAL_PATH;
    if (packed === EMPTY) continue;
    for (let letter = 0; letter < packed >>> 24; letter++) into[end++] = (packed >>> (8 * letter)) & 0xff;
  }
  return end;
}

const lowered = new Int32Array(0x10000);

/** Caches and returns the lower-case code unit; {@link NEEDS_GENERAL_PATH} unless it is one. */
function cacheLowerCase(code: number): number {
  const small = String.fromCharCode(code).toLowerCase();
  return (lowered[code] = small.length === 1 && code !== SIGMA ? small.charCodeAt(0) : NEEDS_GENERAL_PATH);
}

/** Bytes for a folded beginning and its key. */
export const KEY_ROOM = 8 * KEY_LENGTH;
const beginning = new Uint8Array(KEY_ROOM);
const ZERO = 0x30;
const NINE = 0x39;
const LONGEST_NUMBER = 75;

/** Writes the folded text's bytes, each plus one; returns the length, or {@link NEEDS_GENERAL_PATH} (-1). */
export function packFolded(bytes: Uint8Array, from: number, to: number, into: Uint8Array): number {
  const end = foldBytes(bytes, from, to, into, 0, KEY_LENGTH);
  for (let at = 0; at < end; at++) into[at] = (into[at] ?? 0) + 1;
  return end;
}

/**
 * Writes a key in dictionary order; returns its length, or {@link NEEDS_GENERAL_PATH} (-1), always for non-ASCII texts
 * in a language with letters of its own.
 */
export function packDictionaryKey(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Uint8Array,
  hasOwnLetters: boolean,
): number {
  const end = foldBytes(bytes, from, to, beginning, 0, KEY_LENGTH);
  if (end === NEEDS_GENERAL_PATH) return NEEDS_GENERAL_PATH;
  const length = packNatural(end, into);
  let at = from;
  let isASCII = true;
  for (let characters = 0; at < to && characters < KEY_LENGTH && isASCII; characters++)
    isASCII = (bytes[at++] ?? 0) < ASCII;
  if (isASCII) return length;
  return hasOwnLetters ? NEEDS_GENERAL_PATH : packTie(bytes, from, to, into, length);
}

/**
 * Writes the folded beginning as a key; returns its length. A number's digit count precedes its digits, so that 2 comes
 * before 10.
 */
function packNatural(end: number, into: Uint8Array): number {
  let length = 0;
  for (let at = 0; at < end;) {
    const byte = beginning[at] ?? 0;
    if (byte < ZERO || byte > NINE) {
      into[length++] = byte + 1;
      at++;
      continue;
    }
    let behind = at + 1;
    while (behind < end && (beginning[behind] ?? 0) >= ZERO && (beginning[behind] ?? 0) <= NINE) behind++;
    while (at < behind - 1 && beginning[at] === ZERO) at++;
    into[length++] = ZERO + Math.min(behind - at, LONGEST_NUMBER) + 1;
    for (; at < behind; at++) into[length++] = (beginning[at] ?? 0) + 1;
  }
  return length;
}

/**
 * Appends the text in lower case to break ties by accents; returns the key's new length, or -1 for the general path.
 */
function packTie(bytes: Uint8Array, from: number, to: number, into: Uint8Array, start: number): number {
  let length = packUnit(0, into, start);
  let characters = 0;
  for (let at = from; at < to && characters < TIE_LENGTH; characters++) {
    const byte = bytes[at] ?? 0;
    const code = byte < ASCII ? byte : decodeAt(bytes, at);
    if (code === NEEDS_GENERAL_PATH) return NEEDS_GENERAL_PATH;
    const known = lowered[code] ?? UNKNOWN;
    const unit = known === UNKNOWN ? cacheLowerCase(code) : known;
    if (unit === NEEDS_GENERAL_PATH) return NEEDS_GENERAL_PATH;
    length = packUnit(unit, into, length);
    at += byte < ASCII ? 1 : byte < 0xe0 ? 2 : 3;
  }
  return length;
}
