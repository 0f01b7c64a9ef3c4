import { numberKey } from '../values/kinds/number.ts';

/**
 * The keys of many rows by one part of an order, in few bytes each and outside of the JavaScript heap. Rows stand at
 * places that are counted from 0 as they are added.
 *
 * Invariant: two places stand to each other as the keys that were added there do (undefined last): the first level in
 * which their numbers differ tells how, and where both are over without a difference, the keys are the same.
 */
export interface PackedKeys {
  push(key: string | undefined): void;
  key(place: number): string | undefined;
  /** A number for a piece of the key: the greater, the further behind. NaN: there is no key. */
  level(place: number, depth: number): number;
  /** The numbers of this level are whole ones below {@link MAX_PIECE}. */
  isOfPieces(depth: number): boolean;
  /** No further level tells more, as far as this place is concerned. */
  isOver(place: number, depth: number): boolean;
}

/** Bytes of a level: as many as a number holds exactly. */
const PIECE = 6;
/** Behind all pieces of keys, none of which is nothing but the highest byte. */
export const MAX_PIECE = 256 ** PIECE - 1;
const CHUNK_BITS = 20;
const CHUNK = 2 ** CHUNK_BITS;
const NONE = 0xffffffff;
/** Code units below this take one byte, all others four that begin with a larger one. */
const SHORT = 0xe0;
const LONG = 0xff;

/** Keys as bytes that stand to each other as the code units of their texts do. None of them is 0, which ends a key. */
export class PackedTexts implements PackedKeys {
  readonly #chunks: Uint8Array[] = [];
  /** Bytes of the last one. */
  #used = CHUNK;
  #places = new Uint32Array(1024);
  #count = 0;
  /** Code units of the first key. */
  #length: number | undefined;
  #isEven = true;

  push(key: string | undefined): void {
    if (key === undefined) {
      this.#note(NONE);
      return;
    }
    const chunk = this.#begin(4 * key.length);
    let at = this.#used;
    for (let unit = 0; unit < key.length; unit++) at = packUnit(key.charCodeAt(unit), chunk, at);
    chunk[at] = 0;
    this.#end(at - this.#used, key.length);
  }

  /** A key that stands in these bytes as {@link packUnit} writes it. */
  pushPacked(bytes: Uint8Array, size: number): void {
    const chunk = this.#begin(size);
    const used = this.#used;
    for (let at = 0; at < size; at++) chunk[used + at] = bytes[at] ?? 0;
    chunk[used + size] = 0;
    this.#end(size, size);
  }

  key(place: number): string | undefined {
    const packed = this.#places[place] ?? NONE;
    if (packed === NONE) return undefined;
    return unpacked(this.#chunks[packed >>> CHUNK_BITS] ?? new Uint8Array(1), packed % CHUNK);
  }

  level(place: number, depth: number): number {
    const packed = this.#places[place] ?? NONE;
    const chunk = this.#chunks[packed >>> CHUNK_BITS];
    return packed === NONE || !chunk ? Number.NaN : pieceOf(chunk, (packed % CHUNK) + PIECE * depth);
  }

  isOfPieces(): boolean {
    return true;
  }

  isOver(place: number, depth: number): boolean {
    const level = this.level(place, depth);
    return Number.isNaN(level) || level % 256 === 0;
  }

  /** Whether all keys so far have as many code units; of packed ones, where these are ASCII. */
  isEven(): boolean {
    return this.#isEven;
  }

  /** Where so many bytes and the 0 behind them may be written, in the last chunk. */
  #begin(bytes: number): Uint8Array {
    const last = this.#chunks.at(-1);
    if (last && last.length - this.#used > bytes) return last;
    const made = new Uint8Array(Math.max(CHUNK, bytes + 1));
    this.#chunks.push(made);
    this.#used = 0;
    return made;
  }

  #end(bytes: number, units: number): void {
    this.#note((this.#chunks.length - 1) * CHUNK + this.#used);
    this.#used += bytes + 1;
    this.#length ??= units;
    this.#isEven &&= this.#length === units;
  }

  #note(place: number): void {
    if (this.#count === this.#places.length)
      this.#places = widened(this.#places, new Uint32Array(2 * this.#count));
    this.#places[this.#count++] = place;
  }
}

/** Writes a code unit; answers where the next one goes. */
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

/** The text whose code units are packed from there to the next 0. */
export function unpacked(bytes: Uint8Array, start: number): string {
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

/** The next bytes of a key as one number; zeros follow where it ends. */
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

/** So many digits of a decimal survive a JavaScript number. */
export const EXACT_DIGITS = 15;
/** Below it and above, numbers write themselves with exponents. */
const EXPONENT_BELOW = 1e-6;
const EXPONENT_FROM = 1e15;

/** Keys of {@link numberKey}. Nearly all are numbers of few digits, and take no more than those do. */
export class PackedNumbers implements PackedKeys {
  #numbers = new Float64Array(1024);
  #count = 0;
  /** Keys that a number does not hold. */
  readonly #odd = new Map<number, string>();

  push(key: string | undefined): void {
    if (key === undefined) {
      this.#note(Number.NaN);
      return;
    }
    const { value, digits } = valueOfKey(key);
    const size = Math.abs(value);
    if (digits > EXACT_DIGITS || size > EXPONENT_FROM || (size < EXPONENT_BELOW && digits > 0))
      this.#odd.set(this.#count, key);
    this.#note(value);
  }

  /** The key of a number that has at most {@link EXACT_DIGITS} digits in all. */
  pushNumber(value: number): void {
    if (value !== 0 && Math.abs(value) < EXPONENT_BELOW) this.push(numberKey(value.toFixed(EXACT_DIGITS)));
    else this.#note(value);
  }

  key(place: number): string | undefined {
    const known = this.#odd.get(place);
    if (known !== undefined) return known;
    const value = this.#numbers[place] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : numberKey(String(value));
  }

  level(place: number, depth: number): number {
    if (depth === 0) return this.#numbers[place] ?? Number.NaN;
    const key = this.key(place) ?? '';
    const bytes = new Uint8Array(4 * key.length + 1);
    let end = 0;
    for (let unit = 0; unit < key.length; unit++) end = packUnit(key.charCodeAt(unit), bytes, end);
    return pieceOf(bytes.subarray(0, end), PIECE * (depth - 1));
  }

  isOfPieces(depth: number): boolean {
    return depth > 0;
  }

  isOver(place: number, depth: number): boolean {
    if (depth === 0) return this.#odd.size === 0 || !this.#odd.has(place);
    return this.level(place, depth) % 256 === 0;
  }

  #note(value: number): void {
    if (this.#count === this.#numbers.length)
      this.#numbers = widened(this.#numbers, new Float64Array(2 * this.#count));
    // Zero has no sign.
    this.#numbers[this.#count++] = value + 0;
  }
}

/** What a {@link numberKey} is the key of, as near as a number comes to it, and of how many digits. */
function valueOfKey(key: string): { readonly value: number; readonly digits: number } {
  if (key === 'o') return { value: 0, digits: 0 };
  // No number at all: behind all numbers.
  if (key.startsWith('q')) return { value: Infinity, digits: Infinity };
  const isNegative = key.startsWith('n');
  const shown = isNegative
    ? key.slice(1, -1).replace(/\d/g, (digit) => String(9 - Number(digit)))
    : key.slice(1);
  const digits = shown.slice(4);
  const value = Number(`0.${digits}e${Number(shown.slice(0, 4)) - 5000}`);
  return { value: isNegative ? -value : value, digits: digits.length };
}

/** The same numbers with more room behind them. */
export function widened<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
