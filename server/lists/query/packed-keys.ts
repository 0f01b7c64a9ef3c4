import { numberKey } from '../values/kinds/number.ts';

/**
 * Sort keys of one part of an order, outside the JavaScript heap. Positions, from 0, compare like keys
 * (undefined last): the first different level decides.
 */
export interface PackedKeys {
  push(key: string | undefined): void;
  key(place: number): string | undefined;
  /** In sort order. NaN: no key. */
  level(place: number, depth: number): number;
  /** Its numbers are integers below {@link MAX_PIECE}. */
  isOfPieces(depth: number): boolean;
  /** Further levels add nothing here. */
  isOver(place: number, depth: number): boolean;
}

/** Bytes per level, limited by number precision. */
const PIECE = 6;
/** No piece consists of the highest byte only. */
export const MAX_PIECE = 256 ** PIECE - 1;
const CHUNK_BITS = 20;
const CHUNK = 2 ** CHUNK_BITS;
const NONE = 0xffffffff;
/** Code units below take one byte; others four, a larger one first. */
const SHORT = 0xe0;
const LONG = 0xff;

/** Bytes that compare like code units. 0 ends a key and never occurs in it. */
export class PackedTexts implements PackedKeys {
  readonly #chunks: Uint8Array[] = [];
  #used = CHUNK;
  #places = new Uint32Array(1024);
  #count = 0;
  #length: number | undefined;
  #isEven = true;

  /** Appends a key; undefined for none. */
  push(key: string | undefined): void {
    if (key === undefined) {
      this.#append(NONE);
      return;
    }
    const chunk = this.#chunkWithRoom(4 * key.length);
    let at = this.#used;
    for (let unit = 0; unit < key.length; unit++) at = packUnit(key.charCodeAt(unit), chunk, at);
    chunk[at] = 0;
    this.#endKey(at - this.#used, key.length);
  }

  /** Appends a key of `size` bytes, encoded as by {@link packUnit}. */
  pushPacked(bytes: Uint8Array, size: number): void {
    const chunk = this.#chunkWithRoom(size);
    const used = this.#used;
    for (let at = 0; at < size; at++) chunk[used + at] = bytes[at] ?? 0;
    chunk[used + size] = 0;
    this.#endKey(size, size);
  }

  /** Returns the key at this position; undefined for none. */
  key(place: number): string | undefined {
    const packed = this.#places[place] ?? NONE;
    if (packed === NONE) return undefined;
    return unpackText(this.#chunks[packed >>> CHUNK_BITS] ?? new Uint8Array(1), packed % CHUNK);
  }

  /** Returns the key's six bytes of level `depth` as an integer; NaN without a key. */
  level(place: number, depth: number): number {
    const packed = this.#places[place] ?? NONE;
    const chunk = this.#chunks[packed >>> CHUNK_BITS];
    return packed === NONE || !chunk ? Number.NaN : pieceOf(chunk, (packed % CHUNK) + PIECE * depth);
  }

  /** Returns true: all levels are integers below {@link MAX_PIECE}. */
  isOfPieces(): boolean {
    return true;
  }

  /** Returns whether the key ends within this level, or is absent. */
  isOver(place: number, depth: number): boolean {
    const level = this.level(place, depth);
    return Number.isNaN(level) || level % 256 === 0;
  }

  /** Returns whether all keys have equally many code units, packed ones counted as ASCII. */
  isEven(): boolean {
    return this.#isEven;
  }

  /** Returns a chunk with room for the bytes and a 0. */
  #chunkWithRoom(bytes: number): Uint8Array {
    const last = this.#chunks.at(-1);
    if (last && last.length - this.#used > bytes) return last;
    const made = new Uint8Array(Math.max(CHUNK, bytes + 1));
    this.#chunks.push(made);
    this.#used = 0;
    return made;
  }

  /**
   * Stores the position of the key just written, and moves behind it.
   * @param bytes,units its length
   */
  #endKey(bytes: number, units: number): void {
    this.#append((this.#chunks.length - 1) * CHUNK + this.#used);
    this.#used += bytes + 1;
    this.#length ??= units;
    this.#isEven &&= this.#length === units;
  }

  /** Appends the position of a key, {@link NONE} for no key. */
  #append(place: number): void {
    if (this.#count === this.#places.length)
      this.#places = copyInto(this.#places, new Uint32Array(2 * this.#count));
    this.#places[this.#count++] = place;
  }
}

/** Writes a code unit as one byte or four, none 0; returns the index after it. */
export function packUnit(unit: number, into: Uint8Array, at: number): number {
  if (unit < SHORT) {
    into[at] = unit + 1;
    return at + 1;
  }
  into[at] = LONG;
  into[at + 1] = 1 + (unit >> 12);
  into[at + 2] = 1 + ((unit >> 6) & 0x3f);
  into[at + 3] = 1 + (unit & 0x3f);
  return at + 4;
}

/** Decodes the code units of {@link packUnit} up to the next 0. */
export function unpackText(bytes: Uint8Array, start: number): string {
  const units: number[] = [];
  for (let at = start; bytes[at] !== 0; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === LONG) {
      const [high = 0, middle = 0, low = 0] = bytes.subarray(at + 1, at + 4);
      units.push(((high - 1) << 12) | ((middle - 1) << 6) | (low - 1));
      at += 3;
    } else units.push(byte - 1);
  }
  return units.map((unit) => String.fromCharCode(unit)).join('');
}

/** Returns six bytes as an integer; those after the key's terminating 0 count as zeros. */
function pieceOf(bytes: Uint8Array, start: number): number {
  let piece = 0;
  let isOver = false;
  for (let at = 0; at < PIECE; at++) {
    const byte: number = isOver ? 0 : (bytes[start + at] ?? 0);
    if (byte === 0) isOver = true;
    piece = piece * 256 + byte;
  }
  return piece;
}

/** Decimal digits exact in a JavaScript number. */
export const EXACT_DIGITS = 15;
/** Beyond, JavaScript writes exponents. */
const EXPONENT_BELOW = 1e-6;
const EXPONENT_FROM = 1e15;

/** Keys of {@link numberKey}: mostly short numbers. */
export class PackedNumbers implements PackedKeys {
  #numbers = new Float64Array(1024);
  #count = 0;
  readonly #odd = new Map<number, string>();

  /** Appends a number's key, undefined for none; kept as text if a JavaScript number can't represent it. */
  push(key: string | undefined): void {
    if (key === undefined) {
      this.#append(Number.NaN);
      return;
    }
    const { value, digits } = decodeNumberKey(key);
    const size = Math.abs(value);
    if (digits > EXACT_DIGITS || size > EXPONENT_FROM || (size < EXPONENT_BELOW && digits > 0))
      this.#odd.set(this.#count, key);
    this.#append(value);
  }

  /** Appends a number of at most 15 digits; one below a millionth by its text key. */
  pushNumber(value: number): void {
    if (value !== 0 && Math.abs(value) < EXPONENT_BELOW) this.push(numberKey(value.toFixed(EXACT_DIGITS)));
    else this.#append(value);
  }

  /** Returns the key at this position; undefined for none. */
  key(place: number): string | undefined {
    const known = this.#odd.get(place);
    if (known !== undefined) return known;
    const value = this.#numbers[place] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : numberKey(String(value));
  }

  /** Returns on level 0 the number, NaN without one; on each further level six bytes of its key, as an integer. */
  level(place: number, depth: number): number {
    if (depth === 0) return this.#numbers[place] ?? Number.NaN;
    const key = this.key(place) ?? '';
    const bytes = new Uint8Array(4 * key.length + 1);
    let end = 0;
    for (let unit = 0; unit < key.length; unit++) end = packUnit(key.charCodeAt(unit), bytes, end);
    return pieceOf(bytes.subarray(0, end), PIECE * (depth - 1));
  }

  /** Returns whether the level's numbers are integers below {@link MAX_PIECE}: all but level 0. */
  isOfPieces(depth: number): boolean {
    return depth > 0;
  }

  /** Returns whether nothing follows this level: true after level 0, unless a number can't represent the key. */
  isOver(place: number, depth: number): boolean {
    if (depth === 0) return this.#odd.size === 0 || !this.#odd.has(place);
    return this.level(place, depth) % 256 === 0;
  }

  /** Appends a number, -0 as 0. */
  #append(value: number): void {
    if (this.#count === this.#numbers.length)
      this.#numbers = copyInto(this.#numbers, new Float64Array(2 * this.#count));
    // Normalizes -0.
    this.#numbers[this.#count++] = value + 0;
  }
}

/** Returns the number and its count of digits; Infinity for keys of other texts. */
function decodeNumberKey(key: string): { readonly value: number; readonly digits: number } {
  if (key === 'o') return { value: 0, digits: 0 };
  if (key.startsWith('q')) return { value: Infinity, digits: Infinity };
  const isNegative = key.startsWith('n');
  const shown = isNegative
    ? key.slice(1, -1).replace(/\d/g, (digit) => String(9 - Number(digit)))
    : key.slice(1);
  const digits = shown.slice(4);
  const value = Number(`0.${digits}e${Number(shown.slice(0, 4)) - 5000}`);
  return { value: isNegative ? -value : value, digits: digits.length };
}

/** Copies a typed array into a larger one, and returns that. */
export function copyInto<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
